# run -o: what is written, and how it is said.
. "$SOURCE/tests/tools/lib.sh" || exit 1

try 0 run 'ij,jk->ik' A.tns B.tns -o C.npy; shows '[[ 9 10]'; says 'written to C.npy'
try 0 run 'ij->ij' C.npy; prints '[[ 9 10]
 [12 15]]'
try 0 run 'ij->ij' A.tns -o D.csv; holds D.csv '0,0,1
0,1,2
1,1,3'
try 0 run 'ij->ji' A.tns -o E.tns --out-format csf
try 0 run 'ij->ij' E.tns; prints '[[1 0]
 [2 3]]'
for file in F.mtx F.npz F.tns.gz; do
  try 0 run 'ij->ij' A.tns -o $file
  try 0 run 'ij->ij' $file; prints '[[1 2]
 [0 3]]'
done
try 0 run 'ij,jk,ki->' triangle.mtx triangle.mtx triangle.mtx -o t.npy; prints 6
try 0 run '->' t.npy; prints 6

# A larger result is described, not printed.
try 0 gen dense:20x20:seed=1 -o G.npy
try 0 run 'ij,jk->ik' G.npy G.npy -o H.npy; shows 'shape 20x20, 400 non-zeros, dense f64'; shows 'norm '; shows 'written to H.npy'
try 0 run 'ij,jk->ik' G.npy G.npy; shows 'not written'
try 0 run 'ij,jk->ik' G.npy G.npy --print; shows '[['
[ "$(wc -l <"$work/.out")" -eq 20 ] || fail '20 lines were expected'
try 0 run 'ij,jk->ik' G.npy G.npy -o H.npy --json; json 'shape=[20,20]' nnz=400

try 1 run 'ij->ij' A.tns -o no/such/folder/x.npy; says no/such/folder
try 1 run 'ij->ij' A.tns -o x.unknown; says x.unknown; absent x.unknown
try 1 run 'ij->ij' missing.tns -o x.npy.gz; says x.npy.gz   # before anything is read
mkdir folder.npy
try 1 run 'ij->ij' A.tns -o folder.npy; says folder.npy
[ -d folder.npy ] || fail 'folder.npy should still be a folder'
try 0 run 'ij->ij' A.tns --alpha 1i --dtype c128 -o c.npy; shows '0+1i'
try 1 run 'ij->ij' c.npy -o c.tns; says c.tns; absent c.tns

# The output appears whole or not at all.
echo before >G2.tns
( trap '' XFSZ; ulimit -f 1; exec "$EINLOOM" run 'ij->ij' G.npy -o G2.tns >.out 2>.err )
status=$? out=$(cat .out) err=$(cat .err) tried='run -o with a limit on the size of files'
[ $status -eq 1 ] || fail "exit status $status, expected 1"
holds G2.tns before
[ "$(ls -A | grep -c G2)" -eq 1 ] || fail "a temporary file was left: $(ls -A)"
finish
