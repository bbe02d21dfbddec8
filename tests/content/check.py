#!/usr/bin/env python3
"""Checks number tables and cards without the program, in TAP: form, sources, cover of the inventory, every number recomputed.
check.py [--update]   --update rewrites the cards column of inventory.tsv from what the cards say that they teach."""
import glob
import json
import os
import re
import subprocess
import sys

from expected import FACTS, TRAPS, expected, phrases
from quantities import dimension, read_csv, read_quantity, read_table
from sources import problems

HERE = os.path.dirname(os.path.abspath(__file__))
CONTENT = os.path.join(HERE, "..", "..", "content")
COLUMNS = ["id", "topic", "kind", "front", "back", "unit", "tolerance", "choices", "source", "teaches", "note"]
UNITS = {"scn.": 47, "fail.": 8, "dia.": 37}    # of the sources: none may be dropped
TOPICS = set("silicon kernels roofline formats memory inference training collectives pipeline moe cost measurement system".split())
failures = 0
count = 0


def report(name, wrong):
    global failures, count
    count += 1
    failures += bool(wrong)
    print(f"{'not ok' if wrong else 'ok'} {count} - {name}")
    for line in wrong[:40]:
        print("# " + line)


def guarded(read, path, wrong):
    try:
        return read(path)
    except (ValueError, KeyError, UnicodeDecodeError) as error:
        wrong.append(f"{os.path.basename(path)}: {error}")
        return {}


def name_of(path):
    return os.path.basename(path).rsplit(".", 1)[0]


def load():
    wrong = []
    tables = {name_of(p): guarded(read_table, p, wrong) for p in sorted(glob.glob(os.path.join(CONTENT, "tables", "*.csv")))}
    report("tables read", wrong)
    wrong, cards = [], {}
    for path in sorted(glob.glob(os.path.join(CONTENT, "cards", "*.csv"))):
        for row in guarded(read_csv, path, wrong) or []:
            key = f"{name_of(path)}/{row.get('id')}"
            if list(row) != COLUMNS:
                wrong.append(f"{key}: columns {list(row)}")
            elif key in cards:
                wrong.append(f"{key}: twice")
            cards[key] = row
    report("cards read", wrong)
    return tables, cards


