#!/bin/sh
# warpdrill check from outside: what it takes, what it prints, how it exits. TAP.
set -u
. tests/lib/tap.sh
export WARPDRILL_CONTENT="$T/none" XDG_DATA_HOME="$T/data" XDG_DATA_DIRS="$T/none" XDG_STATE_HOME="$T/state" XDG_CACHE_HOME="$T/cache"
run() { "$W" check --no-compile "$@" >"$T/out" 2>"$T/err" </dev/null; }

mkdir "$T/packs"
cp -R tests/packs/good "$T/packs/fine"
cp -R tests/packs/good "$T/packs/poor"
cp -R tests/packs/good "$T/packs/torn"
sed -i 's/^effect: \[2, 20\]/effect: [8, 20]/' "$T/packs/poor/row-sums/a/sealed/answer.yaml"
sed -i 's/^id: example/id: other/' "$T/packs/poor/pack.yaml"
sed -i 's/^level: 2/level: two/' "$T/packs/torn/row-sums/scenario.yaml"

# ---- what it takes ----
exits 0 "a good pack" "$T/packs/fine"
says '^example/row-sums/a  fake-gpu  effect 7  cheapest memory: 3 min (par 8), 93 %$' "and what its evidence shows"
says '^example: 1 story, 2 recordings; 0 errors, ' "and a total"
exits 2 "no pack" "$T/no-such-folder"
exits 2 "no such scenario" "$T/packs/fine" no-such-story
complains "example has no scenario 'no-such-story'; one of these was expected: row-sums" "and says whose, and what it has"
exits 0 "one variant" "$T/packs/fine" row-sums/b
! grep -q row-sums/a "$T/out"
ok "and no other" $?
exits 0 "one story" "$T/packs/fine" row-sums
says '^ 1 \* mem.uncoalesced  *\.  m  m  m  t$' "shows who is told apart by what"
exits 0 "a scenario with its pack's folder in front" "$T/packs/fine/row-sums"
says '^ 1 \* mem.uncoalesced  *\.  m  m  m  t$' "is that story"
here() { ( cd "$1" && shift && "$W" check --no-compile "$@" >"$T/out" 2>"$T/err" </dev/null ); }
here "$T/packs/fine" row-sums
ok "in a pack's folder, a story's name" $?
says '^ 1 \* mem.uncoalesced  *\.  m  m  m  t$' "is that story of it"
here "$T/packs/fine/row-sums" b && grep -q '^example/row-sums/b ' "$T/out" && ! grep -q '^example/row-sums/a ' "$T/out"
ok "in a story's folder, a variant's" $?
here "$T/packs/fine/row-sums/b" . && grep -q '^example/row-sums/b ' "$T/out" && ! grep -q '^example/row-sums/a ' "$T/out"
ok "and the folder itself" $?
here "$T/packs/poor" row-sums
complains '^warpdrill: row-sums/a/sealed/answer.yaml:' "places are told from where one is"
here "$T" .
complains "pack.yaml" "a folder with no pack above it is told what it lacks"
exits 0 "and a variant, with an id" --pack "$T/packs/fine" example/row-sums/b
! grep -q row-sums/a "$T/out"
ok "is that one" $?
exits 2 "a scenario that the pack lacks" "$T/packs/fine/no-such-story"
complains "example has no scenario 'no-such-story'" "is said to be none"
exits 0 "a pack by its id" --pack "$T/packs/fine" example
exits 1 "a folder of packs" "$T/packs"
says '^other: 1 story, 2 recordings; 1 error, ' "counts for each"
exits 1 "a scenario of the second pack" "$T/packs/fine" "$T/packs/poor" row-sums/a
says '^other: 1 story, 1 recording; 1 error, ' "belongs to that one"
says '^example: 1 story, 2 recordings' "and not to the first"
mkdir -p "$T/packs/fine/row-sums/originals"
cp tests/packs/good/pack.yaml "$T/packs/fine/README.md"
printf '#include <cstdio>\r\nint main() {}\n' >"$T/packs/fine/row-sums/originals/found it.cu"
exits 0 "a README and the code as it was found" "$T/packs/fine"
[ ! -s "$T/err" ]
ok "are no matter of it" $?

# ---- what it says ----
exits 1 "an error" "$T/packs/poor"
complains '/poor/row-sums/a/sealed/answer.yaml:34:1: error: on fake-gpu: suspect.time / fix.time is 7; between 8 and 20 was expected \[effect\]$' \
    "has a place, a GPU and a rule"
