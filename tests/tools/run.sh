# run: results, options and wrong input, on tensors small enough to know the answer.
. "$SOURCE/tests/tools/lib.sh" || exit 1

try 0 run ij,jk,ki-\> triangle.mtx triangle.mtx triangle.mtx; prints 6
karate=$SOURCE/examples/data/karate.mtx
if [ -e "$karate" ]; then
  try 0 run 'ij,jk,ki->' "$karate" "$karate" "$karate"; prints 270
fi
try 0 run 'ij,jk->ik' A.tns B.tns; prints '[[ 9 10]
 [12 15]]'
try 0 run 'ij->j' A.tns; prints '[1 5]'
try 0 run 'ij,jk->ik' A.tns B.tns --out-format csf; prints 'shape 2x2, 4 non-zeros, csf f64
(0, 0) 9
(0, 1) 10
(1, 0) 12
(1, 1) 15'
try 0 run 'ij->ji' A.tns --out-format coo; prints 'shape 2x2, 3 non-zeros, coo f64
(0, 0) 1
(1, 0) 2
(1, 1) 3'
for format in csf,csf coo,csr csc,dense dc:1-0,cc:1,0 -,csf:1-0 dense,dense; do
  try 0 run 'ij,jk->ik' A.tns B.tns --format $format; prints '[[ 9 10]
 [12 15]]'
done
try 0 run 'ij,j->i' A.tns v.tns --dtype f32; prints '[50 60]'
try 0 run 'ij,jk->ik' A.tns B.tns --alpha 0.5; prints '[[4.5   5]
 [  6 7.5]]'
try 0 run 'ij,jk->ik' A.tns B.tns --accumulate A.tns; prints '[[10 12]
 [12 18]]'
try 0 run 'ij,jk->ik' A.tns B.tns --alpha 2 --beta=-1 --accumulate A.tns; prints '[[17 18]
 [24 27]]'
try 0 run 'ij->ij' A.tns --shape 2x3; prints '[[1 2 0]
 [0 3 0]]'
try 0 run 'i->ii' v.tns --write-diagonal; prints '[[10  0]
 [ 0 20]]'
try 0 run 'ij,jk->ik' A.tns B.tns --threads 1 --no-cache --path greedy --deterministic --precision exact; shows '[[ 9 10]'
try 0 run 'ij->' triangle.mtx --semiring or-and; prints true

# Index notation: names take files by first appearance, or by NAME=FILE.
try 0 run 'C[i,k] = X[i,j] * Y[j,k]' A.tns B.tns; prints '[[ 9 10]
 [12 15]]'
try 0 run 'C[i,k] = X[i,j] * Y[j,k]' Y=B.tns A.tns; shows '[[ 9 10]'
try 0 run 't = G[i,j] * G[j,k] * G[k,i]' triangle.mtx; prints 6
try 0 run 'D[i,k] min= G[i,j] + G[j,k]' G=triangle.mtx; prints '[[2 2 2]
 [2 2 2]
 [2 2 2]]'
try 1 run 'C[i,k] = X[i,j] * Y[j,k]' A.tns; silent; says '2 operands, 1 file is given'
try 1 run 'C[i,k] = X[i,j] * Y[j,k]' X=A.tns X=B.tns; says 'given two files'

keys=expr,device,shape,nnz,format,dtype,norm,sum,plan_us,compile_ms,cache,run_ms,flops,bytes,peak_bytes,fraction_of_roof
try 0 run 'ij,jk->ik' A.tns B.tns --json --repeat 3
json --keys $keys 'expr="ij,jk->ik"' 'device="cpu"' 'shape=[2,2]' nnz=4 'format="dense"' 'dtype="f64"' sum=46.0 run_ms.min \
  run_ms.median run_ms.max run_ms.runs=3
try 0 run 'ij,jk,ki->' triangle.mtx triangle.mtx triangle.mtx --json; json --keys $keys 'shape=[]' nnz=1 norm=6.0 sum=6.0
try 0 run 'ij,jk->ik' A.tns B.tns --json --out-format csf; json 'format="csf"' nnz=4

# Wrong input: exit 1, one message, nothing on standard output.
try 1 run 'ij,jk->iz' A.tns B.tns; silent; says '^'; says z
try 1 run 'ij,j' A.tns; says '2 operands, 1 file is given'
try 1 run 'ij' A.tns B.tns; says '1 operand, 2 files are given'
try 1 run 'ij' missing.tns; silent; says missing.tns
try 1 run 'ij' A.unknown; says A.unknown
try 1 run 'ijk->i' A.tns; says 'operand 0'
try 1 run 'ij,jk->ik' A.tns B.tns --shape 2x2; says '--shape has 1 entry,'
try 1 run 'ij' A.tns --shape 2xx; says 'expected an extent'; says '^'
try 1 run 'ij' A.tns --shape 1x1; silent
try 1 run 'ij' triangle.mtx --shape 4x4; says 'the shape is 3x3, --shape says 4x4'
try 1 run 'ij' A.tns --format csx; silent
try 1 run 'ij' A.tns --format csf,csf; says '--format has 2 entries'
try 1 run 'ij,jk' A.tns B.tns --path '(0,9)'; silent
try 2 run 'ij,jk' A.tns B.tns --strategy luck; silent
printf '1 1 1\n1 x 2\n' >bad.tns
try 1 run 'ij' bad.tns; silent; says bad.tns; says 2
printf '0 1 1\n' >zero.tns
try 1 run 'ij' zero.tns; says zero.tns; says 1
finish
