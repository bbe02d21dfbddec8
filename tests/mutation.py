"""Every shipped scenario, broken in one place at a time: does `warpdrill check` find it?

Speaks TAP. The table goes to the diagnostics: what was broken, how often the checker said error, warning or nothing. A mutant counts as
found when the checker says something that it does not say of the scenario as it is. --every N takes each N-th mutant alone."""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ENOUGH = 0.95
BATCH = 30


class Variant:
    """One variant inside a copy of its story: path -> text, relative to the story's folder."""

    def __init__(self, pack, story, name):
        self.pack, self.story, self.name = pack, story, name
        self.files = {}
        root = os.path.join(pack, story)
        for folder, _, names in os.walk(root):
            for n in names:
                path = os.path.join(folder, n)
                with open(path, encoding="utf-8") as f:
                    self.files[os.path.relpath(path, root)] = f.read()

    def path(self, name):
        return f"{self.name}/{name}"

    @property
    def answer(self):
        return self.files[self.path("sealed/answer.yaml")]

    @property
    def scenario(self):
        return self.files["scenario.yaml"]

    @property
    def suspect(self):
        return self.files[self.path("suspect.cu")]

    @property
    def fix_path(self):
        own = self.path("sealed/" + self.fix_name)
        return own if own in self.files else "sealed/" + self.fix_name

    @property
    def fix_name(self):
        return re.search(r"^fix:\s*{?\s*source: ([^\s,}]+)", self.answer, re.M).group(1)

    @property
    def cause(self):
        return re.search(r"^cause: (\S+)", self.answer, re.M).group(1)

    @property
    def hypotheses(self):
        block = re.search(r"^hypotheses:\n((?:  - .*\n|\s*#.*\n)+)", self.scenario, re.M).group(1)
        return re.findall(r"^  - (\S+)", block, re.M)

    @property
    def evidence(self):
        return [p for p in self.files if p.startswith(self.path("sealed/evidence/"))]


def with_file(v, path, text):
    return {**v.files, path: text}


def with_answer(v, text):
    return with_file(v, v.path("sealed/answer.yaml"), text)


def with_scenario(v, text):
    return with_file(v, "scenario.yaml", text)


# ---- what is broken: each yields (label, files); a recording is written as JSON when its mutant is taken ----

def swap_suspect_and_fix(v):
    files = dict(v.files)
    files[v.path("suspect.cu")], files[v.fix_path] = files[v.fix_path], files[v.path("suspect.cu")]
    yield "", files


def fix_mends_nothing(v):
    """The suspect's code in the fix; where only launches are what is wrong, the suspect's launches."""
    if v.files[v.fix_path] != v.suspect:
        yield "", with_file(v, v.path("sealed/" + v.fix_name), v.suspect)
        return
    own = v.files.get(v.path("launches.yaml"), "")
    launches = "  " + own[own.index("launches:"):].rstrip("\n").replace("\n", "\n  ") + "\n" if own else ""
    fix = re.search(r"^fix:\n  source: .*\n((?:  .*\n)*)", v.answer, re.M)
    if fix:
        yield "", with_answer(v, v.answer[:fix.start(1)] + launches + v.answer[fix.end(1):])


def edit_the_suspect(v):
    """Another code than the one that was recorded."""
    yield "", with_file(v, v.path("suspect.cu"), v.suspect.replace("blockIdx.x", "(blockIdx.x + 0)", 1))


def drop_a_probes_evidence(v):
    for path in v.evidence:
        recording = json.loads(v.files[path])
        for probe in sorted({i["part"]["probe"] for i in recording["items"]}):
            kept = {**recording, "items": [i for i in recording["items"] if i["part"]["probe"] != probe]}
            yield probe, with_file(v, path, kept)


def drop_what_settles(v):
    """The readings of every probe in which one settles the cause, or rules the rivals out where the pair is healthy."""
    head, body = v.answer.split("\nreadings:\n", 1)
    blocks = re.split(r"(?m)^(?=  [a-z0-9-]+:\n)", body.split("\n\n", 1)[0] + "\n")
    rest = body.split("\n\n", 1)[1]
    word = re.compile(r"(?:settles|for): \[[^\]]*" + re.escape(v.cause))
    weak = [b for b in blocks if b.strip() and not word.search(b)]
    if len(weak) < len([b for b in blocks if b.strip()]):
        yield "", with_answer(v, head + "\nreadings:\n" + "".join(weak) + "\n" + rest)


