#!/bin/sh
# The commands from outside: what they print, how they exit, and that nothing before a debrief tells the cause.
set -u
. tests/lib/tap.sh
run() { "$W" --pack "$T/packs" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }

# Content of one pack, since each run reads what there is.
mkdir "$T/packs"
cp -r content/packs/first-principles "$T/packs/first-principles"
cp -r content/tables content/drills content/cards content/figures content/rubrics "$T"
export WARPDRILL_CONTENT="$T/packs"
find "$T/packs" -path '*/evidence/*' -name '*.json' -delete
ID=first-principles/transposed-copy

# ---- usage ----
exits 0 "--help" --help
says "warpdrill probe ID .PROBE." "--help names the commands"
exits 0 "--version" --version
undocumented=$(tr -d '\\' < warpdrill.1 > "$T/manual"; "$W" --help | grep -o -e '--[a-z-]*[a-z]' | sort -u |
    while read -r option; do grep -q -e "$option" "$T/manual" || echo "$option"; done)
[ -z "$undocumented" ]; ok "the manual page names every option $undocumented" $?
exits 2 "an unknown command is misuse" dance
exits 2 "an unknown option is misuse" list --loud
exits 2 "too few arguments are misuse" probe
exits 2 "a seed must be a number" list --seed soon
exits 1 "an unknown scenario fails" probe no/such timing
exits 2 "play needs a terminal" play "$ID"
exits 0 "--help of a command" record --help
says "^warpdrill record PACK" "prints its usage"
says "^  --dry-run  *only says" "with its options"
! grep -q -e "warpdrill probe" -e "^  --strict" "$T/out"
ok "and no other's" $?
exits 2 "--help of what is no command is misuse" dance --help
exits 0 "help is a command too" help
says "warpdrill help .COMMAND." "and names itself"
exits 0 "help COMMAND" help host
says "^warpdrill host" "prints the usage of that command"
says "^  --level  *host: of the plan, 0 to 4" "with levels that it takes"
exits 2 "and no other level is taken" host --level 5
exits 2 "help of what is no command is misuse" help dance
exits 2 "deleting without a terminal needs --yes" host --delete 2026-11-21-zzz
complains "--yes" "and says so"
exits 1 "what is not there cannot be deleted" host --delete 2026-11-21-zzz --yes
exits 0 "the line for authorized_keys is printed" host --key-line k7q-abcd-2345
says '^restrict,pty,command="/.* join k7q-abcd-2345" ' "in one piece"
exits 1 "but for no code none" host --key-line 'k7q"; sh'
exits 1 "nor for half a one" host --key-line k7q-abcd
complains "too short" "and says so"
exits 0 "a code as people type it" host --key-line 'K7Q abcd 2345'
says ' join k7q-abcd-2345" ' "is put in form"
exits 2 "an option that a command does not take is refused" restore latest --dry-run
complains "restore takes no --dry-run; usage: warpdrill restore latest" "and named"
exits 2 "the interface takes none of a command" --json
exits 0 "a schedule is placed" figure gpipe --place "f0 b0" --seed 1 --json
says '"refused": "order"' "the rule that it breaks is named"
says '"why": "b0 on stage 0 at 1: needs b0 of stage 1, not placed yet"' "and the block and the stage"
order="f0 f1 f2 f3 f4 f5 f6 f7 b0 b1 b2 b3 b4 b5 b6 b7"
exits 0 "a whole one" figure gpipe --place "$order; $order; $order; $order" --json
says '"best": true' "is graded beside the optimum"
exits 2 "what is no block is misuse" figure gpipe --place "f0 q"
exits 0 "a collective is made" figure ring-steps --place "0a1 1b2; 0a1" --json
says '"refused": "has"' "the rule that it breaks is named"
says '"why": "step 2, a from 0 to 1: rank 1 has 0+1 of it already"' "and the step, ranks and chunk"
exits 0 "a whole one" figure all-to-all --seed 3 --place "0b1 1f2 2g0; 0c2 1d0 2h1" --json
says '"best": true' "is graded beside the least"
exits 2 "what is no send is misuse" figure ring-steps --place "0a"
exits 0 "workloads are placed on a roofline" figure roofline-h100 --place "a 1, e 60" --json
says '"fault": "side"' "what is wrong is named"
says '"why": "e at 60 is left of its ridge, 295; it has 512: compute"' "and what is right"
exits 2 "what is no workload is misuse" figure roofline-h100 --place "z 1"
exits 2 "other figures are not placed" figure gpu/banks --place f0
exits 2 "not filled at once" figure gpipe --place f0 --fill 1
exits 2 "--answer alone is misuse" drill --answer 5
exits 2 "record drills has no dry run" record drills --dry-run
exits 2 "packs have no seeds" record "$T/packs/first-principles" --seeds 1..2
exits 2 "a seed that is too large is misuse" list --seed 99999999999999999999
exits 1 "a drill that is not there cannot be played" play drill:memory/nope
complains "there is no drill 'memory/nope'" "and is named"
exits 1 "a pack cannot be played" play first-principles
complains "is a pack; one of its scenarios was expected: first-principles/plain-copy, " "but its scenarios can"
exits 1 "a script that is not there is no misuse" grade "$ID/a" --script "$T/nope"
complains "cannot read .*nope: No such file" "and says why"
"$W" --help >/dev/full 2>"$T/err"
[ $? = 1 ]
ok "help that nobody can write is a failure" $?
(ulimit -f 0; exec "$W" --help >"$T/limited" 2>/dev/null)
[ $? = 1 ]
ok "as is a file at the account's limit" $?
"$W" drill --seeds 1..200000 2>/dev/null | head -c 1 >"$T/out"
[ -s "$T/out" ]
ok "a run of instances ends with its reader" $?
exits 1 "a folder that was asked for and is not there fails" list --pack "$T/nowhere"
says "$ID" "but what there is is listed"
exits 0 "a listing of what there is" list

