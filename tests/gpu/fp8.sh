#!/bin/sh
# Elements of FP8 on this machine's GPU beside the hardware's conversions: see fp8.py. TAP; skips with a reason where there is
# no GPU that has them. Needs BUILD and python3.
set -u
: "${BUILD:?set BUILD to the build folder}"
command -v python3 > /dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
python3 tests/gpu/fp8.py "${RUNNER:-$BUILD/warpdrill-runner}"
