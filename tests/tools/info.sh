# info: figures of a small tree known by hand.
. "$SOURCE/tests/tools/lib.sh" || exit 1

# Slices 1 and 3; fibers (1,1) (1,2) (3,1); leaves 1 + 1 + 2.
printf '1 1 1 2\n1 2 2 -1\n3 1 1 4\n3 1 2 0.5\n' >x.tns
try 0 info x.tns; shows 'shape      3x2x2'; shows 'f64, stored sparse'; shows 'non-zeros  4, density 0.333'; shows '-1 to 4'
try 0 info x.tns --json
json --keys file,order,shape,dtype,sparse,nnz,density,levels,coo_bytes,csf_bytes,min,max,nan order=3 'shape=[3,2,2]' nnz=4 \
  levels.0.nodes=2 levels.1.nodes=3 levels.2.nodes=4 levels.0.fan_out.mean=1.5 levels.0.fan_out.max=2 levels.1.fan_out.max=2 \
  levels.2.fan_out=null coo_bytes=80.0 csf_bytes=104.0 min=-1.0 max=4.0 nan=0 sparse=true
# The same, dense: described without its zeros.
try 0 convert x.tns x.npy
try 0 info x.npy --json; json sparse=false nnz=4 levels.1.nodes=3 min=-1.0
try 0 info x.npy; shows 'stored dense'
try 0 info triangle.mtx; shows 'non-zeros  6'
printf '' >empty.tns
try 1 info missing.npy; silent; says missing.npy
try 1 info nofile; silent
printf 'not numpy' >junk.npy
try 1 info junk.npy; silent; says junk.npy
printf '\223NUMPY\1\0v\0{"descr":' >cut.npy
try 1 info cut.npy; silent; says cut.npy
finish