def check_tables(T):
    wrong = []
    for name, rows in T.items():
        for key, row in rows.items():
            if not row.get("source"):
                wrong.append(f"{name} {key}: no source")
    for key, r in T["ridge"].items():
        chip, size = T["chips"][r["chip"]], T["formats"][{"fp8": "e4m3", "fp4": "e2m1"}.get(r["format"], r["format"])]["size"]
        pairs = [("peak", chip[r["format"]]), ("bandwidth", chip["bandwidth"]), ("ridge", chip[r["format"]] / chip["bandwidth"]),
                 ("square", 1.5 * size * chip[r["format"]] / chip["bandwidth"]),
                 ("batch", size / 2 * chip[r["format"]] / chip["bandwidth"])]
        wrong += [f"ridge {key}: {column} is {r[column]}, should be {value:.6g}" for column, value in pairs if abs(r[column] / value - 1) > 1e-4]
    for key, f in T["formats"].items():
        if f["exponent"] != "":
            bias = 2 ** (f["exponent"] - 1) - 1
            ieee = key in ("fp32", "tf32", "bf16", "fp16", "e5m2")
            emax = bias if ieee else 2 ** f["exponent"] - 1 - bias
            top = 2 - 2 ** -f["mantissa"] * (2 if key in ("e4m3", "mxfp8") else 1)
            pairs = [("bias", bias), ("emin", 1 - bias), ("emax", emax), ("min_normal", 2.0 ** (1 - bias)),
                     ("eps", 2.0 ** -f["mantissa"]), ("max", top * 2.0 ** emax)]
            wrong += [f"formats {key}: {c} is {f[c]}, should be {v:.10g}" for c, v in pairs if abs(f[c] - v) > 1e-8 * abs(v)]
            if key != "tf32" and f["bits"] != 1 + f["exponent"] + f["mantissa"]:
                wrong.append(f"formats {key}: bits")
        true = f["bits"] + (f["scale_bits"] / f["block"] if f["block"] else 0)
        if key != "tf32" and abs(f["true_bits"] - true) > 1e-9:
            wrong.append(f"formats {key}: true_bits is {f['true_bits']}, should be {true}")
    for key, q in T["quantisation"].items():
        if abs(q["weights_70b"] / (70e9 * q["weight_bits"] / 8) - 1) > 1e-5 or abs(q["bound"] - 16 / q["weight_bits"]) > 1e-3:
            wrong.append(f"quantisation {key}: bytes or bound")
    for key, want in {"gpipe": 3 / 11, "1f1b": 3 / 11, "interleaved": 3 / 19, "zb-h1": 3 / 27, "zb-h2": 0}.items():
        if abs(T["schedules"][key]["p4_m8"] - want) > 1e-6:
            wrong.append(f"schedules {key}: p4_m8 should be {want:.6f}")
    for key, want in {"all-reduce": 2 * 7 / 8, "all-gather": 7 / 8, "reduce-scatter": 7 / 8, "all-to-all": 7 / 8, "broadcast": 1, "reduce": 1}.items():
        if T["collectives"][key]["busbw_8"] != want:
            wrong.append(f"collectives {key}: busbw_8 should be {want}")
    for generation, rate in (("pcie3", 8e9), ("pcie4", 16e9), ("pcie5", 32e9)):
        if abs(T["links"][generation + "-x16"]["rate"] / (rate * 16 * 128 / 130 / 8) - 1) > 1e-4:
            wrong.append(f"links {generation}-x16: rate")
    for key, row in T["links"].items():
        if row["both"] != "" and abs(row["both"] / row["rate"] - 2) > 1e-9:
            wrong.append(f"links {key}: both directions are not twice one")
    rack, one = T["chips"]["gb200-nvl72"], T["chips"]["gb200"]
    wrong += [f"chips gb200-nvl72: {c}" for c in ("memory", "bandwidth", "bf16", "fp8", "fp4", "link", "sms") if abs(rack[c] / one[c] / 72 - 1) > 1e-4]
    shared = T["hierarchy"]
    for key, sms, low, high in (("h100-shared", 132, 1.755e9, 1.98e9), ("b200-shared", 148, 1.85e9, 1.965e9)):
        if abs(shared[key]["rate"] / (sms * 128 * low) - 1) > 1e-4 or abs(shared[key]["rate_high"] / (sms * 128 * high) - 1) > 1e-4:
            wrong.append(f"hierarchy {key}: rate")
    for key in ("h100", "b200"):
        if shared[key + "-hbm"]["rate"] != T["chips"][key]["bandwidth"] or shared[key + "-l2"]["size"] != T["chips"][key]["l2"]:
            wrong.append(f"hierarchy {key}: differs from chips")
    report("derived cells of tables recomputed", wrong)


def check_form(cards):
    wrong = []
    for key, c in cards.items():
        say = lambda what: wrong.append(f"{key}: {what}")
        if not re.fullmatch(r"[a-z0-9-]{1,40}", c["id"]):
            say("id")
        if c["topic"] not in TOPICS:
            say("topic " + c["topic"])
        if not 0 < len(c["front"].encode()) <= 240 or not 0 < len(c["back"].encode()) <= 400:
            say("length of front or back")
        if not c["source"]:
            say("no source")
        hidden = re.findall(r"\{\{(.+?)\}\}", c["front"])
        if (c["kind"] == "cloze") != (len(hidden) > 0):
            say("hidden words")
        if (c["kind"] == "number") != bool(c["unit"] and c["tolerance"]):
            say("unit and tolerance")
        if (c["kind"] == "choice") != bool(c["choices"]):
            say("choices")
        if c["kind"] == "choice":
            choices = c["choices"].split(" | ")
            if c["back"] not in choices or len(set(choices)) != len(choices) or not 3 <= len(choices) <= 6:
                say("choices must be 3 to 6, all different, one of them the back")
        elif c["kind"] == "number":
            try:
                read_quantity(c["back"], c["unit"])
            except ValueError as error:
                say(str(error))
            if not re.fullmatch(r"exact|[0-9.]+%|x[0-9.]+", c["tolerance"]) or dimension(c["unit"]) != c["unit"]:
                say("tolerance or unit")
        elif c["kind"] not in ("cloze", "recall"):
            say("kind " + c["kind"])
    fronts = {}
    for key, c in cards.items():
        if c["front"] in fronts:
            wrong.append(f"{key}: the front of {fronts[c['front']]}")
        fronts[c["front"]] = key
        if "opinion" in c["note"] and c["kind"] != "recall":
            say("opinion, yet graded by the program")
        if any(re.fullmatch(r"[1-9](\.0*)?", choice) for choice in c["choices"].split(" | ")):
            say("a choice that may be taken for a place in the list")
    report("form of cards", wrong)
    report("at least 300 cards, and each kind", [] if len(cards) >= 300 and {c["kind"] for c in cards.values()} ==
           {"cloze", "number", "choice", "recall"} else [f"{len(cards)} cards"])