def move_the_truth(v):
    """The answer names a rival. What hangs on it (pair, location, effect) is made to fit, so that the reader takes it."""
    for h in v.hypotheses:
        if h == v.cause or "none.at-limit" in (h, v.cause):
            continue
        text = re.sub(r"^cause: .*", f"cause: {h}", v.answer, flags=re.M)
        text = re.sub(r"^contributing: .*\n", "", text, flags=re.M)
        yield h, with_answer(v, text)


def move_what_settles(v):
    """Readings that settle the cause settle a rival instead."""
    for h in v.hypotheses:
        if h != v.cause and h != "none.at-limit":
            text = re.sub(r"settles: \[[^\]]*\]", f"settles: [{h}]", v.answer)
            if text != v.answer:
                yield h, with_answer(v, text)
            return


LEAKS = {
    "mem.uncoalesced": "uncoalesced", "smem.bank-conflict": "bank conflicts", "mem.excess-traffic": "redundant DRAM traffic",
    "lat.low-mlp": "too few loads in flight", "lat.pipeline-broken": "the wait drains the pipeline", "lat.oversync": "needless barrier",
    "corr.race": "a data race", "corr.uninit-stale": "uninitialised shared memory", "corr.bounds-layout": "out of bounds at the tail",
    "mem.width-alignment": "misaligned", "occ.grid-underfill": "the grid is too small", "none.at-limit": "at the hardware limit",
}


def leak(v):
    return LEAKS.get(v.cause, v.cause.split(".")[1].replace("-", " "))


def leak_in_a_comment_of_the_suspect(v):
    at = v.suspect.index("{\n", v.suspect.index("__global__")) + 2
    yield "", with_file(v, v.path("suspect.cu"), v.suspect[:at] + f"    // {leak(v)}\n" + v.suspect[at:])


def leak_in_a_comment_of_the_story(v):
    yield "", with_scenario(v, v.scenario.replace("\nlaunches:", f"\n# variant {v.name}: {leak(v)}\nlaunches:", 1))


def leak_in_the_title(v):
    yield "", with_scenario(v, re.sub(r"^title: .*", f"title: A matter of {leak(v)}", v.scenario, flags=re.M))


def leak_in_the_story(v):
    yield "", with_scenario(v, v.scenario.replace("story: |\n", f"story: |\n  We think of {leak(v)}.\n", 1))


def leak_in_an_answer(v):
    m = re.search(r"^    answer: (.*)$", v.scenario, re.M)
    if m:
        yield "", with_scenario(v, v.scenario[:m.start(1)] + f"It has {leak(v)}." + v.scenario[m.end(1):])


def leak_in_an_identifier(v):
    """A macro that nobody uses: the reader and the recordings do not mind... but the tokens change."""
    name = re.sub(r"\W+", "_", leak(v)).upper()
    yield "", with_file(v, v.path("suspect.cu"), f"#define {name} 1\n" + v.suspect)


def wrong_line(v):
    """The line to be named is one that the fix leaves alone."""
    m = re.search(r"^  text: .*(?:\n    .*)*", v.answer, re.M)
    if not m:
        return
    fix = v.files[v.fix_path].split("\n")
    lines = v.suspect.split("\n")
    at = re.sub(r"^  text: [|>]?[-+]?'?", "", m.group()).split("\n")[0].strip().rstrip("'")
    for line in lines:
        s = line.strip()
        if len(s) > 8 and lines.count(line) == 1 and v.suspect.count(s) == 1 and line in fix and s != at and "//" not in s:
            yield s, with_answer(v, v.answer[:m.start()] + "  text: '" + s.replace("'", "''") + "'" + v.answer[m.end():])
            return


def other_effect(v):
    m = re.search(r"^effect: \[([^,]+), ([^\]]+)\]", v.answer, re.M)
    if not m:  # a suspect that fails has none
        return
    low, high = float(m.group(1)), float(m.group(2))
    if low > 1:
        yield "", with_answer(v, v.answer[:m.start()] + f"effect: [{high * 2:g}, {high * 3:g}]" + v.answer[m.end():])


