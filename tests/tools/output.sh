# Standard output that cannot take the result.
. "$SOURCE/tests/tools/lib.sh" || exit 1

try 0 gen dense:300x300:seed=1 -o big.npy
tried='run --print | head'
"$EINLOOM" run 'ij->ij' big.npy --print 2>.err | head -n 1 >.out
status=${PIPESTATUS[0]} out=$(head -c 80 .out) err=$(cat .err)
[ "$status" -eq 0 ] || fail "exit status $status, expected 0"
[ -z "$err" ] || fail 'a closed pipe must end quietly'

if [ -e /dev/full ]; then
  for command in "run ij->j A.tns" "run ij->j A.tns --json" "info A.tns" "devices" "--version" "run --help"; do
    tried="einloom $command >/dev/full"
    # shellcheck disable=SC2086
    "$EINLOOM" $command >/dev/full 2>.err
    status=$? out='' err=$(cat .err)
    [ "$status" -eq 1 ] || fail "exit status $status, expected 1"
    says 'standard output'
  done
fi
# A closed standard error does not change the result.
tried='run 2>&-'
out=$("$EINLOOM" run 'ij->j' A.tns -o r.npy 2>&-) err=''
prints '[1 5]'
finish
