"""Rooms against their order. ROOMS: lowest first, from the Makefile; BUILD: where the objects are.

A room may include and call itself and what stands before it, but for strangers: a room for one
person alone knows no interview. Symbols are read from the objects, so a declaration that nobody
includes counts too. The runner is a program of its own: it sees the wire alone.
"""
import collections
import glob
import os
import re
import subprocess

BUILD = os.environ["BUILD"]
ROOMS = os.environ["ROOMS"].split()
RUNNER = "kernels/runner"
MOST_PROTOTYPES = 32  # of a header: more is a room without a door
INTERVIEW = {f"scenarios/{room}" for room in ("interview", "report", "link")}
ALONE = ("drills/", "tui/kit", "tui/app", "tui/practice", "tui/play", "tui/home")
STRANGERS = {room: INTERVIEW for room in ROOMS if room.startswith(ALONE)}

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
PAGE = ("In:", "Out:", "Callers:", "First to open:")  # the first comment of a room's main header
FILE_NAME = re.compile(r"\b(?:\w+/)*\w+\.[ch]\b")
PROTOTYPE = re.compile(r"^[a-z][^;{}#=]*\([^;{}]*\)(?: *__attribute__.*)?;", re.M)


def may_use(room):
    if room == RUNNER:
        return {RUNNER, "kernels/wire"}
    if room == "db":
        return {"db"}
    return set(ROOMS[: ROOMS.index(room) + 1]) - STRANGERS.get(room, set())


def symbols(paths):
    """Object to the names that it defines and those that it needs."""
    found = {path: (set(), set()) for path in paths}
    done = subprocess.run(["nm", "-g", "-A", *paths], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        path, _, rest = line.partition(":")
        word = rest.split()
        if word[-2] == "U":
            found[path][1].add(word[-1])
        elif not word[-1].startswith(("__", "_GLOBAL")):
            found[path][0].add(word[-1])
    return found


class Room:
    def __init__(self, name):
        self.name = name
        self.files = sorted(glob.glob(f"{name}/*.[ch]"))
        self.text = {f: open(f, encoding="utf-8").read() for f in self.files}
        objects = [f"{BUILD}/{f[:-2]}.o" for f in self.files if f.endswith(".c")]
        self.symbols = symbols([o for o in objects if os.path.exists(o)])

    def lines(self):
        return sum(text.count("\n") for text in self.text.values())

    def prototypes(self):
        return {f: len(PROTOTYPE.findall(text)) for f, text in self.text.items() if f.endswith(".h")}


def owners(rooms):
    """Symbol to the object that defines it; the runner's stand apart, since both programs may use a name."""
    owner = {}
    for room in rooms:
        for path, (defined, _) in room.symbols.items():
            for name in defined:
                owner[name] = (room.name, path)
    return owner


def wrong_includes(room):
    may = may_use(room.name)
    for path, text in room.text.items():
        for target in INCLUDE.findall(text):
            if os.path.dirname(target) not in may:
                yield f"{path} includes {target}"


def wrong_calls(room, owner):
    may = may_use(room.name)
    for path, (_, needed) in room.symbols.items():
        for name in sorted(needed):
            if name in owner and owner[name][0] not in may:
                yield f"{path[len(BUILD) + 1:]} uses {name} of {owner[name][0]}"


def circles(room, owner):
    """Sets of objects of one room that reach each other (Tarjan)."""
    edges = {path: {owner[n][1] for n in needed if n in owner and owner[n][0] == room.name and owner[n][1] != path}
             for path, (_, needed) in room.symbols.items()}
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for other in edges[node]:
            if other not in number:
                visit(other)
            if other in stack:
                low[node] = min(low[node], low[other])
        if low[node] == number[node]:
            circle = stack[stack.index(node):]
            del stack[stack.index(node):]
            if len(circle) > 1:
                found.append(sorted(os.path.basename(o)[:-2] for o in circle))

    for node in edges:
        if node not in number:
            visit(node)
    return found


def used_from_outside(room, rooms):
    defined = set().union(*(d for d, _ in room.symbols.values())) if room.symbols else set()
    needed = set()
    for other in rooms:
        if other is not room:
            for _, names in other.symbols.values():
                needed |= names
    return len(defined & needed)


def wide_headers(room):
    for path, n in sorted(room.prototypes().items()):
        if n > MOST_PROTOTYPES:
            yield (f"{path} has {n} prototypes, at most {MOST_PROTOTYPES} were expected: "
                   "split it by who needs what")


def first_comment(text):
    comment = text[:text.find("*/")] if text.startswith("/*") else ""
    return re.sub(r"\s*\n \*\s*", " ", comment)


def wrong_page(room, files):
    """One header says what goes in and out, who calls, where to begin; what it names is there."""
    comments = {f: first_comment(text) for f, text in room.text.items() if f.endswith(".h")}
    pages = sorted(f for f, comment in comments.items() if all(word in comment for word in PAGE))
    if len(pages) != 1:
        yield (f"{room.name}: its page is in {pages or 'no header'}; "
               f"the first comment of one says {' '.join(PAGE)}")
    for page in pages:
        for name in FILE_NAME.findall(comments[page]):
            if name not in files and not any(f.endswith("/" + name) for f in files):
                yield f"{page} names {name}, which is nowhere"


def table(rooms, found):
    print(f"# {'room':24}{'files':>6}{'lines':>8}{'used from outside':>19}{'circles':>9}")
    for room in rooms:
        sizes = "+".join(str(len(c)) for c in found[room.name]) or "0"
        print(f"# {room.name:24}{len(room.files):6}{room.lines():8}{used_from_outside(room, rooms):19}{sizes:>9}")
    print(f"# {'':24}{sum(len(r.files) for r in rooms):6}{sum(r.lines() for r in rooms):8}")


class Tap:
    def __init__(self):
        self.n = 0

    def ok(self, what, complaints):
        self.n += 1
        for line in complaints:
            print("#", line)
        print(f"{'not ok' if complaints else 'ok'} {self.n} - {what}")


def main():
    program = [Room(name) for name in ROOMS]
    runner = Room(RUNNER)
    owner = owners(program)
    runner_owner = {**owner, **owners([runner])}
    found = {room.name: circles(room, owner) for room in program}
    found[RUNNER] = circles(runner, runner_owner)
    tap = Tap()
    files = [f for room in program + [runner] for f in room.files]
    for room in program + [runner]:
        tap.ok(f"{room.name} has one page, and what it names is there",
               list(wrong_page(room, files)))
        tap.ok(f"{room.name} includes only what lies below", list(wrong_includes(room)))
        tap.ok(f"{room.name} calls only what lies below",
               list(wrong_calls(room, runner_owner if room is runner else owner)))
        tap.ok(f"{room.name} has no header without a door", list(wide_headers(room)))
        tap.ok(f"{room.name} has no circle", [" ".join(names) for names in found[room.name]])
    print(f"1..{tap.n}")
    table(program + [runner], found)


main()
