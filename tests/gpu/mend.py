"""Texts of the shipped packs handed to `warpdrill mend` and `warpdrill write` as a person would hand them in.

    mend.py --build BUILD [--runner R] [--packs DIR] [--played DB] [--only PART]... [--sides fix,best]
            [--lanes N] [--part K/N] [--results DIR] [--table FILE] [--limit S] [--seconds S] [--arch sm_90] [--cold]

For every variant that may be mended: the fix and the best are right and as fast as they are known to be; the suspect is not
done, and right or refused; a text that does nothing is refused. For every kernel to be written: the best has all walls behind
it, and each text of tests/gpu/attempts has as many as its first line says. One process watches for all texts of an id; the
next text is saved as soon as the verdict on the one before is known, so that no metrics are waited for. What has no verdict
after LIMIT seconds was not judged. With --results a verdict is kept in a file, and what is there is not judged again, so that
a run that was cut goes on. A lane is a GPU: lane K sees number K of those that are visible; --part 0/2 takes every second id.
With --table a file gets what is known, a row for each text with its SHA-256 (mend-h200.tsv is such a one), under the lines
that begin with # in it already. With --arch all texts are compiled first on all cores, into the cache that runners share. With --cold
each text is handed in with a comment that nobody has seen, so that it is compiled as after an edit. TAP on stdout; at the end a table.
"""
import argparse, concurrent.futures, hashlib, json, os, pathlib, queue, re, shutil, signal, subprocess, tempfile, threading, time

AHEAD = 3
MARGIN = 0.05  # of the time of a fix or a best, which the same text was measured to have a moment before
ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--build", default=str(ROOT / "build"))
    p.add_argument("--runner")
    p.add_argument("--packs", default=str(ROOT / "content/packs"))
    p.add_argument("--played", help="a database in which all variants were played")
    p.add_argument("--only", action="append", default=[], help="part of an id")
    p.add_argument("--sides", default="fix,best,attempts,suspect,nothing")
    p.add_argument("--lanes", type=int, default=1)
    p.add_argument("--part", default="0/1")
    p.add_argument("--results")
    p.add_argument("--table")
    p.add_argument("--limit", type=float, default=40, help="seconds of one judgement")
    p.add_argument("--seconds", type=float, default=1e9, help="of all: nothing is begun after them")
    p.add_argument("--arch", help="compile all for it first")
    p.add_argument("--cold", action="store_true", help="what is handed in was never compiled")
    a = p.parse_args()
    a.runner = a.runner or a.build + "/warpdrill-runner"
    a.packs = pathlib.Path(a.packs)
    return a


class Item:
    """`within`: of a task, how many times the best's time each wall allows; `walls`: how many are expected behind it."""

    def __init__(self, id, side, text, command="mend", within=(), walls=None):
        self.id, self.side, self.text, self.command, self.within, self.walls = id, side, text, command, within, walls
        self.handed = text
        self.round = 0
        self.name = f"{id}/{side}".replace("/", ".")


# ---- what there is ----

def sealed(packs, id, name):
    """The file of the variant, or of its story."""
    for folder in (id, id.rpartition("/")[0]):
        path = packs / folder / "sealed" / name
        if path.is_file():
            return path
    return None


def text_of(packs, id, side):
    suspect = packs / id / "suspect.cu"
    if side == "suspect":
        return "// launches: suspect\n" + suspect.read_text()
    if side == "nothing":
        return re.sub(r"^    .*\n", "", suspect.read_text(), flags=re.M)
    path = sealed(packs, id, side + ".cu")
    return f"// launches: {side}\n" + path.read_text() if path else None


def variants(a):
    """Those of a first letter come first, so that a run that is cut has seen every story."""
    ids = [str(p.parent.relative_to(a.packs)) for p in a.packs.glob("*/*/?/suspect.cu")]
    ids = [i for i in ids if sealed(a.packs, i, "fix.cu") or sealed(a.packs, i, "best.cu")]
    return sorted(ids, key=lambda i: (i[-1], i))


def tasks(a):
    packs = [o for p in sorted({i.split("/")[0] for i in map(str, (x.parent.name for x in a.packs.glob("*/pack.yaml")))})
             for o in ("--pack", str(a.packs / p))]
    out = subprocess.run([a.build + "/warpdrill", "write", "--json", "--db", a.database, *packs], capture_output=True, text=True,
                         stdin=subprocess.DEVNULL)
    return [t["id"] for t in json.loads(out.stdout)] if out.returncode == 0 else []


def walls_of(a, id):
    text = (a.packs / id / "sealed/write.yaml").read_text()
    return [float(n) for n in re.findall(r"^ *within: ([\d.]+)", text, re.M)]


def wanted(a, id):
    return not a.only or any(part in id for part in a.only)


