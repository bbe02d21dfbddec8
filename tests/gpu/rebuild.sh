#!/bin/sh
# Images of the shipped packs made again from their texts, with the same hashes. TAP; skips with a reason where there is no
# Triton. A GPU need not be there. See rebuild.py.
set -u
python3 -c 'import triton' 2>/dev/null || { echo "1..0 # SKIP Triton is not there"; exit 0; }
PYTHONDONTWRITEBYTECODE=1 exec python3 tests/gpu/rebuild.py content/packs
