#!/bin/sh
# warpdrill new --kind: for every cause that a kind can have, a draft that is whole: check finds the marks of what is the author's and nothing else.
set -u
. tests/lib/tap.sh

# of KIND: the causes, as the refusal of one that is none lists them
of() { "$W" new "$T/none/one" --kind "$1" --cause no.such 2>&1 | sed -n 's/.*one of these was expected: //p' | tr -d ,; }

# ---- what is refused ----
exits 2 "a kind that is none" new "$T/p/one" --kind kernels
complains "kernel, pipeline, harness or case was expected" "brings the kinds"
exits 2 "a kernel without its source" new "$T/p/one" --kind kernel
complains "usage: warpdrill new PACK/SCENARIO --from kernel.cu" "says what it needs"
exits 1 "a cause that no benchmark has" new "$T/p/one" --kind harness --cause mem.uncoalesced
complains "bench.invalid-timing, bench.cache-state" "brings those that one has"
exits 2 "a grid without a kernel of one's own" new "$T/p/one" --kind harness --grid 64
exits 2 "a level that is none" new "$T/p/one" --kind case --level 7
exits 2 "a title that is too long" new "$T/p/one" --kind case --title "$(printf '%061d' 0)"
[ ! -e "$T/p" ] && [ ! -e "$T/none" ]
ok "nothing was made so far" $?

# ---- every cause ----
for kind in pipeline harness case; do
    causes=$(of $kind)
    [ "$(echo "$causes" | wc -w)" -ge 6 ]
    ok "a $kind can have six causes or more" $?
    for cause in $causes; do
        rm -rf "$T/p"
        run new "$T/p/one" --kind $kind --cause "$cause" --no-compile
        "$W" check "$T/p" --no-evidence --no-compile --json >"$T/json" 2>"$T/err"
        grep '"rule"' "$T/json" | sort -u >"$T/out"
        [ "$(grep -c . "$T/out")" -eq 1 ] && grep -q unfinished "$T/out" && grep -q "^kind: $kind\$" "$T/p/one/scenario.yaml" &&
            grep -q "^cause: $cause\$" "$T/p/one/a/sealed/answer.yaml"
        ok "$kind, $cause: whole, but for what is its author's" $?
        find "$T/p" -type f | xargs sed -i 's/FILL IN/Done/'
        exits 0 "and nothing is left when the marks are gone" check "$T/p" --no-evidence --no-compile --strict
    done
done

# ---- the taxonomy has no cause of these kinds that is left out ----
of case >"$T/case"
for cause in $(sed -n 's/^| `\(s[a-z]*\.[a-z-]*\)` .*/\1/p' content/FORMAT.md | grep '^sys\.\|^serve\.'); do
    grep -q "\b$cause\b" "$T/case" || echo "$cause"
done >"$T/out"
[ ! -s "$T/out" ]
ok "every cause of systems and servers has a case" $?

# ---- what its author says ----
exits 0 "title and level" new "$T/q/late-sums" --kind harness --title "It's: late" --level 4 --no-compile
grep -q "^title: 'It''s: late'\$" "$T/q/late-sums/scenario.yaml" && grep -q '^level: 4$' "$T/q/late-sums/scenario.yaml" &&
    grep -q '^id: late-sums$' "$T/q/late-sums/scenario.yaml"
ok "are in the files" $?
says "To undo: delete the folder $T/q\\." "and how to undo it is said"
exits 0 "another one beside it" new "$T/q/two-cards" --kind case --cause sys.short-share
says "$T/q/pack.yaml    (one id more)" "in the same pack"
sed -n '/^variants:/,/^$/p' "$T/q/two-cards/sealed/model.yaml" >"$T/out"
[ "$(grep -c . "$T/out")" -eq 2 ] && grep -q '^  a: {short: 1}$' "$T/out" && grep -q '^variants: \[a\]$' "$T/q/two-cards/scenario.yaml"
ok "has one variant of its model" $?
exits 2 "a further variant of it" new "$T/q/two-cards/b" --kind case
complains "by a copy of its folder a" "is said to be a copy"
exits 1 "the same again" new "$T/q/two-cards" --kind case
complains "exists already, and nothing is overwritten" "is refused"

# ---- sources ----
for kind in pipeline harness; do
    for cause in $(of $kind); do "$W" new "$T/c/$kind-${cause#*.}" --kind $kind --cause "$cause" --no-compile >/dev/null 2>&1; done
done
"$W" check "$T/c" --compile --no-evidence --json >"$T/json" 2>"$T/err"
if grep -q '"missing"' "$T/json"; then
    echo "ok $((n += 1)) - every source compiles # SKIP no NVRTC here"
else
    ! grep -E '"rule": "(compiles|kernel-name)"' "$T/json" >"$T/out" && grep -q '"images": [1-9]' "$T/json"
    ok "every source compiles for every architecture" $?
fi
exits 1 "the pack of drafts itself" check scenarios/new/drafts --no-evidence --no-compile
grep 'error\|warning' "$T/err" | grep -v 'FILL IN\|\[unfinished\]' >"$T/out"
[ ! -s "$T/out" ]
ok "has nothing but its marks" $?
echo "1..$n"
