# Usage: help, version, wrong commands and wrong options.
. "$SOURCE/tests/tools/lib.sh" || exit 1

try 0 --help; shows 'Usage: einloom'; shows 'Example: einloom run'
for command in run explain info convert gen devices; do
  try 0 $command --help
  shows "einloom $command"
  shows 'Example'
done
try 0 --version; shows 'einloom 0.'; shows 'LLVM '; shows 'CUDA not built'; shows "cache $work/cache (not used yet)"

try 2; silent; says 'a command is required'
try 2 frobnicate; silent; says "there is no command 'frobnicate'"; says 'run, explain, info'
try 2 repl; says "there is no command 'repl'"
try 2 --frobnicate; silent
try 2 run; says 'EXPR is required'
try 2 run ij A.tns --frobnicate; silent; says 'frobnicate'
try 2 run ij A.tns --dtype f31; says "'f31' is no element type"
try 2 run ij A.tns --semiring plus-plus; says "'plus-plus' is no semiring"
try 2 run ij A.tns --out-format csr; says 'out-format'
try 2 run ij A.tns --precision half
try 2 run ij A.tns --device gpu; says "not 'gpu'"
try 2 run ij A.tns --threads 0
try 2 run ij A.tns --threads many
try 2 run ij A.tns --repeat 0
try 2 run ij A.tns --strategy nope; silent; says 'nope'; says 'pairwise'
try 2 run ij A.tns --strategy ''; silent
try 2 run ij A.tns --path ''; says 'an empty value'
try 2 run ij A.tns --alpha 1+; says "'1+' is no number"
try 2 run ij A.tns --beta 1; says '--beta needs --accumulate'
try 2 run ij A.tns --memory-limit 5Q; says "'5Q' is no amount of memory"
try 2 run ij A.tns --memory-limit 9999999999999G; says 'does not fit 64 bits'
try 2 run ij A.tns --accumulate A.tns --out-format csf; says 'leave --out-format out'
try 2 run ij A.tns -o ''; says 'an empty value'
try 2 run ij A.tns --shape ''; says 'an empty value'
try 2 info; says 'FILE is required'
try 2 convert A.tns; says 'OUT is required'
try 2 gen random:5x5:nnz=3; says 'output is required'
try 2 explain ij; says 'needs files, or --shapes'
try 2 explain ij --shapes 2x2 --stage sass; silent

try 3 run ij A.tns --device cuda; silent; says 'no CUDA'
try 3 explain ij --shapes 2x2 --device cuda:sm_90a; says 'no CUDA'
try 3 explain ij --shapes 2x2 --stage ptx; says 'ptx'
finish