def turn_a_reading(v):
    """One comparison the other way round: the reading is of a world that was not recorded."""
    body = v.answer.index("\nreadings:")
    end = v.answer.index("\npushbacks:")
    for m in re.finditer(r"    - expect: .*", v.answer[body:end]):
        text = m.group()
        turned = text.replace(">=", "<").replace("<=", ">") if ">=" in text or "<=" in text else \
            text.replace("==", "!=") if "==" in text else text.replace(">", "<=") if ">" in text else text.replace("<", ">=")
        if turned != text and " or " not in text:
            yield text.strip(), with_answer(v, v.answer[:body + m.start()] + turned + v.answer[body + m.end():])


def turn_a_proof(v):
    for m in re.finditer(r"^  - (?:suspect|fix|best|ratio)\S* [<>]=? .*", v.answer, re.M):
        turned = m.group().replace(">", "<") if ">" in m.group() else m.group().replace("<", ">")
        yield m.group().strip(), with_answer(v, v.answer[:m.start()] + turned + v.answer[m.end():])


def wrong_truth(v):
    for m in re.finditer(r"^    truth: (.*)$", v.answer, re.M):
        yield m.group(1), with_answer(v, v.answer[:m.start(1)] + '"10 * (' + m.group(1).strip('"') + ')"' + v.answer[m.end():])


def truth_as_a_mistake(v):
    truths = re.findall(r"^    truth: (.*)$", v.answer, re.M)
    for k, m in enumerate(re.finditer(r"(?s)^    truth: .*?^      - value: ([^\n]*)", v.answer, re.M)):
        truth = re.search(r"truth: (.*)", m.group()).group(1)
        yield truth, with_answer(v, v.answer[:m.start(1)] + truth + v.answer[m.end(1):])


def estimate_after_it_was_shown(v):
    """An estimate of what the opening shows already: the suspect's time."""
    m = re.search(r"^    truth: (.*)\n    working: (.*)$", v.answer, re.M)
    unit = re.search(r"(?s)^estimates:\n  \S+:\n.*?^    unit: (\S+)", v.scenario, re.M)
    if m and unit:
        answer = v.answer[:m.start()] + "    truth: suspect.time\n    working: suspect.time" + v.answer[m.end():]
        files = with_answer(v, answer)
        files["scenario.yaml"] = v.scenario[:unit.start(1)] + "s" + v.scenario[unit.end(1):]
        yield "", files


def accept_everything(v):
    block = re.search(r"^remedies:\n((?:  .*\n)+)", v.scenario, re.M).group(1)
    ids = re.findall(r"^  ([a-z0-9-]+):", block, re.M)
    yield "", with_answer(v, re.sub(r"^remedies: .*", f"remedies: [{', '.join(ids)}]", v.answer, flags=re.M))


def loose_tolerance(v):
    text = re.sub(r"^tolerance: .*(?:\n  .*)*", "tolerance: {relative: 0.5, absolute: 1000000}", v.scenario, flags=re.M)
    yield "", with_scenario(v, text)


def other_time(v):
    """The recorded time of the suspect is that of another run."""
    for path in v.evidence:
        recording = json.loads(v.files[path])
        hit = False
        for i in recording["items"]:
            p = i["part"]
            if p["probe"] == "timing" and p["run"] in ("a", "a/b"):
                for name in ("time", "ratio"):
                    if name in p["metrics"] and "value" in p["metrics"][name]:
                        p["metrics"][name]["value"] *= 40
                        hit = True
        if hit:
            yield "", with_file(v, path, recording)


def no_evidence(v):
    yield "", {p: t for p, t in v.files.items() if p not in v.evidence}


def debrief_of_nothing(v):
    yield "", with_file(v, v.path("sealed/debrief.md"), "It was slow.\n")


MUTATIONS = [swap_suspect_and_fix, fix_mends_nothing, edit_the_suspect, drop_a_probes_evidence, drop_what_settles, move_the_truth,
             move_what_settles, leak_in_a_comment_of_the_suspect, leak_in_a_comment_of_the_story, leak_in_the_title, leak_in_the_story,
             leak_in_an_answer, leak_in_an_identifier, wrong_line, other_effect, turn_a_reading, turn_a_proof, wrong_truth,
             truth_as_a_mistake, estimate_after_it_was_shown, accept_everything, loose_tolerance, other_time, no_evidence, debrief_of_nothing]


