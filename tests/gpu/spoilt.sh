#!/bin/sh
# On a GPU: each text of tests/gpu/spoilt.txt, saved before one `warpdrill mend` that watches, is refused for its reason within a
# deadline and costs one try; honest ones between them are right. RUNNER names another runner, PLAYED a database in which row-sums/a
# was played. TAP.
set -u
. tests/lib/tap.sh
: "${RUNNER:=$BUILD/warpdrill-runner}" "${PLAYED:=}"
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state"
if [ -n "$PLAYED" ]; then cp "$PLAYED" "$T/p.db"; else "$FAKES/fake_player" tests/packs/good row-sums/a "$T/p.db"; fi
mkdir "$T/mine" "$T/texts"
mine=$T/mine/mine.cu

# Each text in a file of its own, under the line that says what is expected.
awk -v folder="$T/texts" '
    /^=== / { n++; file = sprintf("%s/%03d", folder, n); print substr($0, 5) >file ".what"; printf "%s", above >file ".cu"; next }
    !n { above = above $0 "\n"; next }
    { print >>(file ".cu") }' tests/gpu/spoilt.txt
lay() { # lay TEXT: whole or not at all; launch lines stand at its top, which is no text twice
    { grep "^// launch" "$1"; grep -v "^// launch" "$1"; } >"$T/beside" && mv "$T/beside" "$mine"
}
verdicts() { grep -c '"verdict"' "$T/out"; }
told() { [ "$(verdicts)" -gt "$1" ]; }

lay "$T/texts/001.cu"
"$W" mend row-sums/a --pack tests/packs/good --db "$T/p.db" --folder "$T/mine" --json --trust --runner "$RUNNER" >"$T/out" 2>"$T/err" </dev/null &
watch=$!
trap 'kill $watch 2>/dev/null; rm -rf "$T"' EXIT
await told 0 || skip "no GPU: $(tail -n 1 "$T/err")"
tries=0
for what in "$T"/texts/*.what; do
    wanted=$(sed 's/ | .*//' "$what") name=$(sed 's/.* | //' "$what") before=$tries
    [ "$name" = "the honest text" ] || { lay "${what%.what}.cu"; await told "$before"; }
    tries=$(verdicts)
    line=$(tail -n 1 "$T/out")
    is=$(printf %s "$line" | sed -n 's/.*"verdict":"\([^"]*\)".*/\1/p') reason=$(printf %s "$line" | sed -n 's/.*"reason":"\([^"]*\)".*/\1/p')
    case " $wanted " in *" ${reason:-$is} "*) right=0 ;; *) right=1 ;; esac
    [ "$name" = "the honest text" ] || [ "$tries" -eq $((before + 1)) ] || right=1
    ok "$name: ${reason:-$is} ($(printf %s "$line" | sed -n 's/.*"first_seconds":\([0-9.]*\).*"seconds":\([0-9.]*\).*/\1 s, \2 s/p')): $(printf %s "$line" | sed -n 's/.*"why":"\([^"]*\)".*/\1/p' | cut -c1-150)" $right
done
echo "1..$n"
