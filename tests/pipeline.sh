#!/bin/sh
# A pack with a pipeline through the commands: recorded by the fake runner, checked, its timeline printed as a table. TAP.
set -u
: "${BUILD:?set BUILD to the build folder}"
W=$BUILD/warpdrill
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export XDG_DATA_HOME="$T/data" XDG_CACHE_HOME="$T/cache"
n=0
ok() { n=$((n + 1)); if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; [ -f "$T/out" ] && sed 's/^/# /' "$T/out"; fi; }
has() { grep -Eq -- "$1" "$T/out"; }

cp -R tests/packs/steps "$T/steps"
"$W" record "$T/steps" --trust --runner "$BUILD/tests/fakes/fake_runner good" > "$T/out" 2>&1
ok "every variant is recorded" $?
"$W" check "$T/steps" > "$T/out" 2>&1
has 'two-streams/a .*cheapest timing: 1 min'; ok "an ideal reader learns from the timeline" $?
"$W" --pack "$T/steps" probe two-streams timing --tier recorded > "$T/out" 2>&1
ok "timing of a pipeline is there" $?
has '^timeline$' && has 'whole step +6.00 .s'; ok "it brings the timeline" $?
has 'kernel +stream +start +duration +gap before +bytes +rate +share'; ok "as a table" $?
has '2  scale y +1 +1.00 .s +2.00 .s +[0-9.]+ [MG]B +[0-9.]+ [TP]B/s +33 %'; ok "with labels, bytes, rates and shares" $?
has '\(by CUPTI\)'; ok "and how it was measured" $?
"$W" --pack "$T/steps" probe two-streams timing --tier recorded --json > "$T/out" 2>&1 && has '"stream"'; ok "as data too" $?
"$W" --pack "$T/steps" probe ten-kernels timing --tier live --trust --runner "$BUILD/tests/fakes/fake_runner good" > "$T/out" 2>&1 && has '10  residual and norm +0'
ok "live" $?
echo "1..$n"
