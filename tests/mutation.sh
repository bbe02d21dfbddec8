#!/bin/sh
# Mutants of the shipped scenarios against the checker: each 53rd of some 10,000, under sanitizers, which are slow, each 211th.
# All of them: python3 tests/mutation.py build/warpdrill content/packs/*
set -u
command -v python3 >/dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
every=53
case $BUILD in */san) every=211 ;; esac
exec python3 tests/mutation.py "$WARPDRILL_BIN" --every $every content/packs/*