grep -A 2 '\[effect\]$' "$T/err" | tr '\n' '|' >"$T/out"
says '|effect: \[8, 20\] .*|^|$' "and shows its line"
exits 1 "a pack that is refused" "$T/packs/torn" "$T/packs/fine"
complains "/torn/row-sums/scenario.yaml:6:8: error: 'two'; a level from 0 to 5 was expected \[reader\]$" "is one finding"
says '^example: 1 story, 2 recordings; 0 errors, ' "and the others are checked"
sed -i 's/^level: two/level: 2/' "$T/packs/torn/row-sums/scenario.yaml"
sed -i 's/^    - expect: time.last > time.first$/    - expect: time.last > time.first and gpu.sm_count > 100/' "$T/packs/torn/row-sums/a/sealed/answer.yaml"
sed -e 's/"slug": "fake-gpu"/"slug": "second-gpu"/' -e 's/"sm_count": 132.0/"sm_count": 80.0/' \
    "$T/packs/fine/row-sums/a/sealed/evidence/fake-gpu.json" >"$T/packs/torn/row-sums/a/sealed/evidence/second-gpu.json"
exits 0 "warnings alone" "$T/packs/torn"
complains ': warning: this reading of other-sizes holds on 1 of 2 recorded GPUs' "are said"
exits 1 "and count with --strict" "$T/packs/torn" --strict

# ---- as data ----
exits 1 "--json" "$T/packs/poor" "$T/packs/fine" --json
python3 - "$T/out" >"$T/said" 2>&1 <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert d["format"] == 1 and d["errors"] == 1, d
poor, fine = d["packs"]
assert (poor["pack"], fine["pack"], fine["stories"]) == ("other", "example", 1)
e = [f for f in poor["findings"] if f["grade"] == "error"][0]
assert (e["rule"], e["file"], e["line"], e["col"], e["gpu"]) == ("effect", "row-sums/a/sealed/answer.yaml", 34, 1, "fake-gpu"), e
assert e["scenario"] == "other/row-sums/a" and e["shown"].endswith("\n^") and e["text"].startswith("suspect.time"), e
r = fine["recordings"][0]
assert (r["scenario"], r["cheapest"], r["price"], r["par"], r["reached"]) == ("example/row-sums/a", ["memory"], 3, 8, True), r
assert r["effect"] == 7 and 0.9 < r["belief"] < 1, r
END
ok "is an object with stable keys" $?
[ ! -s "$T/err" ]
ok "and nothing beside it" $?
exits 1 "--json of a pack that is refused" tests/packs --json

# ---- readings out of recordings ----
"$W" record "$T/packs/fine" row-sums/a --suggest >"$T/out" 2>"$T/err"
ok "record --suggest" $?
says '^    - expect: load_sectors_per_request >= 11$' "has a threshold between"
says '^      # here 32; fix 4; variant b 4; 2.9 times from the nearest here; 2.8 times from theirs$' "with what was seen, and the margins"
cp -R "$T/packs/fine" "$T/suggested"
sed -n '/^  memory:$/,/because:/p' "$T/out" | sed -e 1d -e 's/FILL IN: //' >"$T/reading"
sed -i "/^  memory:\$/r $T/reading" "$T/suggested/row-sums/a/sealed/answer.yaml"
grep -q '>= 11$' "$T/suggested/row-sums/a/sealed/answer.yaml" && run "$T/suggested" --strict
ok "and can be pasted" $?
"$W" record content/packs/hosts sixteen-gates/a --suggest >"$T/out" 2>"$T/err"
says '^    - expect: api_time <= 0\.[0-9]* \* step_time$' "shares of a step have one too"
says '^      fact: api-time-of-step-time$' "with a fact of its own"
cp -R content/packs/reported "$T/reported"
"$W" record "$T/reported" roots-at-once/c --suggest >"$T/out" 2>"$T/err"
says '^    - expect: reported_time.last >= [0-9.]* \* reported_time.first$' "and what an experiment changes"
! sed -n '/reported_time/{n;p;}' "$T/out" | grep -q 'fix'
ok "of which no fix is recorded" $?
sed -n '/^  waited:$/,/because:/p' "$T/out" | sed -e 1d -e 's/FILL IN: //' >"$T/reading"
grep -q expect "$T/reading" && sed -i "/^  waited:\$/r $T/reading" "$T/reported/roots-at-once/c/sealed/answer.yaml" &&
    run "$T/reported" roots-at-once/c --no-compile
ok "to be pasted as well" $?
rm -r "$T/suggested/row-sums/a/sealed/evidence"
"$W" record "$T/suggested" row-sums/a --suggest >"$T/out" 2>"$T/err"
[ $? -eq 1 ]
ok "without a recording there is none" $?
complains "row-sums/a has no recording that goes with its code and sizes" "and that is said"

