#!/bin/sh
# TAP: a story whose variants differ in their launches alone, from outside: recorded, played, pointed at, sealed.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache" WARPDRILL_CONTENT="$T/packs"
run() { "$W" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }
mkdir "$T/packs"
cp -R tests/packs/launches "$T/packs/launched"
P=$T/packs/launched S=$P/scaled-vector ID=launched/scaled-vector
LIVE="--tier live --trust --runner $FAKE"

# ---- without a recording ----
exits 0 "the source of a variant that nobody recorded" probe "$ID/b" source
says '^ *8  twice<<<grid 8 \* gpu.sm_count + 16, block 256>>>(out, in, n)$' "ends with its launch, in formulas"
exits 0 "on a GPU" probe "$ID/b" source $LIVE\ good
says '^ *8  twice<<<grid 1072, block 256>>>(out, in, n)$' "they are worked out"
exits 0 "of another" probe "$ID/c" source $LIVE\ good
says '^ *8  twice<<<grid 8448, block 32>>>(out, in, n)$' "they are its own"
exits 0 "of one without its own" probe "$ID/a" source $LIVE\ good
says '^ *8  twice<<<grid 1056, block 256>>>(out, in, n)$' "they are the story's"

# ---- recording ----
exits 0 "record" record "$P" --trust --runner "$FAKE good"
for v in a b c; do [ -f "$S/$v/sealed/evidence/fake-gpu.json" ]; ok "leaves evidence of $v" $?; done
run record "$P" --trust --runner "$FAKE good"
[ "$(grep -c 'up to date' "$T/out")" -eq 3 ]
ok "a second time nothing is measured" $?
run check --no-compile "$P"
! grep -q 'evidence-' "$T/err"
ok "nor does check find any missing" $?
sed -i 's/+ 16/+ 8/' "$S/b/launches.yaml"
run check --no-compile "$P"
complains "$S/b/.*\[evidence-stale\]" "evidence of other launches is stale"
! grep -q "$S/[ac]/.*evidence-stale" "$T/err"
ok "and that of the other variants is not" $?
sed -i 's/+ 8/+ 16/' "$S/b/launches.yaml"
sed -i 's/^format: 2/format: 2    # again/' "$S/b/launches.yaml"
run check --no-compile "$P"
! grep -q 'evidence-stale' "$T/err"
ok "a comment beside them is nothing" $?

# ---- the place ----
point() { # point VARIANT LINE: what the score says of the place
    printf '{"kind":"committed","body":{"line":%s,"remedy":"grid"}}\n' "$2" >"$T/script"
    run grade "$ID/$1" --script "$T/script" --seed 1
}
point b 8
says 'location  *5.0 of   5   line 8' "the line of the launch is the place"
point b 5
says 'location  *0.0 of   5   line 8; you said line 5' "and one of the code is not"
point a 0
says 'location  *5.0 of   5' "where nothing is wrong, nowhere is"

# ---- sealing ----
printf 'correct horse battery\n' >"$T/pass"
mkdir "$T/sealed" "$T/open"
exits 0 "seal" seal "$P" --out "$T/sealed/launched" --passphrase-file "$T/pass"
[ -f "$T/sealed/launched/scaled-vector/b/launches.yaml" ]
ok "launches stay beside the suspect that they launch" $?
WARPDRILL_CONTENT=$T/sealed
export WARPDRILL_CONTENT
exits 0 "without the passphrase" probe "$ID/b" timing $LIVE\ good
exits 0 "the source shows them" probe "$ID/b" source $LIVE\ good
says '<<<grid 1072,' "as ever"
cp -R "$T/sealed/launched" "$T/touched"
sed -i 's/+ 16/+ 8/' "$T/touched/scaled-vector/b/launches.yaml"
run check --no-compile "$T/touched" --passphrase-file "$T/pass"
complains "scaled-vector/b/launches.yaml was changed" "launches that were changed since are named"
exits 0 "unseal" unseal "$T/sealed/launched" --out "$T/open/launched" --passphrase-file "$T/pass"
diff -r "$P" "$T/open/launched" >"$T/out"
ok "brings back what was sealed" $?

