#!/bin/sh
# `check` compiles by default where it can, says so where it cannot, and --compile and --no-compile mean what they say.
set -u
. tests/lib/tap.sh
export WARPDRILL_CACHE="$T/cache" WARPDRILL_CUDA=/nonexistent/libcuda.so WARPDRILL_NVRTC="$BUILD/tests/fakes/libfakenvrtc.so"
run() { "$W" check "$@" >"$T/out" 2>"$T/err" </dev/null; }
is_quiet() { ! grep -q -e "$1" "$T/out" "$T/err"; ok "$2" $?; }

# ---- a good pack ----
exits 0 "shipped scenarios compile" content/packs/first-principles transposed-copy/a content/packs/hidden-depths fused-rows/a
says "^kernels: [0-9]* images by NVRTC 13.0 for sm_75, sm_90$" "and check says for what"
complains "does not compile for them: sm_100, sm_103, sm_120" "and what this NVRTC does not know"
exits 0 "again, now from the cache" --compile content/packs/first-principles transposed-copy/a --json
says '"nvrtc": "13.0"' "JSON says it too"
exits 0 "--no-compile starts no runner" --no-compile content/packs/first-principles transposed-copy/a --runner "touch $T/started"
[ ! -e "$T/started" ]
ok "as it should" $?
is_quiet "compiled\|kernels:" "and says nothing of it"

# ---- a bad one ----
cp -r content/packs/first-principles "$T/pack"
suspect=$T/pack/transposed-copy/a/suspect.cu
(echo "// fake: refuse"; cat "$suspect") >"$T/new" && mv "$T/new" "$suspect"
exits 1 "a kernel that does not compile fails the check" "$T/pack" transposed-copy
complains "pack/transposed-copy/a/suspect.cu:1:1: error: does not compile for sm_75 to sm_90: refused by the fake \[compiles\]" "at its place"
[ "$(grep -c '\[compiles\]' "$T/err")" -eq 1 ]
ok "once for all architectures" $?
exits 0 "it is no fault of what is not compiled" --no-compile "$T/pack" transposed-copy
exits 0 "nor of other scenarios" "$T/pack" plain-copy

# ---- a kernel to be written ----
task=$T/pack/straight-copy/sealed
spoil() { # spoil FILE LINE: in the copy, with FILE as it is elsewhere
    (echo "$2"; cat "content/packs/first-principles/straight-copy/sealed/$1") >"$task/$1"
}
for file in best.cu reference.cu write.cu; do
    spoil "$file" "// fake: refuse"
    exits 1 "the $file of a task that does not compile" "$T/pack" straight-copy
    complains "straight-copy/sealed/$file:.* error: does not compile for sm_75 to sm_90: .*\[compiles\]" "is told"
    cp "content/packs/first-principles/straight-copy/sealed/$file" "$task/$file"
done
exits 0 "it is no fault of another task" "$T/pack" running-sums

# ---- nothing to compile with ----
export WARPDRILL_NVRTC=/nonexistent/libnvrtc.so
exits 0 "without NVRTC the rest is checked" "$T/pack" transposed-copy/a
complains "warpdrill: kernels were not compiled: .*NVRTC cannot be loaded" "with the reason"
[ "$(grep -c 'not compiled' "$T/err")" -eq 1 ]
ok "told once" $?
exits 1 "--compile demands it" --compile content/packs/first-principles plain-copy/a
exits 0 "a runner that is none" content/packs/first-principles plain-copy/a --runner "sh -c 'exit 3'"
complains "kernels were not compiled: " "is no failure either"
exits 0 "an older runner" content/packs/first-principles plain-copy/a --runner "$BUILD/tests/fakes/fake_runner good"
complains "kernels were not compiled: .*warpdrill-runner of this build" "says what to do"
WARPDRILL_RUNNER="srun touch $T/queued" exits 0 "nobody queues for a compiler" content/packs/first-principles plain-copy/a
[ ! -e "$T/queued" ]
ok "that a GPU's runner would offer" $?
echo "1..$n"
