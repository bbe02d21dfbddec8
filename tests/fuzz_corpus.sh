#!/bin/sh
# Replays every fuzz target's corpus.
set -u
n=0
targets=$(ls tests/fuzz/fuzz_*.c | sed 's/.*fuzz_\(.*\)\.c/\1/')
echo "1..$(echo "$targets" | wc -w)"
for t in $targets; do
    n=$((n + 1))
    if out=$("$BUILD/tests/fuzz/replay_$t" "tests/fuzz/corpus/$t" 2>&1); then
        echo "ok $n - $t: $out"
    else
        echo "$out" | sed 's/^/# /'
        echo "not ok $n - $t"
    fi
done
