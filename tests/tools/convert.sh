# convert: there and back through every format.
. "$SOURCE/tests/tools/lib.sh" || exit 1

for file in a.npy a.npz a.mtx a.csv a.tns.gz a.csv.gz a.mtx.gz; do
  try 0 convert A.tns $file
  silent
  try 0 convert $file back.csv
  holds back.csv '0,0,1
0,1,2
1,1,3'
done
try 0 convert A.tns wide.npy --shape 3x4; says '3x4'
try 0 info wide.npy --json; json 'shape=[3,4]' nnz=3
try 0 convert A.tns f32.npy --dtype f32
try 0 info f32.npy --json; json 'dtype="f32"'
# Windows line ends, comments, blank lines, repeated coordinates, no newline at the end.
printf '# c\r\n1 1 1\r\n\r\n2 2 3\r\n1 1 4' >w.tns
try 0 convert w.tns w.csv; holds w.csv '0,0,5
1,1,3'
try 1 convert missing.tns a.npy; says missing.tns
try 1 convert A.tns a.doc; says a.doc; absent a.doc
try 1 convert A.tns a.npy --shape 2x2,3x3; says 'one file'
try 1 convert A.tns b.npy --shape 1x1; absent b.npy
printf '0 1 5\n' >zero.tns
try 1 convert zero.tns z.npy; says zero.tns; says 1; absent z.npy
finish
