#!/bin/sh
# Steps of the host on this machine's GPU beside the same steps written by hand: see hosted.py. TAP; skips with a reason where
# there is no GPU, no python3 or no nvcc.
set -u
: "${BUILD:?set BUILD to the build folder}"
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
command -v python3 > /dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
[ -x "$NVCC" ] || { echo "1..0 # SKIP nvcc is not there"; exit 0; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export WARPDRILL_CACHE="$T/cache"
compile() { "$NVCC" -std=c++17 -O2 -arch=native "$@" tests/gpu/hosted.cu > "$T/nvcc" 2>&1; }
compile -o "$T/hosted" -ldl && compile -DHOLD_ALONE -cubin -o "$T/cubin" && compile -DHOLD_ALONE -ptx -o "$T/ptx" ||
    { echo "1..0 # SKIP nvcc does not compile hosted.cu for this GPU: $(head -n 1 "$T/nvcc")"; exit 0; }
python3 tests/gpu/hosted.py "${RUNNER:-$BUILD/warpdrill-runner}" "$T/hosted" "$T/cubin" "$T/ptx"
