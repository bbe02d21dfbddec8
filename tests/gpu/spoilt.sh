#!/bin/sh
# On a GPU: each text of tests/gpu/spoilt.txt, saved before one `warpdrill mend` that watches, is refused for its reason and costs one
# try; honest ones between them are right. RUNNER names another runner, PLAYED a database in which row-sums/a was played. TAP.
set -u
. tests/lib/tap.sh
. tests/gpu/watched.sh
: "${RUNNER:=$BUILD/warpdrill-runner}" "${PLAYED:=}"
export XDG_DATA_HOME="$T/data" XDG_STATE_HOME="$T/state"
if [ -n "$PLAYED" ]; then cp "$PLAYED" "$T/p.db"; else "$FAKES/fake_player" tests/packs/good row-sums/a "$T/p.db"; fi

# Each text in a file of its own, beside one that says what is expected.
mkdir "$T/texts"
awk -v folder="$T/texts" '
    /^=== / { n++; file = sprintf("%s/%03d", folder, n); print substr($0, 5) >(file ".what"); printf "%s", above >(file ".cu"); next }
    !n { above = above $0 "\n"; next }
    { print >>(file ".cu") }' tests/gpu/spoilt.txt

begin_watch row-sums/a tests/packs/good "$T/texts/001.cu" || skip "no GPU: $(tail -n 1 "$T/err")"
for what in "$T"/texts/*.what; do
    wanted=$(sed 's/ | .*//' "$what") name=$(sed 's/.* | //' "$what")
    [ "$what" = "$T/texts/001.what" ] || hand_in "${what%.what}.cu" || is="nothing, for it ended"
    case " $wanted " in *" $is "*) right=0 ;; *) right=1 ;; esac
    ok "$name: $is ($took): $(why)" $right
done
echo "1..$n"
