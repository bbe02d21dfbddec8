#!/bin/sh
# On a GPU: for every shipped variant that was recorded, the fix and the best as a person's text are right and as fast as the fix; the
# suspect is right, or refused where it is wrong; a text that does nothing is refused. Variants a come first, so that a run that is cut
# has seen every story. RUNNER names another runner, PLAYED a database in which all were played, ONLY parts of the ids that are wanted, SIDES what is
# handed in (fix best suspect nothing), PACKS another folder of packs. TAP.
set -u
. tests/lib/tap.sh
. tests/gpu/watched.sh
: "${RUNNER:=$BUILD/warpdrill-runner}" "${ONLY:=}" "${PLAYED:=}" "${SIDES:=fix best suspect nothing}" "${PACKS:=content/packs}"
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state"
"$W" probe first-principles/transposed-copy/a symptom --tier live --runner "$RUNNER" --pack "$PACKS/first-principles" --trust >"$T/out" 2>"$T/err" </dev/null ||
    skip "no GPU: $(tail -n 1 "$T/err")"
[ -z "$PLAYED" ] || cp "$PLAYED" "$T/p.db"

wanted() { # wanted ID
    [ -n "$ONLY" ] || return 0
    for part in $ONLY; do
        case $1 in *"$part"*) return 0 ;; esac
    done
    return 1
}
sealed() { # sealed ID FILE: of the variant, or of its story
    for folder in "$1" "${1%/*}"; do
        [ -e "$PACKS/$folder/sealed/$2" ] && echo "$PACKS/$folder/sealed/$2" && return
    done
}
text_of() { # text_of ID SIDE: into $T/text; 1: there is none
    case $2 in
    suspect) launches=suspect source=$PACKS/$1/suspect.cu ;;
    nothing) sed 's/^    .*//' "$PACKS/$1/suspect.cu" >"$T/text" && return ;;
    *) launches=$2 source=$(sealed "$1" "$2.cu") ;;
    esac
    [ -n "$source" ] && { echo "// launches: $launches"; cat "$source"; } >"$T/text"
}
judge() { # judge ID SIDE
    share=$(printf %s "$line" | sed -n 's/.*"against_target":{[^}]*"value":\([0-9.]*\).*/\1/p') done=$(field done)
    case $2:$is:$done in fix:right:true | best:right:true | suspect:right:* | suspect:[a-z]*:false | nothing:[a-z]*:false) right=0 ;; *) right=1 ;; esac
    [ "$is" != "not judged" ] || right=1
    ok "$1, the $2: $is, ${share:-no} times the target's time ($took): $(why)" $right
}
for suspect in "$PACKS"/*/*/a/suspect.cu "$PACKS"/*/*/[!a]/suspect.cu; do
    id=$(dirname "${suspect#"$PACKS"/}")
    wanted "$id" || continue
    [ -n "$PLAYED" ] || "$FAKES/fake_player" "$PACKS/${id%%/*}" "$id" "$T/p.db" 2>"$T/err" || continue
    for side in $SIDES; do
        text_of "$id" "$side" || continue
        if [ -z "$watch_pid" ]; then
            begin_watch "$id" "$PACKS/${id%%/*}" "$T/text"
        else
            hand_in "$T/text"
        fi || { echo "# $id: $(tail -n 1 "$T/err")"; break; }
        judge "$id" "$side"
    done
    end_watch
done
echo "1..$n"
