# gen: shapes, counts, seeds.
. "$SOURCE/tests/tools/lib.sh" || exit 1

try 0 gen random:50x40:nnz=1000:seed=1 -o r.tns; silent; says '50x40'
[ "$(grep -vc '^#' r.tns)" -eq 1000 ] || fail '1000 lines were expected'
[ "$(grep -v '^#' r.tns | cut -d' ' -f1,2 | sort -u | wc -l)" -eq 1000 ] || fail 'coordinates repeat'
try 0 gen random:50x40:nnz=1000:seed=1 -o r2.tns
cmp -s r.tns r2.tns || fail 'the same seed must give the same file'
try 0 gen random:50x40:nnz=1000:seed=2 -o r3.tns
cmp -s r.tns r3.tns && fail 'another seed must give another file'
try 0 gen random:50x40:nnz=100:seed=1:skew=1.1 -o s.tns
try 0 gen dense:8x9:seed=1 -o d.npy --dtype f32
try 0 info d.npy --json; json 'shape=[8,9]' 'dtype="f32"'
try 0 gen cp:5x6x7:rank=2:noise=1e-3:seed=1 -o cp.npy
try 0 info cp.npy --json; json 'shape=[5,6,7]'
try 0 gen tt:3x4x5:ranks=2,2 -o tt.npy
try 0 gen tr:3x4x5:ranks=2,2,2 -o tr.npy
try 0 gen published:nnz=100:seed=1:overlap=0.5 -o PA.tns -o PB.tns
[ "$(grep -vc '^#' PA.tns)" -eq 100 ] || fail '100 lines were expected'
try 0 run 'abcde,bdace->abe' PA.tns PB.tns --shape 50x50x50x20x10,50x20x50x50x10 --json; json 'shape=[50,50,10]' 'dtype="f64"'

try 2 gen published:nnz=100:seed=1 -o only.tns; says 'makes 2 tensors'; absent only.tns
for twin in T.tns ./T.tns; do
  try 2 gen published:nnz=100:seed=1 -o T.tns -o $twin; says 'named twice'; absent T.tns
done
try 1 gen nonsense:5 -o x.tns; silent; says nonsense; absent x.tns
try 1 gen random:5x5:nnz=26 -o x.tns; says 26; absent x.tns
try 1 gen random:5x5:nnz=ten -o x.tns; absent x.tns
try 1 gen dense:5x5 -o no/such/folder/x.npy; says no/such/folder
finish
