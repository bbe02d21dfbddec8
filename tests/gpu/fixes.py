"""compute-sanitizer's four tools on every fix and every best of some packs, each text once.

    fixes.py --runner build/warpdrill-runner --program build/warpdrill [--content content/packs] --only hopper,tiles     TAP on stdout

Requests come from `warpdrill record` as in library.py; the runner then watches runs b and c of each at the story's own size. A tool
that does not end in its share of the time is said and is no failure.
"""
import argparse, json, os, shutil, sys, tempfile

sys.dont_write_bytecode = True
from agreement import Refused, Runner
import library

TOOLS = ("memcheck", "racecheck", "initcheck", "synccheck")


def texts_of(request, run):
    """What the run is made of, so that a fix that variants share is watched once."""
    launches = request["runs"][run]
    sources = {launch["source"]: request["sources"][launch["source"]] for launch in launches if "source" in launch}
    return json.dumps([launches, sources, request.get("define")], sort_keys=True)


def watch(runner, request, run):
    """What each tool found, by its name: a number, or why there is none."""
    items = [{"probe": "sanitize", "runs": [run], "tool": tool} for tool in TOOLS]
    mine = {k: v for k, v in request.items() if k not in ("variants", "id")}
    found = {}
    for part in runner.ask(dict(mine, items=items, deadline_ms=24000)):
        for value in part.get("metrics", {}).values():
            found[TOOLS[part["item"]]] = value.get("value", value.get("missing"))
    return found


def tell(number, name, run, found):
    clean = all(not isinstance(found.get(tool), (int, float)) or found[tool] == 0 for tool in TOOLS)
    ended = [tool for tool in TOOLS if isinstance(found.get(tool), (int, float))]
    more = "".join(f"; {tool}: {found.get(tool, 'no answer')}" for tool in TOOLS if tool not in ended or found[tool] != 0)
    print(f"{'ok' if clean and ended else 'not ok'} {number} - {name} run {run} is clean by {', '.join(ended) or 'nothing'}{more}", flush=True)
    return clean and bool(ended)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", default="build/warpdrill-runner")
    parser.add_argument("--program", default="build/warpdrill")
    parser.add_argument("--content", default="content/packs")
    parser.add_argument("--only", help="parts of names, with commas between")
    options = parser.parse_args()
    options.program, options.all, options.dry = os.path.abspath(options.program), True, False
    count, good, seen = 0, True, set()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(options.content, os.path.join(folder, "packs"))
        try:
            runner, _, requests, why = library.gather(options, folder)
        except (Refused, OSError) as reason:
            print(f"1..0 # SKIP {reason}")
            return 0
        for name, request in requests.items():
            for run in sorted(r for r in request["runs"] if r in "bc"):
                if (text := texts_of(request, run)) in seen:
                    continue
                seen.add(text)
                count += 1
                try:
                    found = watch(runner, request, run)
                except Refused as reason:
                    found = {TOOLS[0]: str(reason)}
                good = tell(count, name, run, found) and good
        runner.close()
    print("".join(f"# {line}\n" for line in why) + f"1..{count}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