# ---- running them ----

def variants(packs):
    for pack in packs:
        with open(os.path.join(pack, "pack.yaml"), encoding="utf-8") as f:
            stories = re.search(r"^scenarios: \[(.*)\]", f.read(), re.M).group(1).split(",")
        for story in map(str.strip, stories):
            for name in sorted(os.listdir(os.path.join(pack, story))):
                folder = os.path.join(pack, story, name)
                is_harness = os.path.exists(os.path.join(folder, "benchmark.yaml"))     # which has no fix
                if os.path.exists(os.path.join(folder, "suspect.cu")) and not is_harness:
                    yield Variant(pack, story, name)


def write(folder, v, pack_id, files):
    root = os.path.join(folder, pack_id)
    for path, text in {**{f"{v.story}/{p}": t for p, t in files.items()},
                       "pack.yaml": f"format: 1\nid: {pack_id}\ntitle: One story\nlicence: MIT\nscenarios: [{v.story}]\n"}.items():
        full = os.path.join(root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        with open(full, "w", encoding="utf-8") as f:
            f.write(text if isinstance(text, str) else json.dumps(text))
    return root


def plain(text, pack_id):
    """What a finding says, without the mutant's own name and without the lines, which a mutation may move."""
    return re.sub(r":\d+(:\d+)?", "", text.replace(pack_id, "PACK"))


def check(program, v, roots):
    """Of this variant in each pack: pack id -> [(grade, rule, text)]"""
    args = [a for root in roots for a in (root, f"{v.story}/{v.name}")]
    done = subprocess.run([program, "check", "--json", "--no-compile", *args], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"Bail out! check ended with {done.returncode}: {done.stderr[-2000:]}")
    found = collections.defaultdict(list)
    for pack in json.loads(done.stdout)["packs"]:
        name = os.path.basename(pack["folder"])
        found[name] += [(f["grade"], f["rule"], plain(f["text"], name)) for f in pack["findings"]]
    return found


def judge(program, v, mutants):
    """Yields (mutation, label, 'error' | 'warning' | 'nothing')."""
    for first in range(0, len(mutants), BATCH):
        batch = mutants[first:first + BATCH]
        with tempfile.TemporaryDirectory() as folder:
            roots = [write(folder, v, "as-it-is", v.files)]
            roots += [write(folder, v, f"m{k}", files) for k, (_, _, files) in enumerate(batch)]
            found = check(program, v, roots)
        known = collections.Counter(found["as-it-is"])
        for k, (name, label, _) in enumerate(batch):
            news = collections.Counter(found[f"m{k}"]) - known
            grades = {g for g, _, _ in news}
            yield name, label, "error" if "error" in grades else "warning" if grades else "nothing"


def main():
    args = argparse.ArgumentParser()
    args.add_argument("program")
    args.add_argument("packs", nargs="+")
    args.add_argument("--every", type=int, default=1)
    args = args.parse_args()
    tally, missed, total, at = collections.defaultdict(collections.Counter), [], 0, 0
    for v in variants(args.packs):
        mutants = []
        for m in MUTATIONS:
            for label, files in m(v):
                if files == v.files:    # suspect and fix may have one text, and differ in launches
                    continue
                at += 1
                if at % args.every == 0:
                    mutants.append((m.__name__.replace("_", " "), label, files))
        for name, label, said in judge(args.program, v, mutants):
            tally[name][said] += 1
            total += 1
            if said == "nothing":
                missed.append(f"{v.story}/{v.name}: {name}{': ' + label if label else ''}")
    print("1..1")
    print(f"# {'what was broken':36} {'error':>6} {'warning':>8} {'nothing':>8}")
    for name, said in tally.items():
        print(f"# {name:36} {said['error'] or '':>6} {said['warning'] or '':>8} {said['nothing'] or '':>8}")
    for m in missed:
        print(f"# not found: {m}")
    share = 1 - len(missed) / max(total, 1)
    print(f"{'ok' if total and share >= ENOUGH else 'not ok'} 1 - the checker finds {total - len(missed)} of {total} mutants ({100 * share:.1f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
