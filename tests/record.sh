#!/bin/sh
# TAP: what record measures, what it leaves, and that evidence of another machine is never overwritten unseen. Machines are fake runners with their own origin.
set -u
. tests/lib/tap.sh
A=000000000000000a B=000000000000000b
on() { # on ORIGIN PLAYS ARGUMENTS...: records on that machine
    origin=$1 plays=$2
    shift 2
    WARPDRILL_FAKE_ORIGIN=$origin timeout 120 "$W" record "$@" --trust --runner "$FAKE $plays" >"$T/out" 2>"$T/err" </dev/null
}
exits() { # exits STATUS WHAT, after a command
    [ "$?" -eq "$1" ]
    ok "$2" $?
}
bare() { # bare FOLDER: two stories of the pack, four variants, without evidence
    mkdir "$1"
    cp -r content/packs/first-principles/plain-copy content/packs/first-principles/transposed-copy "$1"
    sed '/^tasks:/d; s/^scenarios: .*/scenarios: [plain-copy, transposed-copy]/' content/packs/first-principles/pack.yaml >"$1/pack.yaml"
    find "$1" -path '*/evidence/*' -name '*.json' -delete
}
key() { sed -n "s/^ \"$2\": \"\(.*\)\",*\$/\1/p" "$1"; } # key FILE NAME: a text at the top of the file
date_it() { sed -i "s/^ \"recorded\": .*/ \"recorded\": \"$2\",/" "$1"; }
E=sealed/evidence/fake-gpu.json
PLAIN=plain-copy/a/$E

# ---- provenance ----
bare "$T/p"
f=$T/p/$PLAIN
on $A good "$T/p" plain-copy
exits 0 "a variant is recorded"
says "^$f: recorded: all of it" "and its path said"
key "$f" recorded | grep -qE '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$'
ok "with the second, in UTC" $?
[ "$(key "$f" origin)" = $A ] && key "$f" made_by | grep -q '^warpdrill [0-9.]*, runner fake$' && grep -q '"driver": "1.0"' "$f" && grep -q '"nvrtc": "2.0"' "$f"
ok "with origin, runner, driver and NVRTC" $?
key "$f" version | grep -qE '^[0-9a-f]{8}$'
ok "and the version of the scenario" $?
! grep -q -e '"uuid"' -e "$(uname -n)\"" -e "$T" "$f"
ok "without card, host or folder" $?
complains '^3 of [0-9]*: timing of first-principles/plain-copy/a .*(0 of 1 variants done' "progress says n of m and the variants done"

# ---- what is up to date costs nothing ----
cp "$f" "$T/first"
on $A good "$T/p" plain-copy
exits 0 "a second time"
says "^$f: up to date, 20.*Z$" "it is up to date, and that is said"
[ "$(wc -l <"$T/out")" -eq 1 ] && cmp -s "$f" "$T/first"
ok "in one line, the file untouched" $?
! grep -q 'timing of' "$T/err"
ok "and nothing was measured" $?
on $B good "$T/p" plain-copy
says "up to date" "also for another machine with such a GPU"
date_it "$f" 2026-01-01
cp "$f" "$T/dated"
on $A good "$T/p" plain-copy
says "up to date, 2026-01-01" "a date alone is still read"
cp "$T/first" "$f"

# ---- what is missing or stale ----
sed -i 's/fill: uniform(-1, 1)/fill: uniform(-2, 2)/' "$T/p/plain-copy/scenario.yaml"
WARPDRILL_FAKE_ORIGIN=$A timeout 120 "$W" record "$T/p" plain-copy --dry-run --runner "$FAKE good" >"$T/out" 2>"$T/err" </dev/null
exits 0 "a dry run, for which nobody must trust the pack"
says "would measure [0-9]*: [0-9]* of [0-9]* are missing or stale" "says what it would measure"
cmp -s "$f" "$T/first"
ok "and measures nothing" $?
timeout 120 "$W" record "$T/p" plain-copy --dry-run --runner "exit 1;" >"$T/out" 2>"$T/err" </dev/null
exits 1 "a dry run without a GPU"
grep -q "without a GPU, .warpdrill check $T/p --for GPU" "$T/err"
ok "names what needs none" $?
sed -i 's/fill: uniform(-2, 2)/fill: uniform(-1, 1)/' "$T/p/plain-copy/scenario.yaml"
drop_first() { # without the first item
    perl -0pi -e 's/ "items": \[\n  \{.*?\n  \},\n/ "items": [\n/s' "$1"
}
drop_first "$f"
date_it "$f" 2026-01-01T00:00:00Z
cp "$f" "$T/less"
on $A good "$T/p" plain-copy
exits 0 "an item that is missing is measured"
says "recorded: 1 of [0-9]* are missing or stale" "and no other"
[ "$(key "$f" since)" = 2026-01-01T00:00:00Z ] && [ "$(grep -c '"key"' "$f")" -eq "$(grep -c '"key"' "$T/first")" ]
ok "the file says since when, and has all of them" $?
cp "$T/less" "$f"
on $B good "$T/p" plain-copy
exits 0 "on another machine"
says "recorded: all of it, since 1 are missing or stale and the others were recorded on another machine or card; replaces what was recorded on another machine" \
    "everything is measured anew, for one file is of one machine"