# ---- nothing recorded yet ----
exits 1 "check fails without evidence" check "$T/packs/first-principles"
complains "no recorded evidence" "and says so"
exits 0 "the source lies in the pack" probe "$ID/a" source
says "__global__" "and is shown without a recording"
exits 0 "also as JSON" probe "$ID/a" source --json
exits 2 "record of a scenario that is not there is refused before a GPU is looked for" record "$T/packs/first-principles" no-such --runner false
complains "has no scenario 'no-such'" "by its name"
exits 1 "a probe without evidence fails" probe "$ID/a" timing
complains "warpdrill record.*--runner" "and says what to do"
exits 1 "recording without a GPU fails" record "$T/packs/first-principles" --trust --runner "$FAKE no-gpu"
complains "name a machine that has one" "with the remedy"
exits 1 "recording with a lost runner fails" record "$T/packs/first-principles" --trust --runner "$FAKE crashing"
complains "signal 6" "and says what happened"

# ---- recorded ----
exits 0 "record measures every variant" record "$T/packs/first-principles" --trust --runner "$FAKE good"
[ "$(wc -l <"$T/out")" -eq "$(find "$T/packs" -name suspect.cu | wc -l)" ]
ok "one file for each" $?
run check "$T/packs/first-principles" # canned numbers need not agree with the readings, but nothing may be stale
! grep -E 'stale|not recorded|no recorded evidence' "$T/err" >/dev/null
ok "check finds it fresh" $?
says "transposed-copy/a  fake-gpu  effect 7 .*cheapest" "and says what it holds"
exits 0 "record one story again" record "$T/packs/first-principles" transposed-copy/b --again --trust --runner "$FAKE good"
[ "$(wc -l <"$T/out")" -eq 1 ]
ok "that one only" $?
exits 0 "list" list
cp "$T/out" "$T/public"
exits 0 "list --json" list --json
cat "$T/out" >>"$T/public"
says '"id": "first-principles/transposed-copy"' "list --json is JSON with ids"
exits 2 "a story of several variants needs a letter or a seed" probe "$ID" timing
exits 0 "a seed picks one" probe "$ID" timing --seed 3
exits 0 "without a probe there is a list" probe "$ID/a"
says "^  timing  *1  " "of probes with their prices"
says "^  other-sizes  *[1-9]  [A-Z]" "and of experiments, with what they are"
! grep -q -e "^  pair" -e "^  best" "$T/out"
ok "but not of what is not for sale" $?
cat "$T/out" >>"$T/public"
exits 0 "also as JSON" probe "$ID/a" --json
says '"probe": "sanitizer"' "with the standard experiments"
"$W" --pack content/packs --db "$T/p.db" probe "$ID/a" verify >"$T/out" 2>"$T/err" </dev/null
[ "$(sed -n 2p "$T/out")" = "  verdict: right" ]
ok "a comparison begins with the verdict" $?
tail -n 1 "$T/out" | grep -q "control of the comparison, nothing of this kernel: .* would be found wrong" && ! grep -q -e "control: zeros" "$T/out"
ok "and ends with its control, in words" $?
exits 0 "a probe" probe "$ID/a" timing
says "recorded  Fake GPU" "names tier and GPU"
exits 0 "a live probe" probe "$ID/a" timing --tier live --trust --runner "$FAKE noisy"
says "live  Fake GPU" "names its own tier"
for variant in a b c; do
    for probe in symptom timing resources build dram occupancy memory shared stalls pipes verify sass lines other-sizes ask; do
        run probe "$ID/$variant" "$probe" --json || echo "# $probe failed" >>"$T/failed"
        cat "$T/out" "$T/err" >>"$T/public"
        run probe "$ID/$variant" "$probe" && cat "$T/out" >>"$T/public"
    done
