# devices, and the environment.
. "$SOURCE/tests/tools/lib.sh" || exit 1

try 0 devices; shows 'cuda: not built'
try 0 devices --json; json --keys devices,cuda devices.0 'cuda="not built"'
EINLOOM_THREADS=1 try 0 run 'ij->j' A.tns; prints '[1 5]'
EINLOOM_THREADS=none try 1 run 'ij->j' A.tns; says EINLOOM_THREADS
XDG_CACHE_HOME=/x EINLOOM_CACHE_DIR='' try 0 --version; shows 'cache /x/einloom'
NO_COLOR=1 try 0 run 'ij->j' A.tns; prints '[1 5]'
try 2 devices extra; silent
finish