! "$W" record "$T/suggested/row-sums" --suggest >"$T/out" 2>"$T/err"
ok "a scenario in the place of a pack" $?
complains "/suggested/row-sums is no pack, and the folder above it is one; .*/suggested row-sums. was expected" "is told how to name it"

# ---- for a GPU that is not there ----
exits 0 "--for" "$T/packs/fine" row-sums/a --for h200
says '^  sizes  n 8192  matrix 268435456$' "works sizes out"
says '^  memory  268 MB in all, of 150 GB$' "and memory"
says '^  launch  sums of fix.cu: 1024 blocks of 256 threads$' "and launches"
exits 0 "of a step" tests/packs/hosted decoded-steps/b --for h200 --no-evidence
says '^  launch  twice of suspect.cu: 1056 blocks of 256 threads, 2 times$' "those that are alike in one line"
exits 0 "two GPUs as data" "$T/packs/fine" row-sums/a --for t4,a100-40 --json
python3 - "$T/out" >"$T/said" 2>&1 <<'END'
import json, sys
sizes = json.load(open(sys.argv[1]))["packs"][0]["sizes"]
assert [s["gpu"] for s in sizes] == ["tesla-t4", "nvidia-a100-sxm4-40gb"], sizes
s = sizes[0]
assert s["params"]["n"] == 2048 and s["bytes"] == 4 * 2048 * 2049 and s["memory"] == 15843721216, s
assert s["launches"][0] == {"source": "suspect.cu", "kernel": "sums", "grid": [8, 1, 1], "block": [256, 1, 1], "shared": 0}, s
assert s["steps"][0] == {"experiment": "other-sizes", "label": "rows and columns = 1024", "bytes": 4 * 1024 * 1025}, s
END
ok "have keys" $?
cp -R "$T/packs/fine" "$T/large"
sed -i -e 's/^  memory: 2 \* matrix/  memory: 20 GB/' -e 's/^  compute: 7.5/  compute: 8.0/' "$T/large/row-sums/scenario.yaml"
exits 1 "a GPU that is too small" "$T/large" row-sums/a --for a10
complains '/row-sums/scenario.yaml:14:11: error: on nvidia-a10: example/row-sums needs 20.0 GB of GPU memory; a runner takes at most 60 % of' "is said, with its place"
exits 1 "one that is too old" "$T/large" row-sums/a --for t4
complains '/row-sums/scenario.yaml:13:12: error: on tesla-t4: example/row-sums needs compute capability 8.0; this GPU has 7.5' "too"
sed -i 's/^  memory: 20 GB/  memory: 2 * matrix/' "$T/large/row-sums/scenario.yaml"
exits 0 "all GPUs" "$T/large" row-sums/a --for all
says '^example/row-sums/a  for 13 GPUs$' "but those that the story does not claim"
says '^  left out: example/row-sums needs compute capability 8.0: v100, t4$' "which are said once, by names that --for takes"
says '^  sizes  n [0-9]* ([a-z0-9, -]*) to [0-9]* ([a-z0-9, -]*)$' "of sizes that many GPUs differ in the least and the most are told"
says '^  memory  .* in all; the fullest is [a-z0-9-]*, ' "and where memory is fullest"
says '^  launch  sums of fix.cu, best.cu: ' "sources that launch a kernel alike are in one line"
[ "$(wc -l <"$T/out")" -lt 20 ]
ok "and all of it is on one screen" $?
says '^  step    the largest of [0-9]* of other-sizes: ' "of a sweep the largest step"
exits 0 "all variants of a story" "$T/large" row-sums --for all
says '^example/row-sums/a, b  for 13 GPUs$' "are told together"
[ "$(grep -c '^  buffer  in: ' "$T/out")" -eq 1 ]
ok "what is true of all of them once" $?
says '^  launch  a: sums of suspect.cu: ' "and the rest with the variants it is true of"
sed -i 's/^  memory: 2 \* matrix/  memory: 60 GB/' "$T/large/row-sums/scenario.yaml"
exits 1 "several GPUs that are too small" "$T/large" row-sums/a --for a10,l4,a100-80
complains "scenario.yaml:14:11: error: on a10, l4: example/row-sums needs 60.0 GB of GPU memory; .*; other figures on a100-sxm4-80gb \[sizes\]$" "are one finding for a person"
run "$T/large" row-sums/a --for a10,l4,a100-80 --json
[ "$(grep -c '"rule": "sizes"' "$T/out")" -eq 3 ]
ok "and three as data" $?
sed -i 's/^  memory: 60 GB/  memory: 2 * matrix/' "$T/large/row-sums/scenario.yaml"
sed -i 's/^    grid: .*/    grid: [7, n * 12]/' "$T/large/row-sums/scenario.yaml"
exits 1 "a grid that some GPUs cannot have" "$T/large" row-sums/a --for a10,l4
says '^  left out: what it launches cannot be there, as a finding says: l4$' "leaves them out"
says '^example/row-sums/a  for nvidia-a10$' "and tells the others"
exits 2 "one that nobody knows" "$T/packs/fine" --for nvidia-x1
complains "one of these, or parts that one alone has, was expected: .*nvidia-h200" "and says which are known"

