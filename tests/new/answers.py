"""Runs a program on a terminal and types one line at each question ("...: " at the end of what it wrote).

answers.py 'LINE|LINE|...' PROGRAM ARGUMENTS...; exits as the program does, 99 if it asks more often than there are lines.
"""
import os
import pty
import select
import sys

lines = sys.argv[1].split("|")
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
seen = b""
while True:
    ready, _, _ = select.select([fd], [], [], 60)
    if not ready:
        sys.exit("nothing was written for a minute")
    try:
        data = os.read(fd, 4096)
    except OSError:
        data = b""
    if not data:
        break
    sys.stdout.write(data.decode("utf-8", "replace").replace("\r", ""))
    seen += data
    if seen.endswith(b"]: "):
        if not lines:
            os.close(fd)
            os.waitpid(pid, 0)
            sys.exit(99)
        os.write(fd, lines.pop(0).encode() + b"\n")
        seen = b""
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