# ---- a story in which every variant has its own, and so has every fix ----
cp -R tests/packs/launches "$T/own"
O=$T/own/scaled-vector
sed -i '/^launches:/,/^$/d' "$O/scenario.yaml"
cp "$O/c/launches.yaml" "$O/a/"
sed -i 's/^fix: .*/fix: {source: fix.cu, launches: [{kernel: twice, grid: [8], block: [256], args: [out, in, n]}]}/' "$O"/*/sealed/answer.yaml
exits 0 "needs none that are shared" check --no-evidence --no-compile "$T/own"
exits 1 "a variant of it is not drafted" new "$O/d" --from "$O/a/suspect.cu" --yes
complains "says of each variant how it is launched" "and why is said"

# ---- attributes of a launch ----
attributes() { # attributes KEYS: launches.yaml of a with these keys
    printf 'format: 2\nlaunches:\n  - {kernel: twice, grid: [8], block: [256], %s, args: [out, in, n]}\n' "$1" >"$L"
}
mkdir "$T/only"
mv "$T/own" "$T/only/own"
O=$T/only/own/scaled-vector L=$O/a/launches.yaml
export WARPDRILL_CONTENT="$T/only"
attributes 'cluster: [2, 1], cooperative: true, programmatic: true'
exits 0 "the source of a variant whose launch has attributes" probe "$ID/a" source $LIVE\ good
says '<<<grid 8, block 256, cluster (2, 1), cooperative, programmatic>>>' "shows them"
exits 0 "timing of it" probe "$ID/a" timing $LIVE\ good
attributes 'cluster: [3]'
exits 1 "a cluster that does not divide the grid" check --no-evidence --no-compile --for h200 "$T/only/own"
complains "a/launches.yaml:3:.*3 blocks of a cluster do not divide 8 of the grid" "is said where it stands"
attributes 'cluster: [16]'
exits 1 "a cluster that is too large" check --no-evidence --no-compile --for h200 "$T/only/own"
complains "16; a whole number from 1 to 8 was expected" "is said too"
attributes 'cluster: [2]'
exits 1 "clusters on a GPU that has none" check --no-evidence --no-compile --for a100-40 "$T/only/own"
complains "need compute capability 9.0" "are refused with what to write"

# ---- tensor maps ----
passes() { # passes MAP: a's launch passes this map of its input
    printf 'format: 2\nlaunches:\n  - {kernel: twice, grid: [8], block: [256], args: [out, {map: %s}, n]}\n' "$1" >"$L"
}
passes 'in, size: [1024, n / 1024], pitch: [4096], box: [32, 8], swizzle: 128'
exits 0 "the source of a variant whose launch passes a tensor map" probe "$ID/a" source $LIVE\ good
says 'map(in, size \[1024, ' "shows what it maps"
says 'pitch \[4096\], box \[32, 8\], swizzle 128 B)' "and how"
exits 1 "a map where a pointer is taken" check --no-evidence --no-compile "$T/only/own"
complains "argument 2 is a map of in; " "is found"
passes 'in, size: [1024, n / 1024], pitch: [4100], box: [32, 8]'
exits 1 "a pitch off 16 bytes" check --no-evidence --no-compile --for h200 "$T/only/own"
complains "a/launches.yaml:3:.*a map of in: pitch\[0\] is 4100 bytes; a multiple of 16" "is said where it stands"
passes 'in, size: [1024, n / 512], pitch: [4096], box: [32, 8]'
exits 1 "a map that is larger than its buffer" check --no-evidence --no-compile --for h200 "$T/only/own"
complains "it reaches behind the buffer's" "is said too"
passes 'of, size: [1024], box: [32]'
exits 1 "a map of no buffer" check --no-evidence --no-compile "$T/only/own"
complains "no buffer 'of'" "is named"
passes 'in, size: [1024, 8], box: [32, 8]'
exits 1 "a map of two dimensions without a pitch" check --no-evidence --no-compile "$T/only/own"
complains "no 'pitch'; 1 was expected, in bytes" "is told what it lacks"
passes 'in, size: [1024], box: [32, 8]'
exits 1 "a box of another rank" check --no-evidence --no-compile "$T/only/own"
complains "2 entries; a list of elements of 1 was expected" "is told how many"
attributes 'cooperative: true'
sed -i '/^format/a needs: {compute: 9.0, exact: true}' "$O/scenario.yaml"
exits 0 "a story for one compute capability" check --no-evidence --no-compile --for h200 "$T/only/own"
exits 1 "checked for a later one" check --no-evidence --no-compile --for b200 "$T/only/own"
complains "needs compute capability 9.0 and no later one" "is refused there"
sed -i 's/compute: 9.0, exact/exact/' "$O/scenario.yaml"
exits 1 "exact without a compute capability" check --no-evidence --no-compile "$T/only/own"
complains "'exact' without 'compute'" "says what it needs"

echo "1..$n"
