#!/bin/sh
# On a GPU: for every shipped variant that was recorded, the fix and the best as a person's text are
# right and as fast as the fix; the suspect is right, or refused where it is wrong; a text that does
# nothing is refused. RUNNER names another runner, ONLY a part of the ids. TAP.
set -u
. tests/lib/tap.sh
: "${RUNNER:=$BUILD/warpdrill-runner}" "${ONLY:=}"
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state"
"$W" probe first-principles/transposed-copy/a symptom --tier live --runner "$RUNNER" --trust >"$T/out" 2>"$T/err" </dev/null ||
    skip "no GPU: $(tail -n 1 "$T/err")"

judged() { # judged ID: the file as it lies there
    "$W" mend "$1" --pack content/packs --db "$T/p.db" --folder "$T/mine" --once --json --trust --runner "$RUNNER" >"$T/out" 2>"$T/err" </dev/null
}
sealed() { # sealed ID FILE: of the variant, or of its story
    for folder in "$1" "${1%/*}"; do
        [ -e "content/packs/$folder/sealed/$2" ] && echo "$folder/sealed/$2" && return
    done
}
as_text() { # as_text ID SOURCE WHOSE
    { echo "// launches: $3"; cat "content/packs/$2"; } >"$T/mine/mine.cu"
}
mkdir "$T/mine"
for suspect in content/packs/*/*/*/suspect.cu; do
    id=$(dirname "${suspect#content/packs/}")
    case $id in *"$ONLY"*) ;; *) continue ;; esac
    "$FAKES/fake_player" "content/packs/${id%%/*}" "$id" "$T/p.db" 2>"$T/err" || continue
    for side in fix best; do
        source=$(sealed "$id" "$side.cu")
        [ -n "$source" ] || continue
        as_text "$id" "$source" "$side"
        judged "$id"
        ok "$id: the $side is right and fast enough: $(grep -o '"against_target":{[^}]*}' "$T/out")" $?
    done
    as_text "$id" "$id/suspect.cu" suspect
    judged "$id"
    grep -q '"verdict":"right"\|"verdict":"refused"' "$T/out"
    ok "$id: the suspect is judged: $(grep -o '"gap_closed":[^,]*\|"reason":"[a-z]*"' "$T/out" | tr '\n' ' ')" $?
    sed 's/^    .*//' "content/packs/$id/suspect.cu" >"$T/mine/mine.cu"
    judged "$id"
    grep -q '"verdict":"refused"' "$T/out"
    ok "$id: a text without its work is refused: $(grep -o '"reason":"[a-z]*"' "$T/out")" $?
done
echo "1..$n"
