#!/bin/sh
# Sealed packs from outside: what seal and unseal write and refuse, what can be done without the passphrase, and how each fault is told.
set -u
. tests/lib/tap.sh
run() { WARPDRILL_CONTENT="$T/packs" "$W" --db "$T/p.db" "$@" >"$T/out" 2>"$T/err" </dev/null; }
hides() { # hides WHAT: nothing of the answers in what was printed
    ! grep -q -e 'mem\.uncoalesced' -e 'fix\.cu' -e 'rules-out' "$T/out" "$T/err"
    ok "$1" $?
}

mkdir "$T/packs"
cp -r content/packs/first-principles "$T/mine"
P=$T/mine S=$T/packs/first-principles
ID=first-principles/transposed-copy
printf 'correct horse battery\n' >"$T/pass"
printf 'a wrong horse battery\n' >"$T/wrong"
printf 'short\n' >"$T/weak"
OPEN="--passphrase-file $T/pass"
echo x >"$P/.hidden"
echo x >"$P/LICENSE"

# ---- sealing ----
exits 1 "a weak passphrase is refused" seal "$P" --passphrase-file "$T/weak"
complains "at least 12 were expected" "and says what was expected"
exits 1 "without a terminal there is nobody to ask" seal "$P"
complains "passphrase-file FILE or" "and says what else to do"
exits 0 "seal" seal "$P" --out "$S" $OPEN
complains "2 hidden or other files" "what is no part of a pack stays behind, and is told"
[ -f "$S/pack.sealed" ] && [ ! -e "$S/.hidden" ] && [ ! -e "$S/LICENSE" ] && ! find "$S" -name sealed | grep -q .
ok "no sealed folder is left in it" $?
diff -r "$P" content/packs/first-principles | grep -v "^Only in $P: \(.hidden\|LICENSE\)$" | grep -q .
[ $? -ne 0 ]
ok "the pack itself is as it was" $?
! grep -q -a -e uncoalesced -e 'row-serial' "$S/pack.sealed"
ok "no word of the answers can be read" $?
exits 1 "a folder that is there is not written to" seal "$P" --out "$S" $OPEN
exits 1 "nothing is written into the pack itself" seal "$P" --out "$P/inner" $OPEN
complains "would lie in the pack .* itself" "and says so"
exits 1 "nor below one of its folders" seal "$P" --out "$P/transposed-copy/../transposed-copy/inner//" $OPEN
exits 0 "a folder whose name begins as the pack's is another" seal "$P" --out "$P-2" $OPEN
exits 1 "unseal writes into no pack either" unseal "$S" --out "$S/inner" $OPEN
complains "would lie in the pack .* itself" "and says so"
[ -z "$(find "$P" "$S" -name 'inner*')" ]
ok "and nothing was left there" $?
exits 1 "what is sealed is not sealed again" seal "$S" --out "$T/twice" $OPEN
exits 1 "what is open cannot be unsealed" unseal "$P" --out "$T/twice" $OPEN

# ---- without the passphrase ----
exits 0 "list" list
says "sealed$" "shows what is sealed"
hides "and no answer"
exits 0 "list --json" list --json
says '"sealed": true' "too"
exits 0 "check" check "$S"
says "public half alone" "says what it could not look at"
exits 0 "the suspect can be measured" probe "$ID/a" timing --tier live --trust --runner "$FAKE good"
hides "which tells no answer"
exits 1 "a comparison with the reference cannot" probe "$ID/a" verify --tier live --trust --runner "$FAKE good"
complains "open the pack with its passphrase" "and says why"
exits 1 "recorded evidence is sealed" probe "$ID/a" timing
complains "open the pack with its passphrase" "and says so"
exits 1 "grade asks, and there is no terminal" grade "$ID/a" --script /dev/null
exits 1 "record would put evidence in clear beside it" record "$S" --trust --runner "$FAKE good" $OPEN
complains "unseal gives a folder" "and says what to do"
run doctor --runner "$FAKE good" --json
hides "doctor tells no answer"
run doctor --runner "$FAKE good"
says "sealed" "doctor tells that it is sealed"

# ---- with it ----
exits 0 "recorded evidence" probe "$ID/a" timing $OPEN
says "recorded" "is there"
exits 0 "check sees all of it" check "$S" $OPEN
says "[1-9][0-9]* recordings; 0 errors" "recordings too"
printf '%s\n' '{"kind":"bought","body":{"probe":"memory"}}' '{"kind":"believed","body":{"points":{"mem.uncoalesced":100}}}' '{"kind":"committed","body":{}}' >"$T/script"
WARPDRILL_PASSPHRASE_FILE=$T/pass
export WARPDRILL_PASSPHRASE_FILE
run grade "$ID/a" --script "$T/script"
status=$?
unset WARPDRILL_PASSPHRASE_FILE
[ $status -eq 0 ]
ok "grade, with the variable" $?
says "total" "scores"
[ ! -e "$T/p.db" ] && ! find "$S" -name sealed | grep -q .
ok "nothing of it was written anywhere" $?
exits 0 "unseal" unseal "$S" --out "$T/back" $OPEN
diff -r "$T/back" content/packs/first-principles >"$T/out"
ok "brings back every byte" $?
exits 1 "and does not overwrite" unseal "$S" --out "$T/back" $OPEN
echo >>"$S/transposed-copy/a/suspect.cu"
exits 0 "a changed public half can be opened" unseal "$S" --out "$T/changed" $OPEN
complains "transposed-copy/a/suspect.cu was changed" "and is named"

# ---- what went wrong is told ----
fault() { # fault WHAT PATTERN, after $T/bad was made of $S/pack.sealed
    cp "$S/pack.sealed" "$T/kept"
    cp "$T/bad" "$S/pack.sealed"
    exits 1 "$1" unseal "$S" --out "$T/bad-out" $OPEN
    complains "pack.sealed: $2" "and is told: $2"
    [ ! -e "$T/bad-out" ]
    ok "and nothing is written" $?
    cp "$T/kept" "$S/pack.sealed"
}
patch() { # patch OFFSET OCTAL: the sealed file with one byte changed
    cp "$S/pack.sealed" "$T/bad"
    printf "\\$2" | dd of="$T/bad" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
exits 1 "a wrong passphrase" unseal "$S" --out "$T/bad-out" --passphrase-file "$T/wrong"
complains "pack.sealed: the passphrase is wrong" "is told"
size=$(wc -c <"$S/pack.sealed")
head -c $((size - 1)) "$S/pack.sealed" >"$T/bad"
fault "one byte cut off" "it was cut off"
head -c 60 "$S/pack.sealed" >"$T/bad"
fault "a cut header" "it was cut off"
patch $((size - 5)) 1
printf '\001\002\003' | dd of="$T/bad" bs=1 seek=$((size - 9)) conv=notrunc 2>/dev/null
fault "a changed end" "it was damaged or tampered with"
patch 50 377
printf '\000\377' | dd of="$T/bad" bs=1 seek=51 conv=notrunc 2>/dev/null
fault "a changed header" "it was damaged"
patch 16 2
fault "a newer format" "it has format 2"
echo "format: 1" >"$T/bad"
fault "some other file" "this is not a sealed file"
echo "1..$n"
