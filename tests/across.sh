#!/bin/sh
# Estimates across GPUs, from outside: graded on either GPU, and not asked where one alone was recorded.
set -u
. tests/lib/tap.sh
run() { "$W" --pack "$T/pack" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }

cp -r content/packs/first-principles "$T/pack"
ID=first-principles/row-means/b
evidence=$T/pack/row-means/b/sealed/evidence
cat >"$T/script" <<END
{"kind":"committed","body":{"line":54,"remedy":"once"}}
{"kind":"estimated","body":{"id":"other-gpu","answer":"1.32 ms"}}
END

exits 0 "a number of the other GPU" grade $ID --script "$T/script" --gpu nvidia-h200
says "other-gpu: 1.320 ms for 1.3.. ms: within 1.0. x" "is graded as others are"
says "ms on the NVIDIA H100 80GB HBM3, 1.4. x the .* ms on the NVIDIA H200. DRAM is full" "and told why"
exits 0 "whichever is played" grade $ID --script "$T/script" --gpu nvidia-h100-80gb-hbm3 --json
says '"why": ".* ms on the NVIDIA H200, 0.6. x the .* ms on the NVIDIA H100' "it is of the other one"

sed -n 2p "$T/script" >"$T/early"
exits 1 "before the commitment" grade $ID --script "$T/early"
complains "early:1: 'other-gpu' is asked after the commitment" "it is refused with the script's line"

# ---- the other recording is stale, then gone ----
sed 's/"l2_bytes": [0-9.]*/"l2_bytes": 1073741824.0/' "$evidence/nvidia-h100-80gb-hbm3.json" >"$T/stale"
mv "$T/stale" "$evidence/nvidia-h100-80gb-hbm3.json"
exits 1 "a stale recording" grade $ID --script "$T/script" --gpu nvidia-h200
complains "script:2: 'other-gpu' is not asked here: no other GPU was recorded" "answers nothing"
rm "$evidence/nvidia-h100-80gb-hbm3.json"
exits 1 "nor one that is not there" grade $ID --script "$T/script"
sed -i 2d "$T/script"
exits 0 "what is asked then" grade $ID --script "$T/script"
says "estimates *0.0 of  20   1: left out, 2: left out, 3: left out$" "are the others, for all points"
exits 0 "and the pack stands" check "$T/pack" row-means/b --no-compile
echo "1..$n"