def check_guessing(cards):
    """Who knows nothing and picks the longest answer, or No where one may say Yes, should not do much better than by chance."""
    longest = chance = yes = asked = 0
    choices = [c for c in cards.values() if c["kind"] == "choice"]
    for c in choices:
        answers = c["choices"].split(" | ")
        most = max(map(len, answers))
        longest += (len(c["back"]) == most) / sum(len(a) == most for a in answers)
        chance += 1 / len(answers)
        if any(re.match("yes\\b", a, re.I) for a in answers):
            asked += 1
            yes += bool(re.match("yes\\b", c["back"], re.I))
    print(f"# the longest answer is right in {longest:.0f} of {len(choices)}, by chance {chance:.0f}; Yes in {yes} of {asked}")
    wrong = [f"the longest answer is right in {longest:.0f} of {len(choices)}"] if longest > 1.1 * chance else []
    wrong += [f"Yes is right in {yes} of {asked}"] if not 0.3 * asked <= yes <= 0.7 * asked else []
    report("answers of choices cannot be guessed by their looks", wrong)


def accepts(card, value):
    """Whether a typed value would be graded as right."""
    back, tolerance = read_quantity(card["back"], card["unit"]), card["tolerance"]
    if tolerance == "exact":
        return abs(value - back) <= 1e-9 * abs(back)
    if tolerance.startswith("x"):
        return back / float(tolerance[1:]) <= value <= back * float(tolerance[1:])
    return abs(value - back) <= float(tolerance[:-1]) / 100 * abs(back) * (1 + 1e-12)


def check_numbers(T, cards):
    wrong = []
    want = {**expected(T), **FACTS}
    numbers = {k for k, c in cards.items() if c["kind"] == "number"}
    wrong += [f"{k}: no independent value in expected.py" for k in sorted(numbers - set(want))]
    wrong += [f"{k}: in expected.py, but no such number card" for k in sorted(set(want) - numbers)]
    for key in sorted(numbers & set(want)):
        c = cards[key]
        back, value, limit = read_quantity(c["back"], c["unit"]), want[key], 1e-9
        if c["tolerance"].endswith("%"):
            limit = min(float(c["tolerance"][:-1]) / 200, 0.01)     # half of what the learner is allowed, at most 1 %
            if key == "profiling/measured-bf16":
                limit = 0.03                                        # a figure in the middle of several runs
        elif c["tolerance"].startswith("x"):
            limit = 0.02
        if abs(back - value) > limit * max(abs(value), 1e-30):
            wrong.append(f"{key}: says {back:.6g}, worked out {value:.6g}")
    report("every number card recomputed", wrong)
    wrong = [f"{key}: takes {slip:.6g} for right" for key, slips in TRAPS.items() for slip in slips if accepts(cards[key], slip)]
    wrong += [f"{key}: refuses its own value" for key in numbers & set(want) if not accepts(cards[key], want[key])]
    report("usual slips lie outside the tolerance, the worked value inside", wrong)
    wrong = []
    for key, figure, value, style in phrases(T):
        text = " ".join(cards[key][c] for c in ("front", "back", "source", "note")) if key in cards else ""
        if figure not in text:
            wrong.append(f"{key}: {figure} does not stand there")
        shown = style % value if "%." in style else f"{value:,.0f}" + style[len(style.rstrip(" GB")):]
        if shown != figure:
            wrong.append(f"{key}: {figure} should be {shown}")
    report("figures in words recomputed", wrong)


