#!/bin/sh
# A pack with a pipeline through the commands: recorded by the fake runner, checked, its timeline printed as a table. TAP.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_CACHE_HOME="$T/cache"
has() { grep -Eq -- "$1" "$T/out"; }

cp -R tests/packs/steps "$T/steps"
"$W" record "$T/steps" --trust --runner "$BUILD/tests/fakes/fake_runner good" > "$T/out" 2>&1
ok "every variant is recorded" $?
"$W" check "$T/steps" > "$T/out" 2>&1
has 'two-streams/a .*cheapest timing: 1 min'; ok "an ideal reader learns from the timeline" $?
"$W" --pack "$T/steps" probe two-streams timing --tier recorded > "$T/out" 2>&1
ok "timing of a pipeline is there" $?
has '^timeline$' && has 'step, end to end +6.00 .s'; ok "it brings the timeline" $?
has 'kernel +stream +start +duration +gap before +bytes +rate +share'; ok "as a table" $?
has '2  scale y +1 +1.00 .s +2.00 .s +[0-9.]+ [MG]B +[0-9.]+ [TP]B/s +33 %'; ok "with labels, bytes, rates and shares" $?
has '\(by CUPTI\)'; ok "and how it was measured" $?
"$W" --pack "$T/steps" probe two-streams timing --tier recorded --json > "$T/out" 2>&1 && has '"stream"'; ok "as data too" $?
"$W" --pack "$T/steps" probe ten-kernels timing --tier recorded > "$T/out" 2>&1
[ "$(grep -c '^  tokens/s  ' "$T/out")" = 3 ]; ok "cold, warm and of the timeline: what users see of the time" $?
awk '$1 == "time" && !t { t = $2; u = $3 } $1 == "tokens/s" && !r { r = $2; k = $3 } END {
    s = t * (u == "ms" ? 1e-3 : u == "s" ? 1 : 1e-6); v = r * (k == "k" ? 1e3 : k == "M" ? 1e6 : 1); e = v * s / 4; exit !(e > 0.99 && e < 1.01) }' "$T/out"
ok "which is four tokens over it" $?
"$W" --pack "$T/steps" probe two-streams timing --tier recorded > "$T/out" 2>&1; ! has tokens; ok "a story without a rate shows none" $?
"$W" --pack "$T/steps" probe ten-kernels timing --tier live --trust --runner "$BUILD/tests/fakes/fake_runner good" > "$T/out" 2>&1 && has '10  residual and norm +0' && has '^  tokens/s '
ok "live" $?
"$W" --pack "$T/steps" probe ten-kernels symptom --tier live --trust --runner "$BUILD/tests/fakes/fake_runner good" --json > "$T/out" 2>&1 && has '"unit": "tokens/s"'
ok "as data too, live" $?
mkdir "$T/was" && cp -R "$T/steps/." "$T/was" && sed -i '/^rate:/d' "$T/was/ten-kernels/scenario.yaml" && "$W" check "$T/was" > "$T/out" 2>&1; ! has 'evidence-stale'
ok "with or without a rate, the evidence is the same" $?
"$W" --pack content/packs/hosts probe sixteen-gates/d timing --tier recorded > "$T/out" 2>&1
untraced=$(awk '$1 == "time" { print $2; exit }' "$T/out")
has "^  \\(traced, which slows the host: untraced the step takes $untraced "; ok "a timeline of the host says what the step takes untraced" $?
"$W" --pack content/packs/hosts probe two-dozen-stages/d timing --tier recorded > "$T/out" 2>&1
has '^   1  captured before  ' && has '^   2  in the graph \(stage 1\)  '; ok "a graph that was made before, and what it holds, are told as that" $?
"$W" --pack "$T/steps" probe two-streams timing --tier recorded > "$T/out" 2>&1; ! has 'traced, which'
ok "one of kernels alone does not" $?
"$W" --pack content/packs/decode-step probe tokens-per-second/a timing --tier recorded --gpu nvidia-h200 > "$T/out" 2>&1
has '^   6  attention +0 +69\.38 .s +474\.81 .s +0\.896 .s ' && has '^   5  KV append +0 +67\.23 .s +1\.25 .s +0\.928 .s '
ok "times below one another have one unit" $?
echo "1..$n"