[ "$(key "$f" origin)" = $B ] && [ -z "$(key "$f" since)" ]
ok "and the file is of that machine alone" $?
cp "$T/less" "$f"
WARPDRILL_FAKE_DRIVER=9.9 on $A good "$T/p" plain-copy
says "all of it, since 1 are missing or stale and the others were recorded with driver 1.0, here 9.9" "with another driver too"
cp "$T/less" "$f"
sed -i '/"origin"/d' "$f"
on $A good "$T/p" plain-copy
says "when recordings did not yet tell machines apart" "and where the file does not say its machine"
cp "$T/first" "$f"
on $A good "$T/p" plain-copy --again
exits 0 "--again"
says "recorded: all of it, as asked" "measures everything"
on $A good "$T/p" nothing-such
exits 2 "a scenario that is not there is misuse"

# ---- never silently ----
refused() { # refused WHAT
    [ $? -eq 1 ]
    ok "$1: refused" $?
    complains "holds newer evidence, recorded .*Fake GPU, 2.*origin $A" "naming what is there"
    complains "ours (Fake GPU, 20.*origin $B) is kept as .*fake-gpu.json.$B.new.*--replace" "what was measured, where it is kept, and what to do"
    [ "$(key "$f" origin)" = $A ] && [ "$(key "$f.$B.new" origin)" = $B ]
    ok "both are there" $?
}
date_it "$f" 2099-01-01T00:00:00Z
on $B good "$T/p" plain-copy --again
refused "another machine's newer evidence"
on $A good "$T/p" plain-copy
says "up to date" "no reader takes what is kept beside it for evidence"
on $B good "$T/p" plain-copy --again --replace
exits 0 "--replace"
says "replaced as asked" "replaces it and says so"
[ "$(key "$f" origin)" = $B ]
ok "the other's is gone now" $?
sed -i 's/^ "format": 1,/ "format": 2,/' "$f"
cp "$f" "$T/new-format"
on $A good "$T/p" plain-copy
exits 1 "a file of a newer warpdrill"
cmp -s "$f" "$T/new-format"
ok "stays" $?
printf '<<<<<<< HEAD\n' >"$f"
on $A good "$T/p" plain-copy
says "replaces a file that could not be read" "a file that nobody can read is replaced, and that is said"

