#!/bin/sh
# On a GPU: `warpdrill mend --sanitize` of row-sums/a: nothing is found in a right text, and in each of three wrong ones what is wrong
# with it, by the tool that is for it, at its line. RUNNER names another runner, PLAYED a database in which row-sums/a was played.
# TAP; skips with a reason where there is no GPU, or compute-sanitizer does not serve.
set -u
. tests/lib/tap.sh
: "${RUNNER:=$BUILD/warpdrill-runner}" "${PLAYED:=}"
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state"
if [ -n "$PLAYED" ]; then cp "$PLAYED" "$T/p.db"; else "$FAKES/fake_player" tests/packs/good row-sums/a "$T/p.db"; fi
mkdir "$T/mine"

text() { # text BODY: a warp takes a row, and the body tells what becomes of its sum
    cat >"$T/mine/mine.cu" <<END
// launches: fix
extern "C" __global__ void sums(float *out, const float *in, int n, long long all)
{
    __shared__ float part[256];
    int t = threadIdx.x, row = (blockIdx.x * 256 + t) / 32, lane = t % 32;
    float sum = 0;
    for (int k = lane; row < n && k < n; k += 32)
        sum += in[(size_t)row * n + k];
$1
    for (int d = 16; d; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (lane == 0 && row < n)
        out[row] = sum;
}
END
}
sanitize() { # its exit status
    "$W" mend row-sums/a --pack tests/packs/good --db "$T/p.db" --folder "$T/mine" --trust --runner "$RUNNER" --sanitize >"$T/out" 2>"$T/err" </dev/null
}
finds() { # finds TOOL WORDS WHAT SILENT...: that tool finds something, in line 9, and those that are silent nothing
    tool=$1 words=$2 what=$3
    shift 3
    sanitize
    [ $? -eq 1 ] && grep -q "^$tool: [1-9][0-9]* found; .*$words" "$T/out"
    ok "$what: $(grep "^$tool:" "$T/out" | cut -c1-150)" $?
    grep "^$tool:" "$T/out" | grep -q "mine\.cu:9"
    ok "$what: it is told where" $?
    for silent; do
        grep -q "^$silent: nothing found$" "$T/out"
        ok "$what: $silent finds nothing" $?
    done
}

text '    part[t] = sum; __syncthreads(); sum = part[t];'
sanitize
status=$?
[ "$(grep -c "no figure" "$T/out")" -eq 4 ] && skip "no compute-sanitizer: $(grep "no figure" "$T/out" | head -n 1)"
[ -s "$T/out" ] || skip "no GPU: $(tail -n 1 "$T/err")"
[ $status -eq 0 ] && [ "$(grep -c ': nothing found$' "$T/out")" -eq 4 ]
ok "a right text: four tools find nothing" $?
text '    if (row == 5) sum += out[n + 1024 + lane];'
finds memcheck "[Ii]nvalid.*read" "a read behind the output" racecheck synccheck
text '    part[t] = sum; sum = 0.5f * (sum + part[(t + 32) % 256]);'
finds racecheck "[Rr]ace" "a race in shared memory" memcheck initcheck synccheck
text '    if (row < n) sum += out[row] == 123.f;'
finds initcheck "[Uu]ninitialized.*read" "a read of what nothing wrote" memcheck racecheck synccheck
echo "1..$n"
