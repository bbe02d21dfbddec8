#!/bin/sh
# The links of two GPUs of this machine by the runner, beside a bare program and PyTorch: see links.py. TAP; skips with a reason
# where there are no two, no python3 or no nvcc. PLAIN names a program of links.cu that is compiled already, ANSWER a file to keep
# the runner's answer in.
set -u
: "${BUILD:?set BUILD to the build folder}"
NVCC=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
command -v python3 > /dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export WARPDRILL_CACHE="$T/cache"
if [ -z "${PLAIN:-}" ]; then
    PLAIN=$T/links
    [ -x "$NVCC" ] || { echo "1..0 # SKIP nvcc is not there"; exit 0; }
    "$NVCC" -std=c++17 -O2 -o "$PLAIN" tests/gpu/links.cu > "$T/nvcc" 2>&1 ||
        { echo "1..0 # SKIP nvcc does not compile links.cu: $(head -n 1 "$T/nvcc")"; exit 0; }
fi
python3 tests/gpu/links.py "${RUNNER:-$BUILD/warpdrill-runner}" "$PLAIN" ${ANSWER:+"$ANSWER"}
