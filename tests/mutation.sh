#!/bin/sh
# Mutants of the shipped scenarios against the checker. Under sanitizers, which are slow, each ninth.
set -u
command -v python3 >/dev/null || { echo "1..0 # SKIP python3 is not there"; exit 0; }
every=1
case $BUILD in */san) every=9 ;; esac
exec python3 tests/mutation.py "$WARPDRILL_BIN" --every $every content/packs/*