def items(a):
    sides, out = a.sides.split(","), []
    for id in tasks(a):
        within = walls_of(a, id)
        best = a.packs / id / "sealed/best.cu"
        if "best" in sides and best.is_file():
            out.append(Item(id, "best", "// launches: best\n" + best.read_text(), "write", within, len(within)))
        for path in sorted((ROOT / "tests/gpu/attempts" / id.split("/")[-1]).glob("*.cu")) if "attempts" in sides else []:
            text = path.read_text()
            out.append(Item(id, path.stem, text, "write", within, int(re.match(r"// walls: (\d+)\n", text)[1])))
    seen = set()
    first, rest = [], []  # a text that several variants share is judged with one of them first
    for side in [s for s in ("fix", "best", "suspect", "nothing") if s in sides]:
        for id in variants(a):
            text = text_of(a.packs, id, side)
            if not text:
                continue
            item = Item(id, side, text)
            item.round = int(text in seen)
            (rest if item.round else first).append(item)
            seen.add(text)
    out = [i for i in out + first + rest if wanted(a, i.id)]
    for item in out if a.cold else []:
        item.handed = item.text + f"// {os.urandom(8).hex()}\n"
    return out


# ---- one judgement ----

def command_of(a, item, database, *more):
    return [a.build + "/warpdrill", item.command, item.id, "--pack", str(a.packs / item.id.split("/")[0]), "--db", database, *more]


class Watch:
    """One `warpdrill mend` that watches a file. It begins with an empty one, so that it is ready when its turn comes."""

    def __init__(self, a, item, folder, database, environment):
        folder.mkdir()
        self.file, self.lines, self.last = folder / "mine.cu", queue.Queue(), "it said nothing"
        self.file.write_text("")
        self.process = subprocess.Popen(command_of(a, item, database, "--folder", str(folder), "--trust", "--runner", a.runner),
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True,
                                        env=environment)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def wait(self, pattern, limit):
        """Until it says something of the kind; False where it does not in time, or ends."""
        until = time.monotonic() + limit
        while True:
            try:
                line = self.lines.get(timeout=max(until - time.monotonic(), 0.01))
            except queue.Empty:
                return False
            if line is None:
                return False
            self.last = line.strip() or self.last
            if re.search(pattern, line):
                return True

    def judge(self, text, limit):
        """Is its verdict known?"""
        beside = self.file.with_suffix(".new")
        beside.write_text(text)
        beside.rename(self.file)
        return self.wait(r"what the hardware did|^try \d+: ", limit)

    def end(self):
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def tries(a, item, database):
    """The newest verdict of each text."""
    out = subprocess.run(command_of(a, item, database, "--list", "--json"), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return {t["text"]: t for t in json.loads(out.stdout)["tries"]} if out.returncode == 0 else {}


def ratio(item, v):
    """The time over the known one: that of the same text as the pack's own, timed by turns or a moment before."""
    times = v.get("times") or {}
    known = times.get("best" if item.side == "best" else "fix")
    against = v.get("against_target")
    if item.side == "fix" or item.command == "write":
        return against["value"] if against else None
    mine = times.get("yours")
    return mine["value"] / known["value"] if mine and known else None


def is_done(v):
    return v["verdict"] == "right" and v["against_target"]["low"] <= 1.02


def reached(item, v):
    n = 0
    while v["verdict"] == "right" and n < len(item.within) and v["against_target"]["low"] <= item.within[n]:
        n += 1
    return n


def is_good(item, v):
    is_right, r = v["verdict"] == "right", ratio(item, v)
    if item.command == "write":
        return is_right and reached(item, v) == item.walls
    if item.side in ("fix", "best"):
        return is_right and is_done(v) and r is not None and r <= 1 + MARGIN
    if item.side == "suspect":
        return v["verdict"] in ("right", "refused") and not is_done(v)
    return v["verdict"] == "refused"


def row(item, v):
    number = lambda x, form: format(x, form) if x is not None else "-"
    walls = f"{reached(item, v)} of {len(item.within)} walls" if item.within else "-"
    return [item.id, item.side, v.get("reason") or v["verdict"], number(v.get("gap_closed"), ".3f"), number(ratio(item, v), ".3f"),
            walls, number(v.get("first_seconds"), ".2f"), number(v.get("seconds"), ".2f")]


# ---- all of them ----

class Table:
    def __init__(self):
        self.lock, self.n, self.failed, self.rows, self.sums = threading.Lock(), 0, 0, [], {}

    def add(self, item, v):
        good = is_good(item, v)
        with self.lock:
            self.n += 1
            self.failed += not good
            self.rows.append(row(item, v))
            self.sums[tuple(self.rows[-1])] = hashlib.sha256(item.text.encode()).hexdigest()[:16]
            print(f"{'ok' if good else 'not ok'} {self.n} - {' '.join(self.rows[-1])} {v.get('why', '')[:160]!r}", flush=True)


def write_table(path, table):
    path = pathlib.Path(path)
    kept = [line for line in path.read_text().splitlines() if line.startswith("#")] if path.is_file() else []
    head = "id\tside\tverdict\tgap_closed\ttime_over_known\twalls\tfirst_seconds\tseconds\ttext"
    rows = ["\t".join([*r, table.sums[tuple(r)]]) for r in sorted(table.rows) if r[2] != "not judged"]
    path.write_text("\n".join([*kept, head, *rows]) + "\n")


def compile_all(a, todo, scratch):
    def one(pair):
        at, item = pair
        folder = scratch / f"compile{at}"
        folder.mkdir()
        (folder / "mine.cu").write_text(item.text)
        subprocess.run(command_of(a, item, a.database, "--folder", str(folder), "--runner", a.runner, "--arch", a.arch),
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=a.limit)

    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) - 2)) as pool:
        list(pool.map(one, enumerate(todo)))
    print(f"# {len(todo)} texts compiled in {time.monotonic() - began:.1f} s", flush=True)