# ---- two at once on one pack ----
# Holds a recorder in the middle of its variant (the slow fake tells progress) while another one writes.
measuring() { grep -q 'of [0-9]*: ' "$T/slow.err"; }
slowly() { # slowly ORIGIN: in the background
    : >"$T/slow.err"
    WARPDRILL_FAKE_ORIGIN=$1 timeout 120 "$W" record "$T/p" plain-copy --again --trust --runner "$FAKE slow" >"$T/slow.out" 2>"$T/slow.err" </dev/null &
    slow=$!
    await measuring
}
rm -f "$T"/p/plain-copy/a/sealed/evidence/*
slowly $B
on $A good "$T/p" plain-copy
exits 0 "two machines at once: the first one writes"
wait $slow
cp "$T/slow.out" "$T/out"
cp "$T/slow.err" "$T/err"
[ "$(key "$f" origin)" = $A ] && [ "$(key "$f.$B.new" origin)" = $B ]
ok "the second keeps its own beside it: neither is lost" $?
complains "holds newer evidence" "and says so"
rm -f "$T"/p/plain-copy/a/sealed/evidence/*
slowly $A
on $A good "$T/p" plain-copy
perl -0pi -e 's/("key": ")([0-9a-f]{64})/$1 . ("c" x 64)/e' "$f" # the first one's pack was another: an item that ours has not
wait $slow
exits 0 "two recorders of one machine at once"
cp "$T/slow.out" "$T/out"
says "joined with what another recorder wrote meanwhile" "are joined"
grep -q "$(printf 'c%.0s' $(seq 64))" "$f"
ok "and nothing of either is lost" $?

# ---- Ctrl-C ----
rm -rf "$T/p"
bare "$T/p"
all=$(find "$T/p" -name suspect.cu | wc -l) # variants of the pack
: >"$T/slow.err"
WARPDRILL_FAKE_ORIGIN=$A "$W" record "$T/p" --trust --runner "$FAKE slow" >"$T/slow.out" 2>"$T/slow.err" </dev/null &
slow=$!
second() { grep -q "transposed-copy/a.*(1 of $all variants done" "$T/slow.err"; }
await second
kill -INT $slow
wait $slow
[ $? -eq 1 ]
ok "Ctrl-C ends it" $?
cp "$T/slow.out" "$T/out"
cp "$T/slow.err" "$T/err"
complains "stopped: 1 of $all variants are recorded or up to date and stay; the same command goes on with the other $((all - 1))" "and says what stays"
[ "$(find "$T/p" -path '*/evidence/*' -type f | wc -l)" -eq 1 ] && [ -s "$f" ]
ok "the finished variant alone" $?
on $A good "$T/p"
exits 0 "the same command goes on"
[ "$(grep -c ': up to date' "$T/out")" -eq 1 ] && [ "$(grep -c ': recorded' "$T/out")" -eq $((all - 1)) ]
ok "with the others" $?

# ---- a link that dies ----
broken() { # broken AFTER ARGUMENTS...: the link breaks once, after so many requests
    echo "$1" >"$T/break"
    shift
    WARPDRILL_FAKE_BREAK=$T/break on $A "$@"
}
broken 3 good "$T/p" plain-copy --again
exits 0 "a link that dies once"
complains "the link was lost (.*); connecting again" "is made anew, and that is said"
[ ! -e "$T/break" ] && [ "$(grep -c '"key"' "$f")" -eq "$(grep -c '"key"' "$T/first")" ]
ok "and nothing is missing" $?
on $A crashing "$T/p" --again
exits 1 "one that dies again and again"
complains "0 of $all variants are recorded or up to date and stay" "is given up"
cp "$f" "$T/before"
cat >"$T/moved" <<END
#!/bin/sh
[ -e "$T/been" ] && WARPDRILL_FAKE_ORIGIN=$B
: >"$T/been"
export WARPDRILL_FAKE_ORIGIN
exec "$FAKE" good
END
chmod +x "$T/moved"
echo 3 >"$T/break"
WARPDRILL_FAKE_BREAK=$T/break WARPDRILL_FAKE_ORIGIN=$A timeout 120 "$W" record "$T/p" plain-copy --again --trust --runner "$T/moved" >"$T/out" 2>"$T/err" </dev/null
exits 1 "a link that leads to another machine the second time"
complains "another machine or card answers now" "is not used for the same file"
cmp -s "$f" "$T/before"
ok "which stays" $?

# ---- what fails ----
rm -f "$T"/p/plain-copy/a/sealed/evidence/*
WARPDRILL_FAKE_LIVE=fault:a on $A live "$T/p" plain-copy
exits 1 "items that fail"
says "$f: recorded" "spoil no others"
complains "not measured, and so not in the file:" "and are named"
on $A live "$T/p" plain-copy
exits 0 "the next time"
says "recorded: [0-9] of [0-9]* are missing or stale" "they alone are measured"
cp "$f" "$T/before"
WARPDRILL_FAKE_LIVE=fault:a on $A live "$T/p" plain-copy --again
exits 1 "items that fail and that the file has"
complains "stays as it was: [0-9]* items failed now that it has; --replace" "leave the file as it is"
cmp -s "$f" "$T/before"
ok "byte by byte" $?

# ---- a GPU that is stuck ----
rm -f "$T"/p/plain-copy/a/sealed/evidence/*
WARPDRILL_FAKE_LIVE=stuck:once on $A live "$T/p" plain-copy
exits 0 "a GPU that is stuck once"
complains "the GPU was stuck in an old measurement" "is described again, and that is said"
[ "$(grep -c '"key"' "$f")" -eq "$(grep -c '"key"' "$T/before")" ]
ok "and what was refused meanwhile is measured" $?
cp "$f" "$T/before"
WARPDRILL_FAKE_LIVE=stuck:ever on $A live "$T/p" plain-copy --again
exits 1 "one that stays stuck"
complains "the GPU is stuck in an old measurement.*0 of 1 variants are recorded or up to date and stay" "ends it"
[ "$(grep -c '^[0-9]* of [0-9]*: ' "$T/err")" -eq 1 ] && cmp -s "$f" "$T/before"
ok "at once, with the file as it was" $?

# ---- out of another copy ----
merge() { timeout 60 "$W" record "$T/p" --from "$@" >"$T/out" 2>"$T/err" </dev/null; }
rm -rf "$T/p"
bare "$T/p"
bare "$T/there"
on $A good "$T/there"
merge "$T/there" --dry-run
exits 0 "a dry run of a merge"
[ "$(grep -c 'would be taken: there was none' "$T/out")" -eq "$all" ] && [ -z "$(find "$T/p" -path '*/evidence/*' -type f)" ]
ok "says what would be taken, and takes nothing" $?
merge "$T/there"
exits 0 "a merge"
[ "$(grep -c ': taken: there was none of this GPU here (Fake GPU, 20.*, origin' "$T/out")" -eq "$all" ] && cmp -s "$f" "$T/there/$PLAIN"
ok "takes what is not there yet, byte by byte, and says so for each file" $?
merge "$T/there"
[ "$(grep -c ': the same here$' "$T/out")" -eq "$all" ]
ok "a second time all are the same" $?
date_it "$T/there/$PLAIN" 2099-01-01T00:00:00Z
merge "$T/there" plain-copy
says "plain-copy/a/.*taken in place of an older one" "a newer one replaces an older one"
date_it "$T/there/$PLAIN" 2020-01-01
cp "$f" "$T/before"
merge "$T/there"
says "plain-copy/a/.*ours stays, it is not older" "an older one never a newer one"
cmp -s "$f" "$T/before"
ok "it is as it was" $?
merge "$T/there" --replace
says "taken in place of one that is not older, as asked" "unless --replace asks for it"
sed 's/fake-gpu/other-gpu/' "$f" >"$T/there/plain-copy/a/sealed/evidence/other-gpu.json"
merge "$T/there"
[ -s "$T/p/plain-copy/a/sealed/evidence/other-gpu.json" ] && [ -s "$f" ]
ok "another GPU's stands beside it" $?
mv "$T/there/plain-copy/a/sealed/evidence/other-gpu.json" "$T/there/plain-copy/a/sealed/evidence/third-gpu.json"
drop_first "$T/there/transposed-copy/a/$E"
sed -i 's/^ "format": 1,/ "format": 7,/' "$T/there/transposed-copy/b/$E"
mkdir -p "$T/there/unknown/a/sealed/evidence"
cp "$f" "$T/there/unknown/a/sealed/evidence/fake-gpu.json"
cp "$T/p/transposed-copy/a/$E" "$T/before"
merge "$T/there"
exits 1 "what does not belong"
says "third-gpu.json: does not belong here: its GPU is other-gpu, which its name does not say" "a name that says another GPU"
says "transposed-copy/a/.*does not belong here: not recorded on Fake GPU, or stale" "a key that this pack does not ask, or misses"
says "transposed-copy/b/.*does not belong here: recorded evidence of format 7" "another format"
says "unknown/a/.*first-principles has no such scenario" "an unknown scenario"
[ ! -e "$T/p/unknown" ] && cmp -s "$T/p/transposed-copy/a/$E" "$T/before"
ok "and nothing of it is taken" $?
merge "$T/nowhere"
exits 1 "a folder that is not there"

# ---- drills ----
mkdir -p "$T/content/packs"
cp -r content/drills content/tables "$T/content/"
rm -rf "$T/content/drills/measured/evidence"
export WARPDRILL_CONTENT="$T/content/packs"
on $A whole drills --seeds 0..1
exits 0 "drills are recorded"
f=$T/content/drills/measured/evidence/fake-gpu.json
[ "$(key "$f" origin)" = $A ]
ok "with their origin" $?
cp "$f" "$T/first"
on $A whole drills --seeds 0..1
says "up to date" "a second time nothing is measured"
cmp -s "$f" "$T/first"
ok "nor written" $?
date_it "$f" 2099-01-01T00:00:00Z
on $B whole drills --seeds 0..1 --again
exits 1 "another machine's newer ones"
complains "holds newer evidence" "are not overwritten"
echo "1..$n"
