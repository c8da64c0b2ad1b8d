# explain: stages with and without data.
. "$SOURCE/tests/tools/lib.sh" || exit 1
published=(explain 'abcde,bdace->abe' --shapes 50x50x50x20x10,50x20x50x50x10 --nnz 100000,100000 --format csf,csf)

try 0 explain 'ij,jk->ik' --shapes 64x32,32x16; [ -n "$out" ] || fail 'a path report was expected'
try 0 explain 'ij,jk->ik' A.tns B.tns; [ -n "$out" ] || fail 'a path report was expected'
for stage in expr contraction path plan kernel stages source asm; do
  try 0 explain 'ij,jk->ik' --shapes 64x32,32x16 --dtype f32 --stage $stage
  [ -n "$out" ] || fail "stage $stage is empty"
  try 0 "${published[@]}" --stage $stage
  [ -n "$out" ] || fail "stage $stage is empty"
done
try 0 "${published[@]}" --stage all
for stage in expr contraction path plan kernel stages source asm; do shows "== $stage =="; done
shows define
try 0 "${published[@]}" --json; json expr device
try 0 "${published[@]}" --json --stage asm; json stages.asm
try 0 explain 'ij,j->i' --shapes 50x40,40 --nnz 100,- --stage path

try 0 explain 'ij,jk->ik' --shapes 2x2,2x2 --accumulate A.tns --beta 2 --stage plan

try 1 explain 'ij,jk->ik' --shapes 64x32; silent; says '--shapes has 1 entry,'
try 1 explain 'ij,jk->ik' --shapes 64x32,33x16; silent; says '^'; says j
try 1 explain 'ij' --shapes 64y32; silent; says '^'
try 1 explain 'ij' --shapes 99999999999999999999x2; silent; says 'does not fit'
try 1 explain 'ij' --shapes -; silent
try 1 explain 'ij' --shapes 4x4 --format csf; says '--nnz'
try 1 explain 'ij' --shapes 4x4 --nnz 17; says 17
try 1 explain 'ij' --shapes 4x4 --nnz x; says '^'
try 1 explain 'ij' missing.tns; says missing.tns
try 2 explain 'ij' A.tns --shapes 2x2; says 'not both'
try 2 explain 'ij' A.tns --nnz 3; says '--nnz goes with --shapes'
finish
