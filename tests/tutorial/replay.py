"""Does what content/TUTORIAL.md says, and compares.

replay.py TUTORIAL.md WARPDRILL FOLDER [--evidence DIR] [--update]

Blocks of the Markdown, by the words after the fence:
  console           lines "$ COMMAND" are run in FOLDER by sh; what follows is what they print, both streams as a terminal shows them.
                    A line "..." stands for any lines. `warpdrill` is WARPDRILL.
  console gpu       not run: it needs a GPU. After `warpdrill record` the recordings of DIR are put where it would have put them;
                    without DIR the replay ends there.
  cuda PATH, yaml PATH, markdown PATH     the whole file, as it is typed
  from PATH (after any word)              lines that stand in that file of the repository, in this order; "..." for any lines
  diff PATH         an edit: lines with "-" go, lines with "+" come, others stay; "@@" parts several places
Speaks TAP. --update puts what was printed into the Markdown, where the old text has no "...".
"""
import os
import re
import shutil
import subprocess
import sys


class Replay:
    def __init__(self, args):
        self.update = "--update" in args
        self.evidence = args[args.index("--evidence") + 1] if "--evidence" in args else None
        self.path, warpdrill, self.folder = args[0], os.path.abspath(args[1]), args[2]
        bin_folder = os.path.join(self.folder, ".bin")
        os.makedirs(bin_folder, exist_ok=True)
        if not os.path.exists(os.path.join(bin_folder, "warpdrill")):
            os.symlink(warpdrill, os.path.join(bin_folder, "warpdrill"))
            os.symlink(os.path.join(os.path.dirname(warpdrill), "warpdrill-runner"), os.path.join(bin_folder, "warpdrill-runner"))
        self.env = dict(os.environ, PATH=os.path.abspath(bin_folder) + ":" + os.environ["PATH"], LC_ALL="C.UTF-8")
        self.n = self.failed = 0

    def ok(self, what, good, detail=""):
        self.n += 1
        self.failed += not good
        print(("ok" if good else "not ok") + f" {self.n} - {what}")
        for line in detail.splitlines() if not good else []:
            print("# " + line)

    # ---- commands ----

    def run(self, command):
        done = subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300)
        return done.stdout.decode("utf-8", "replace")

    def console(self, text):
        out = []
        for part in re.split(r"(?m)^\$ ", text)[1:]:
            command, _, wanted = part.partition("\n")
            got = self.run(command)
            good = matches(wanted, got)
            keep = good or not self.update or "..." in wanted.split("\n")
            if self.update and not good and not keep:
                good = True
            self.ok("$ " + command, good, "printed:\n" + got + "expected:\n" + wanted)
            out.append("$ " + command + "\n" + (wanted if keep else got))
        return "".join(out)

    def gpu(self, text):
        if "$ warpdrill record" not in text or not self.evidence:
            return self.evidence is not None
        for where, _, names in os.walk(self.evidence):
            for name in names if where.endswith("evidence") else []:
                there = os.path.join(self.folder, self.pack, os.path.relpath(where, self.evidence))
                os.makedirs(there, exist_ok=True)
                shutil.copy(os.path.join(where, name), there)
        return True

    # ---- edits ----

    def edit(self, path, text):
        name = os.path.join(self.folder, path)
        with open(name) as f:
            content = f.read()
        for hunk in re.split(r"(?m)^@@.*\n", text):
            lines = hunk.split("\n")[:-1] if hunk.endswith("\n") else hunk.split("\n")
            old = "".join(line[1:] + "\n" for line in lines if line[:1] != "+")
            new = "".join(line[1:] + "\n" for line in lines if line[:1] != "-")
            if not lines:
                continue
            self.ok(f"edit {path}: " + next((line for line in lines if line[:1] in "-+"), ""), content.count(old) == 1,
                    f"the old lines stand {content.count(old)} times in it")
            content = content.replace(old, new, 1)
        with open(name, "w") as f:
            f.write(content)

    def stands(self, path, text):
        with open(path) as f:
            content = f.read()
        parts = [part for part in re.split(r"(?m)^\.\.\.\n", text) if part]
        at = 0
        for part in parts:
            at = content.find(part, at) + len(part) if at >= 0 and part in content[at:] else -1
        self.ok(f"{path} has what is shown of it", at >= 0, text)

    def write(self, path, text):
        name = os.path.join(self.folder, path)
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w") as f:
            f.write(text)

    # ---- the whole ----

    def replay(self):
        with open(self.path) as f:
            doc = f.read()
        self.pack = re.search(r"warpdrill new (\w+)/", doc)[1]
        out, at = [], 0
        for block in re.finditer(r"(?ms)^```(\w+)(?: ([^\n]+))?\n(.*?)^```$", doc):
            kind, argument, text = block[1], block[2], block[3]
            if kind == "console" and argument == "gpu":
                if not self.gpu(text):
                    print(f"# the rest needs recordings: --evidence DIR")
                    break
            elif kind == "console":
                text = self.console(text)
            elif kind == "diff":
                self.edit(argument, text)
            elif argument and argument.startswith("from "):
                self.stands(argument[len("from "):], text)
            elif argument:
                self.write(argument, text)
            out.append(doc[at:block.start(3)] + text)
            at = block.end(3)
        out.append(doc[at:])
        if self.update:
            with open(self.path, "w") as f:
                f.write("".join(out))
        print(f"1..{self.n}")
        return 1 if self.failed else 0


def matches(wanted, got):
    """What the compiler said depends on where it is installed."""
    def lines(text):
        return [line.rstrip() for line in text.split("\n") if not re.match(r"kernels: |warpdrill: not checked, since NVRTC", line)]
    pattern = "\n".join(r"(?s:.*)" if line == "..." else re.escape(line) for line in lines(wanted))
    return re.fullmatch(pattern, "\n".join(lines(got))) is not None


sys.exit(Replay(sys.argv[1:]).replay())
