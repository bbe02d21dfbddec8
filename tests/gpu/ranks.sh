#!/bin/sh
# Two GPUs of this machine by the runner, beside PyTorch and cudaMemcpyPeerAsync: see ranks.py. TAP; skips with a reason where
# there are no two, or no python3.
set -u
: "${BUILD:?set BUILD to the build folder}"
command -v python3 > /dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
exec python3 tests/gpu/ranks.py "${RUNNER:-$BUILD/warpdrill-runner}"
