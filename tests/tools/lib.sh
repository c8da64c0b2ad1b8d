# Shared by the scripts beside it: a fresh folder, `try` and what may be said of its outcome.
set -u
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
export EINLOOM_CACHE_DIR=$work/cache
failures=0

# try STATUS ARGUMENT...: runs the command; its output is in $out and $err afterwards.
try() {
  local want=$1 got
  shift
  tried="einloom $*"
  "$EINLOOM" "$@" >"$work/.out" 2>"$work/.err"
  got=$?
  out=$(cat "$work/.out")
  err=$(cat "$work/.err")
  [ "$got" -eq "$want" ] || fail "exit status $got, expected $want"
}

fail() {
  failures=$((failures + 1))
  printf 'FAILED: %s\n  %s\n  stdout: %s\n  stderr: %s\n' "$tried" "$1" "$out" "$err" | head -n 40
}

prints() { [ "$out" = "$1" ] || fail "expected to print: $1"; }              # exactly
shows() { [[ $out == *"$1"* ]] || fail "expected on standard output: $1"; }
says() { [[ $err == *"$1"* ]] || fail "expected on standard error: $1"; }
silent() { [ -z "$out" ] || fail "nothing was expected on standard output"; }
json() { "$CHECK_JSON" "$@" <"$work/.out" || fail "the JSON is not as expected"; }
holds() { [ "$(cat "$1")" = "$2" ] || { out=$(cat "$1"); fail "$1 was expected to hold: $2"; }; }
absent() { [ ! -e "$1" ] || fail "$1 should not exist"; }

finish() {
  [ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
}

# A is [[1, 2], [0, 3]], B is [[1, 0], [4, 5]], v is [10, 20]; triangle is the graph of three nodes, all joined.
printf '1 1 1\n1 2 2\n2 2 3\n' >A.tns
printf '1 1 1\n2 1 4\n2 2 5\n' >B.tns
printf '1 10\n2 20\n' >v.tns
printf '%%%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 1\n3 2\n' >triangle.mtx
