#!/bin/sh
# TAP: a story on two GPUs from outside: shown, played where two are, recorded there, played from evidence where one is.
set -u
. tests/lib/tap.sh
export XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache" WARPDRILL_CONTENT="$T/packs"
run() { "$W" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }
mkdir "$T/packs"
cp -R tests/packs/ranks "$T/packs/ranks"
P=$T/packs/ranks S=$P/two-ranks ID=ranks/two-ranks
LIVE="--tier live --trust --runner $FAKE"

# ---- what several GPUs do is evidence ----
exits 0 "the source of a variant" probe "$ID/a" source
says 'all_reduce(t, count n / 4, first 0, stream 1)  // sum 1, after: scale$' "ends with its collectives"
says '^ *[0-9]*  copy<<<.*>>>(out, t, rank, n)  // copy, after: sum 4$' "and kernels that know their rank"
exits 0 "of the other variant" probe "$ID/b" source
says 'burn<<<grid 1, block 32, rank 1 alone>>>(t, n)  // late$' "what one GPU does alone"
exits 0 "what is on offer" probe "$ID/a"
says '^ *repeat ' "has experiments of several GPUs"
! grep -q '^ *poison \|^ *sanitizer \|^ *registers ' "$T/out"
ok "and none of one alone" $?

exits 0 "its sizes" check --no-compile --no-evidence --for h200,a100-40 "$P"
says '^ranks/two-ranks/a, b  for 2 GPUs$' "can be checked for GPUs that are not there"
says '^  launch  b: burn of suspect.cu: 1 blocks of 32 threads$' "of all variants together"

# ---- live ----
exits 1 "on one GPU" probe "$ID/a" timing $LIVE\ good
complains "needs 2 equal GPUs of one host, 1 is here: it is played from recorded evidence" "it says what is lacking"
export WARPDRILL_FAKE_GPUS=2
exits 0 "on two" probe "$ID/b" timing $LIVE\ good
says '^  GPU 0$' "there are rows of the first"
says '^  GPU 1$' "and of the second"
says '^ *1  late  *0  *1.00 µs  *1.00 µs' "which alone is late"
says 'exposed communication' "and how much communication nothing hides"

# ---- what a library calls its kernels ----
export WARPDRILL_CONTENT=content/packs
for how in "" --json; do
    exits 0 "the timing of a recording $how" probe two-cards/shared-gradients/c timing $how
    ! grep -q nccl "$T/out"
    ok "names labels alone" $?
done
exits 0 "its resources" probe two-cards/shared-gradients/c resources --json
! grep -q back_wide "$T/out"
ok "name the label too" $?
export WARPDRILL_CONTENT="$T/packs"

# ---- links ----
exits 0 "the links between two" links --runner "$FAKE good"
says '0 to 1  *direct  *200 GB/s  *160 GB/s  *2.00 µs' "are told for each pair"
says '1 to 0  *staged  *25.0 GB/s  *20.0 GB/s' "both ways, and through the host"
says '^  GPU 1  *50.0 GB/s  *45.0 GB/s' "and to pinned memory"
says '10.0 µs + bytes / (250 GB/s), off by 4 %' "with alpha and beta of a sum"
exits 0 "as JSON" links --json --runner "$FAKE good"
says '"alpha": *1.*e-0*5' "with the same figures"
exits 1 "of more GPUs than there are" links 3 --runner "$FAKE good"
complains "fewer GPUs here" "is refused"
exits 2 "of one" links 1 --runner "$FAKE good"
complains "no number of GPUs from 2 to 8" "is misuse"
exits 0 "doctor where nobody measured them" doctor --runner "$FAKE good"
says '"warpdrill links" measures them' "says how"

# ---- recording ----
exits 0 "record on two" record "$P" --trust --runner "$FAKE good"
grep -q '"gpus"' "$S/a/sealed/evidence/fake-gpu.json"
ok "says how many there were" $?
grep -q '"beta": 250000000000.0' "$S/a/sealed/evidence/fake-gpu.json"
ok "and what their links reach" $?
run check --no-compile "$P"
! grep -q 'evidence-' "$T/err"
ok "leaves nothing that is missing" $?
unset WARPDRILL_FAKE_GPUS
exits 1 "links of one GPU" links --runner "$FAKE good"
complains "cannot measure links" "are not to be had"
exits 0 "then one GPU will do" probe "$ID/b" timing
says '^  GPU 1$' "from evidence"
sed -i 's/rank: 1/rank: 0/' "$S/b/launches.yaml"
run check --no-compile "$P"
complains "$S/b/.*\[evidence-stale\]" "evidence of another rank is stale"
sed -i 's/rank: 0/rank: 2/' "$S/b/launches.yaml"
exits 1 "a rank that is not there" check --no-compile --no-evidence "$P"
complains "b/launches.yaml:3:.*a rank below the story's gpus" "is said where it stands"
sed -i 's/rank: 2/rank: 1/' "$S/b/launches.yaml"
sed -i 's|first: 3 \* n / 4, count: n / 4|first: n, count: n / 4|' "$S/a/launches.yaml"
exits 1 "a collective behind its buffer" check --no-compile --no-evidence --for h200 "$P"
complains "a/launches.yaml:7:.*all_reduce of t cannot be" "too"

echo "1..$n"