def figures_teach():
    """What each figure says that it teaches, as the program reads it."""
    binary = os.environ.get("WARPDRILL_BIN", os.path.join(HERE, "..", "..", "build", "warpdrill"))
    packs = os.path.join(HERE, "..", "..", "content", "packs")
    read = json.loads(subprocess.run([binary, "figure", "--json"], capture_output=True, text=True, check=True,
                                     env={**os.environ, "WARPDRILL_CONTENT": packs}).stdout)
    return {f["id"]: f["teaches"].split() for f in read["figures"]}


def cause_of(variant):
    """Of PACK/STORY/VARIANT, from its answer; None where there is none."""
    try:
        answer = open(os.path.join(CONTENT, "packs", variant, "sealed", "answer.yaml"), encoding="utf-8").read()
    except OSError:
        return None
    return re.search(r"^cause: (\S+)", answer, re.M)[1]


def check_cover(T, cards, update):
    drawn = figures_teach()
    path = os.path.join(HERE, "inventory.tsv")
    taught = {}
    for key, c in cards.items():
        for unit in c["teaches"].split():
            taught.setdefault(unit, []).append("card:" + key)
    wrong, lines, seen = [], [], set()
    for line in open(path, encoding="utf-8"):
        if line.startswith("#"):
            lines.append(line)
            continue
        unit, status, by, *alone = line.rstrip("\n").split("\t")
        seen.add(unit)
        others = [b for b in by.split(" ") if not b.startswith("card:")] if not by.startswith("left out:") else []
        now = " ".join([b for b in others if b] + taught.get(unit, [])) or by
        lines.append("\t".join([unit, status, now, *alone]) + "\n")
        if now != by and not update:
            wrong.append(f"{unit}: inventory.tsv says {by or 'nothing'}; the cards say {now}")
        if not now:
            wrong.append(f"{unit}: taught by nothing")
        wrong += [f"{unit}: no table {b[6:]}" for b in others if b.startswith("table:") and b[6:] not in T]
        staged = [b[5:] for b in others if b.startswith("pack:")]
        wrong += [f"{unit}: {variant} is not {cause}, but {cause_of(variant) or 'nowhere'}"
                  for variant, _, cause in (b.partition("=") for b in staged) if cause != cause_of(variant)]
        if unit.startswith(("scn.", "fail.")) and bool(staged) == bool(alone):
            wrong.append(f"{unit}: a variant teaches it, or the fourth column says why none does")
        wrong += [f"{unit}: {b}?" for b in others if b and not re.fullmatch(r"drills|pack:[a-z/-]+=[a-z.-]+|table:[a-z]+|figure:[a-z/0-9-]+", b)]
        figures = [b[7:] for b in others if b.startswith("figure:")]
        wrong += [f"{unit}: figure {f} does not teach it" for f in figures if unit not in drawn.get(f, ())]
        if unit.startswith("dia.") and not figures:
            wrong.append(f"{unit}: no figure draws it")
        if unit.startswith("drl.") != ("drills" in others):
            wrong.append(f"{unit}: drills teach drl.*")
    for prefix, n in UNITS.items():
        found = sum(unit.startswith(prefix) for unit in seen)
        wrong += [f"{found} units {prefix}*; {n} were expected"] if found != n else []
    wrong += [f"{u}: not in inventory.tsv, taught by {' '.join(taught[u])}" for u in sorted(set(taught) - seen)]
    if update:
        open(path, "w", encoding="utf-8").writelines(lines)
    report(f"all {len(seen)} units of the inventory are taught", wrong)


def main():
    tables, cards = load()
    check_tables(tables)
    check_form(cards)
    check_guessing(cards)
    check_numbers(tables, cards)
    check_cover(tables, cards, "--update" in sys.argv)
    report("every id that tables, cards and drills name stands in SOURCES.md, and no other", problems(CONTENT))
    print(f"1..{count}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
