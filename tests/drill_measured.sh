#!/bin/sh
# Drills that are measured, from outside: predicted, recorded, recalled, graded; tiers never mixed.
set -u
. tests/lib/tap.sh

mkdir -p "$T/content/packs"
cp -r content/drills content/tables "$T/content/"
rm -rf "$T/content/drills/measured/evidence"
export WARPDRILL_CONTENT="$T/content/packs"
ID=measured/copy-time

# ---- nothing recorded ----
exits 1 "without a recording and a GPU there is no such drill" drill $ID
complains "nothing was recorded" "and the reason is said"
exits 1 "no GPU behind the runner" drill $ID --tier live --runner "$FAKE no-gpu"
complains "name a machine that has one" "with the remedy"
exits 2 "a tier that is none" drill $ID --tier guessed
exits 2 "a recording's GPU for a live drill" drill $ID --tier live --gpu fake-gpu
exits 1 "recording with a lost runner fails" record drills --runner "$FAKE crashing"

# ---- over links ----
LINKS="links/all-reduce --seed 0"
exits 1 "nor one over links" drill $LINKS
complains "nothing was recorded" "for the same reason"
exits 1 "one GPU has none" drill $LINKS --tier live --runner "$FAKE whole"
complains "ceiling.all_reduce_alpha was not measured here" "and says what is lacking"
export WARPDRILL_FAKE_GPUS=2
exits 0 "two have" drill $LINKS --tier live --runner "$FAKE whole" --answer "26.8 us"
says "^live, Fake GPU" "theirs"
says "alpha = 10 us and beta = 250 GB/s" "with both figures"
says "^right" "and 4 MiB take alpha and 16.8 us"
unset WARPDRILL_FAKE_GPUS
mkdir -p "$T/content/drills/measured/evidence"
cp content/drills/measured/evidence/nvidia-h200.json "$T/content/drills/measured/evidence"
exits 0 "who has one GPU or none" drill $LINKS
says "^recorded, NVIDIA H200, 2026-" "is asked about those that were recorded"
rm -rf "$T/content/drills/measured/evidence"

# ---- live ----
exits 0 "a live drill asks" drill $ID --tier live --runner "$FAKE whole"
says "^live, Fake GPU" "naming tier and GPU"
! grep -q -e "Measured" -e "0.1 ms" "$T/out"
ok "and tells nothing before the answer" $?
exits 0 "an answer is measured and graded" drill $ID --tier live --runner "$FAKE whole" --answer "115 us"
says "^right" "against the measurement, not the formula"
says "Measured 0.1 ms (.*, n 41), live, Fake GPU. On paper: 0.128 ms, 1.28 of it" "with interval, tier, GPU and the estimate on paper beside it"
exits 0 "a ratio of two runs" drill measured/bank-conflicts --tier live --runner "$FAKE whole" --answer 3 --json
says '"on_paper": 32' "with its formula"

# ---- recorded ----
exits 0 "all of them are recorded" record drills --runner "$FAKE whole" --seeds 0..2
F="$T/content/drills/measured/evidence/fake-gpu.json"
[ -s "$F" ] && ! grep -q '"uuid": "0' "$F"
ok "beside the drills, without the card's own number" $?
exits 0 "what was recorded is asked without a GPU" drill $ID --runner /nonexistent
says "^recorded, Fake GPU, 20" "naming tier, GPU and day"
exits 0 "and graded" drill $ID --answer "115 us"
says "n 41), recorded, Fake GPU, 20" "against the recording"
exits 1 "another GPU's recording is not made up" drill $ID --gpu other-gpu
exits 0 "live stays live where a recording lies" drill $ID --tier live --runner "$FAKE whole" --answer "115 us"
says "n 41), live, Fake GPU" "and says so"
sed 's/float4 \*out/float4 *there/; s/        out\[i\] = in/        there[i] = in/' content/drills/measured/memory.cu >"$T/content/drills/measured/memory.cu"
exits 1 "a changed kernel makes its recording stale" drill $ID
complains "was not recorded on Fake GPU" "and that is said"
echo "1..$n"