# ---- what a draft left ----
cp -R "$T/packs/fine" "$T/drafted"
printf '// FILL IN: one\n// FILL IN: two\n' >>"$T/drafted/row-sums/a/sealed/fix.cu"
exits 1 "a draft" "$T/drafted" --no-evidence
complains 'a/sealed/fix.cu:[0-9]*:4: error: 2 marks FILL IN are left to you, here is the first \[unfinished\]$' "counts its marks, a line a file"
[ "$(grep -c unfinished "$T/err")" -eq 1 ]
ok "and no more" $?
run "$T/drafted" --no-evidence --json
[ "$(grep -c '"rule": "unfinished"' "$T/out")" -eq 2 ]
ok "as data each is there" $?

# ---- in a continuous integration ----
cp -R "$T/packs/fine" "$T/bare"
rm -r "$T"/bare/row-sums/*/sealed/evidence
exits 1 "a pack without recordings" "$T/bare"
exits 0 "passes with --no-evidence" "$T/bare" --no-evidence
sed -i 's/int row = /const int row = /' "$T/large/row-sums/a/suspect.cu"
sed -i 's/memory: 20 GB/memory: 2 * matrix/' "$T/large/row-sums/scenario.yaml"
exits 1 "code that was edited since" "$T/large"
exits 0 "too" "$T/large" --no-evidence
sed -i 's/^level: 2/level: two/' "$T/bare/row-sums/scenario.yaml"
exits 1 "and all else is found" "$T/bare" --no-evidence
mv "$T/bare" "$T/a bare one"
exits 1 "--format sarif" "$T/packs/poor" "$T/a bare one" --format sarif
python3 - "$T/out" "$T" >"$T/said" 2>&1 <<'END'
import json, sys
# What the schema of SARIF 2.1.0 requires of the parts that are written.
log, t = json.load(open(sys.argv[1])), sys.argv[2]
assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
(run,) = log["runs"]
driver = run["tool"]["driver"]
assert driver["name"] == "warpdrill" and run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
ids = [r["id"] for r in driver["rules"]]
assert len(set(ids)) == len(ids)
for r in driver["rules"]:
    assert r["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    assert r["shortDescription"]["text"] and r["help"]["text"]
for r in run["results"]:
    assert driver["rules"][r["ruleIndex"]]["id"] == r["ruleId"] and r["level"] in ("warning", "error") and r["message"]["text"]
    (place,) = r["locations"]
    uri = place["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.startswith("file:///") and " " not in uri, uri
    region = place["physicalLocation"].get("region")
    assert region is None or (region["startLine"] >= 1 and region["startColumn"] >= 1), region
    assert place["logicalLocations"][0]["fullyQualifiedName"]
errors = {r["ruleId"]: r for r in run["results"] if r["level"] == "error"}
assert set(errors) == {"effect", "reader"}, errors.keys()
assert errors["effect"]["message"]["text"].startswith("on fake-gpu: suspect.time / fix.time is 7;")
place = errors["reader"]["locations"][0]["physicalLocation"]
assert place["artifactLocation"]["uri"] == "file://" + t + "/a%20bare%20one/row-sums/scenario.yaml", place
assert place["region"] == {"startLine": 6, "startColumn": 8}, place
END
ok "has the shape that the schema wants, and places" $?
[ ! -s "$T/err" ]
ok "and nothing beside it" $?
exits 0 "no findings" "$T/packs/fine" row-sums/b --format sarif
exits 1 "--format junit" "$T/packs/poor" "$T/a bare one" --format junit
python3 - "$T/out" "$T" >"$T/said" 2>&1 <<'END'
import sys, xml.etree.ElementTree as xml
root, t = xml.parse(sys.argv[1]).getroot(), sys.argv[2]
suites = root.findall("testsuite")
assert root.tag == "testsuites" and len(suites) == 2
for s in suites:
    cases = s.findall("testcase")
    assert int(s.get("tests")) == len(cases)
    assert int(s.get("failures")) == len(s.findall("testcase/failure")), s.attrib
    assert int(s.get("skipped")) == len(s.findall("testcase/skipped")), s.attrib
failed = {c.get("name"): c for c in root.iter("testcase") if c.find("failure") is not None}
assert set(failed) == {"effect", "reader"}, failed
assert failed["reader"].find("failure").text == t + "/a bare one/row-sums/scenario.yaml:6:8"
assert failed["effect"].find("failure").text.endswith(" on fake-gpu")
END
ok "counts its cases, and has the place of each error" $?
exits 0 "no findings" "$T/packs/fine" row-sums/b --format junit
says '<testcase classname="[a-z]*" name="check"/>' "is a case that passed"
exits 2 "no such format" "$T/packs/fine" --format tap
exits 2 "both forms" "$T/packs/fine" --format sarif --json

# ---- a library as a whole ----
library() { "$W" check --library "$@" >"$T/out" 2>"$T/err" </dev/null; }
judges() { # judges STATUS WHAT ARGUMENTS...
    want=$1 what=$2
    shift 2
    library "$@"
    [ $? -eq "$want" ]
    ok "$what" $?
}
judges 0 "--library of two packs" "$T/packs/fine" "$T/packs/poor"
says "^healthy by being the last letter or not  " "has a row for each player"
says '^mem.uncoalesced  *2  *4  *[0-9]' "and one for each hypothesis on offer"
says '^2 stories are too few to hold against the limits; 8 are needed$' "and says that it judges nothing yet"
says '^2 stories, 4 variants; 0 errors, 0 warnings$' "and a total"
mkdir "$T/two" && cp -R "$T/packs/fine" "$T/two/fine"
judges 0 "a pack and a folder of packs" "$T/packs/poor" "$T/two"
says '^2 stories, 4 variants; 0 errors, 0 warnings$' "are judged together"
judges 2 "it takes whole packs" "$T/packs/fine" row-sums
complains "judges whole packs, and 'row-sums' is none" "and says so"
judges 2 "a pack that is there twice" "$T/packs/fine" "$T/packs/poor" "$T/packs/fine/"
complains "^warpdrill: .*/packs/fine and .*/packs/fine/ are both the pack .*; each pack once was expected" "is refused"
judges 2 "and measures nothing" "$T/packs/fine" --live
cp -R tests/packs/good "$T/broken"
sed -i 's/^level: 2/level: two/' "$T/broken/row-sums/scenario.yaml"
judges 1 "a pack that is refused" "$T/broken" "$T/packs/fine"
complains 'broken/row-sums/scenario.yaml:6:8: error: ' "is told, with its place"
! grep -q "who reads no evidence" "$T/out"
ok "and nothing is judged without it" $?