done
[ ! -e "$T/failed" ]
ok "every probe of every variant can be had" $?
run doctor --runner "$FAKE good" --json
cat "$T/out" >>"$T/public"
for probe in pair best debrief all; do
    run probe "$ID/a" $probe
    status=$?
    cat "$T/out" "$T/err" >>"$T/public"
    [ $status -ne 0 ] && ! [ -s "$T/out" ]
    ok "$probe is not for sale" $?
done

# ---- nothing leaks ----
sed -n '/^hypotheses:/,/^[a-z]*:$/s/^  - \([a-z]*\.[a-z-]*\)$/\1/p' "$T"/packs/*/*/scenario.yaml | sort -u >"$T/ids"
sed -n 's/^models: *//p' "$T"/packs/*/*/*/sealed/answer.yaml >>"$T/ids"
[ "$(wc -l <"$T/ids")" -gt 8 ]
ok "there are causes to look for" $?
! grep -F -f "$T/ids" "$T/public" >"$T/out"
ok "no cause is named before a debrief" $?
! grep -E '"run": "(b|c|a/b|a/c)"|fix\.cu|best\.cu|sealed/' "$T/public" >"$T/out"
ok "nothing of the fix is shown before a debrief" $?

# ---- stale ----
cp -r "$T/packs" "$T/edited"
suspect=$T/edited/first-principles/transposed-copy/a/suspect.cu
printf '// a remark\n' >>"$suspect"
"$W" check "$T/edited/first-principles" >"$T/out" 2>"$T/err"
! grep -q stale "$T/err"
ok "a comment leaves evidence fresh" $?
printf 'extern "C" __global__ void more(float *out) { *out = 1; }\n' >>"$suspect"
"$W" check "$T/edited/first-principles" >"$T/out" 2>"$T/err"
[ $? -eq 1 ]
ok "an edited suspect makes check fail" $?
complains "transposed-copy/a.*stale" "and names it"


# ---- the pack that is shipped ----
"$W" check content/packs/first-principles >"$T/out" 2>"$T/err"
ok "the shipped pack agrees with its recorded evidence" $?

# ---- grading ----
remedy=$(sed -n '/^remedies:/,/^[a-z]*:$/s/^  \([a-z]*\):.*/\1/p' "$T/packs/first-principles/transposed-copy/scenario.yaml" | head -1)
cat >"$T/script" <<END
{"kind":"believed","body":{"points":{"mem.uncoalesced":60,"none.at-limit":40}}}