def keep(a, item, v):
    if a.results and v["verdict"] != "not judged":
        path = pathlib.Path(a.results) / (item.name + ".json")
        path.with_suffix(".part").write_text(json.dumps({k: x for k, x in v.items() if k != "text"}))
        path.with_suffix(".part").rename(path)


def judge_group(a, watch, group, until):
    """How many texts of one id were handed in; behind one without a verdict another process has to go on."""
    if not watch.wait("is empty", a.limit):
        return len(group)
    for at, item in enumerate(group):
        if time.monotonic() > until:
            return at
        if not watch.judge(item.handed, a.limit):
            return at + 1
    return len(group)


def collect(a, group, database, table, why):
    known = tries(a, group[0], database) if group else {}
    for item in group:
        v = known.get(item.handed) or {"verdict": "not judged", "why": why}
        keep(a, item, v)
        table.add(item, v)


def lane(a, at, left, table, scratch, until):
    database = str(scratch / f"lane{at}.db")
    shutil.copy(a.database, database)
    visible = os.environ.get("CUDA_VISIBLE_DEVICES", ",".join(map(str, range(a.lanes)))).split(",")
    environment = dict(os.environ, CUDA_VISIBLE_DEVICES=visible[at])
    waiting, begun = [], 0                          # begun before their turn, since a start takes longer than a verdict
    while time.monotonic() < until:
        while len(waiting) < AHEAD and not left.empty():
            try:
                group = left.get_nowait()
            except queue.Empty:
                break
            begun += 1
            waiting.append((Watch(a, group[0], scratch / f"lane{at}.{begun}", database, environment), group))
        if not waiting:
            return
        watch, group = waiting.pop(0)
        n = judge_group(a, watch, group, until)
        watch.end()
        collect(a, group[:n], database, table, watch.last)
        if group[n:]:
            left.put(group[n:])
    for watch, group in waiting:
        watch.end()
        left.put(group)


def groups(todo):
    """Texts of the same id beside each other, where they follow within a round."""
    by, out = {}, []
    for item in todo:
        key = (item.id, item.command, item.round)
        if key not in by:
            by[key] = []
            out.append(by[key])
        by[key].append(item)
    return out


def play_all(a, ids):
    for id in ids:
        subprocess.run([a.build + "/tests/fakes/fake_player", str(a.packs / id.split("/")[0]), id, a.database],
                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def main():
    a = arguments()
    until = time.monotonic() + a.seconds
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        scratch = pathlib.Path(scratch)
        a.database = str(scratch / "played.db")
        if a.played:
            shutil.copy(a.played, a.database)
        else:
            play_all(a, [i for i in variants(a) if wanted(a, i)])
        part, of = map(int, a.part.split("/"))
        ids = list(dict.fromkeys(i.id for i in items(a)))[part::of]
        todo, table = [i for i in items(a) if i.id in set(ids)], Table()
        if a.results:
            os.makedirs(a.results, exist_ok=True)
        kept = {i.name: pathlib.Path(a.results) / (i.name + ".json") for i in todo} if a.results else {}
        for item in todo:
            if item.name in kept and kept[item.name].is_file():
                table.add(item, json.loads(kept[item.name].read_text()))
        todo = [i for i in todo if not (i.name in kept and kept[i.name].is_file())]
        if a.arch:
            compile_all(a, todo, scratch)
        left = queue.Queue()
        for group in groups(todo):
            left.put(group)
        lanes = [threading.Thread(target=lane, args=(a, k, left, table, scratch, until)) for k in range(a.lanes)]
        for t in lanes:
            t.start()
        for t in lanes:
            t.join()
    print(f"1..{table.n}")
    print("\n".join("# " + "\t".join(r) for r in sorted(table.rows)))
    if a.table:
        write_table(a.table, table)
    missed = sum(len(group) for group in left.queue)
    print(f"# {table.n} judged, {table.failed} not as they should be, {missed} not reached", flush=True)
    os._exit(table.failed > 0 or missed > 0)        # without waiting for processes that are on their way out


if __name__ == "__main__":
    main()