# Nine stories in which the last letter is healthy.
mkdir "$T/many"
for i in 1 2 3 4 5 6 7 8 9; do
    cp -R tests/packs/good "$T/many/p$i"
    sed -i "s/^id: example/id: p$i/" "$T/many/p$i/pack.yaml"
done
judges 1 "what a rule of thumb earns" "$T/many"
complains "^warpdrill: library: error: who plays 'healthy by being the last letter or not' and reads no evidence earns [0-9.]* of the 60 .* \[library-guess\]$" \
    "is an error of the rule library-guess"
complains '^warpdrill: library: warning: lat.low-mlp is on offer in 9 stories and true in none of them (p1/row-sums, ' \
    "what is offered often and never true a warning"
judges 1 "as data" "$T/many" --json
python3 - "$T/out" >"$T/said" 2>&1 <<'END'
import json, sys
d = json.load(open(sys.argv[1]))
assert (d["format"], d["stories"], d["variants"], d["judged"], d["sealed"]) == (1, 9, 18, True, 0), d
g = {x["guesser"]: x for x in d["guessers"]}
assert g["last-letter"]["points"] > 3 and abs(g["last-letter"]["bare"] * 1.5 - g["last-letter"]["points"]) < 1e-6, g
assert g["always"]["always"] and g["last-letter"]["right"] == 9, g
assert {f["rule"] for f in d["findings"]} == {"library-guess", "library-never"}, d["findings"]
assert d["errors"] + d["warnings"] == len(d["findings"])
o = {x["hypothesis"]: x for x in d["offered"]}
assert (o["none.at-limit"]["stories"], o["none.at-limit"]["variants"]) == (9, 18), o
END
ok "with stable keys" $?
echo "1..$n"