{"kind":"bought","body":{"probe":"timing"}}
{"kind":"bought","body":{"probe":"memory"}}
{"kind":"believed","body":{"points":{"mem.uncoalesced":90,"none.at-limit":10}}}
{"kind":"committed","body":{"line":1,"remedy":"$remedy"}}
END
exits 0 "grade" grade "$ID/a" --script "$T/script" --seed 1
says "cause .* of  40" "grade shows the score line by line"
printf '%s\n' '{"kind":"committed","body":{"line":62,"remedy":"once"}}' >"$T/walk"
exits 0 "a line of three that are at fault" grade first-principles/row-means/b --script "$T/walk"
says "location  *5.0 of   5   line 62" "is as good as another"
sed -i 's/62/63/' "$T/walk"
run grade first-principles/row-means/b --script "$T/walk"
says "location  *0.0 of   5   line 54; you said line 63" "and the one behind it is not"
exits 0 "grade --json" grade "$ID/a" --script "$T/script" --seed 1 --json
cp "$T/out" "$T/first"
run grade "$ID/a" --script "$T/script" --seed 1 --json
cmp -s "$T/first" "$T/out"
ok "the same script and seed give the same bytes" $?
[ ! -e "$T/p.db" ]
ok "grading stores nothing" $?
sed 's/"kind":"bought","body":{"probe":"memory"}/"kind":"handed","body":{"probe":"memory"}/' "$T/script" >"$T/script2"
exits 0 "grade takes evidence that the interviewer handed out" grade "$ID/a" --script "$T/script2" --seed 1
says "1 min" "and charges nothing for it"
sed 's/uncoalesced":60/uncoalesced":61/' "$T/script" >"$T/script2"
exits 1 "a refused move fails" grade "$ID/a" --script "$T/script2"
complains "script2:1:" "with the script's line"
sed '$d' "$T/script" >"$T/script2"
exits 1 "a script without a commitment fails" grade "$ID/a" --script "$T/script2"
exits 2 "grade needs a script" grade "$ID/a"
exits 1 "a script that is no file" grade "$ID/a" --script /dev/zero
complains "/dev/zero: not a plain file" "is not read"
head -c 5000000 /dev/zero >"$T/long"
exits 1 "a script whose line never ends" grade "$ID/a" --script "$T/long"
complains "long:1: more than 4 MiB" "is read to the bound"

# ---- doctor ----
exits 0 "doctor without a GPU" doctor --runner "$FAKE no-gpu"
says "no   *runner .*there is no NVIDIA driver" "doctor says what is missing"
"$W" --pack tests/packs/failing --db "$T/p.db" doctor --runner "$FAKE no-gpu" >"$T/out" 2>"$T/err" </dev/null
says "failing  *1 scenario, " "doctor counts one scenario as one"
( # the real runner, on a driver in host memory
    export WARPDRILL_CUDA="$FAKES/libfakecuda.so" WARPDRILL_CUPTI=/none WARPDRILL_NVML=/none WARPDRILL_CACHE="$T/cache"
    run doctor --runner "$BUILD/warpdrill-runner"
)
says "compiler  *opens no file; starts no program, opens no socket" "doctor says which walls the compiler has"
says "worker  *\(reads files, changes\|may read and\)" "doctor says which walls the worker has"
run doctor --runner "$FAKE good"
says "this runner does not say which it has" "doctor says that an older runner does not tell its walls"
( export WARPDRILL_CUDA=/none; run doctor --runner "$BUILD/warpdrill-runner" )
says "ok   NVRTC .*--arch sm_90. compiles for a GPU" "doctor without a GPU says whether it can compile"
says "\(ok   nvdisasm  *\|no   nvdisasm .*as PTX, not as SASS\)" "and whether machine code can be read"
( export WARPDRILL_CUDA=/none WARPDRILL_NVRTC=/none; run doctor --runner "$BUILD/warpdrill-runner" )
says "no   NVRTC  *not there" "or that it cannot"
says "package cuda-nvrtc or the CUDA toolkit" "and where a compiler is to be had"
exits 0 "doctor with a runner that is not there" doctor --runner no-such-runner
says "PATH" "doctor says what would help"
exits 0 "doctor with a greeting" doctor --runner "$FAKE noisy"
says "3 lines came before its hello" "doctor tells of the greeting"
! grep -q "Welcome to gpubox" "$T/out"
ok "but a greeting may name people and hosts, so it is not shown" $?
exits 0 "doctor behind ssh" doctor --runner "ssh -o BatchMode=yes -o ConnectTimeout=1 -o ProxyCommand=false somebody@gpubox.invalid warpdrill-runner"
says "a runner behind ssh" "doctor says how the runner is reached"
! grep -qi "somebody\|gpubox" "$T/out"
ok "doctor names neither host nor user" $?
! LC_ALL=C.UTF-8 grep -qE '^.{101}' "$T/out"
ok "doctor fits 100 columns" $?
exits 0 "doctor --json" doctor --json --runner "$FAKE good"
says '"area": "live"' "doctor --json is JSON"
says '"tier": "computed"' "with a tier for each kind of evidence"
echo "1..$n"
