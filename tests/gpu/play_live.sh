#!/bin/sh
# Plays every variant of the shipped pack live on this machine's GPU: measures everything anew into a copy of the pack, checks
# bands, proofs, readings and correctness verdicts, buys every probe live, and walks the warm-up in a real terminal.
# TAP; skips with a reason where there is no GPU.
set -u
: "${BUILD:?set BUILD to the build folder}"
W=$BUILD/warpdrill R=$BUILD/warpdrill-runner
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
export WARPDRILL_CONTENT="$PWD/content/packs"
export XDG_DATA_HOME="$T/data" XDG_CACHE_HOME="$T/cache" WARPDRILL_RUNNER="$R"
n=0
ok() { n=$((n + 1)); if [ "$2" = 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; [ -f "$T/out" ] && sed 's/^/# /' "$T/out"; fi; }
now() { date +%s%N; }
took() { echo "# $1: $((($(now) - $2) / 1000000)) ms"; }

if ! "$W" probe plain-copy/a resources --tier live > "$T/out" 2>&1; then
    echo "1..0 # SKIP no NVIDIA GPU answers here: $(tail -1 "$T/out")"
    exit 0
fi
cp -R content/packs "$T/packs"
export WARPDRILL_CONTENT="$T/packs"
for p in first-principles hidden-depths; do
    start=$(now)
    "$W" record "$T/packs/$p" --runner "$R" > "$T/out" 2>&1
    ok "$p: every variant is measured" $?
    took "$p: every probe and experiment of all variants, suspect, fix and best" "$start"
    "$W" check "$T/packs/$p" > "$T/out" 2>&1
    ok "$p: bands, proofs, readings and verdicts hold on this GPU" $?
    sed 's/^/# /' "$T/out"
done

for v in plain-copy/a transposed-copy/a transposed-copy/b transposed-copy/c streamed-tiles/a streamed-tiles/b streamed-tiles/c \
         fused-rows/a fused-rows/b fused-rows/c; do
    for p in timing resources build dram occupancy memory shared stalls pipes verify lines sass poison repeat bases fence cache zeros registers ballast; do
        "$W" probe "$v" $p --tier live --json > "$T/out" 2>&1 && grep -q '"tier": *"live"' "$T/out"
        ok "$v: $p, live" $?
    done
done
start=$(now)
"$W" probe fused-rows/c sanitizer --tier live --json > "$T/out" 2>&1 && grep -q '"race_hazards"' "$T/out"
ok "fused-rows/c: sanitizer, live" $?
took "compute-sanitizer's four tools" "$start"

rm -rf "$T/cache/warpdrill/kernels"
start=$(now)
"$W" probe transposed-copy/b memory --tier live > "$T/out" 2>&1
ok "evidence with nothing compiled" $?
took "runner started, compiled, measured, shown" "$start"
start=$(now)
"$W" probe transposed-copy/b memory --tier live > "$T/out" 2>&1
ok "evidence with the compile cache" $?
took "runner started, measured, shown" "$start"

if command -v tmux > /dev/null; then
    S="warpdrill-live-$$"
    see() { # waits until the screen shows the text
        i=0
        until tmux capture-pane -t "$S" -p 2>/dev/null > "$T/out" && grep -q "$1" "$T/out"; do
            i=$((i + 1)); [ $i -lt 4000 ] || return 1; tmux refresh-client -S 2>/dev/null
        done
    }
    tmux new-session -d -s "$S" -x 100 -y 30 "exec '$W' --db '$T/live.db'"
    see ', live'; ok "home names the GPU" $?
    tmux send-keys -t "$S" Enter
    see 'this kernel .* ms'; ok "the symptom is measured live" $?
    tmux send-keys -t "$S" t
    see 'Before you look'; tmux send-keys -t "$S" Enter
    see 'copy rate'; ok "timing is bought live" $?
    tmux send-keys -t "$S" q
    tmux kill-session -t "$S" 2>/dev/null
fi
echo "1..$n"
