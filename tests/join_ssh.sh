#!/bin/sh
# TAP: joining an interview through a real sshd on loopback, with a key that can do nothing but join.
set -u
. tests/lib/tap.sh
. tests/lib/sshd.sh
command -v tmux >/dev/null || skip "tmux is not installed"
SHOWN="$SHOWN $T/host.out"
unset XDG_RUNTIME_DIR TMUX SSH_AUTH_SOCK DISPLAY
TMUX_TMPDIR=$T
export TMUX_TMPDIR
# A session that is killed must not take the server along: the next one would meet it dying.
echo 'set -g exit-empty off' >"$T/tmux.conf"
in_tmux() { tmux -L warpdrill -f "$T/tmux.conf" "$@" 9>&-; } # 9: the host's input, which nobody else may hold
HOST=
AGENT=
stop() {
    in_tmux kill-server 2>/dev/null
    exec 9>&- # the host's input ends, and so does it
    [ -z "$HOST" ] || wait "$HOST"
    [ -z "$AGENT" ] || kill "$AGENT" 2>/dev/null
    stop_sshd
    rm -rf "$T"
}
trap stop EXIT

# ---- a host stands in; it prints the line for the candidate's key ----
ssh-keygen -q -t ed25519 -N '' -C 'me"; touch /tmp/x #' -f "$T/key" || skip "ssh-keygen makes no keys here"
ID=t$(od -An -N4 -tu4 /dev/urandom | tr -d ' ' | tail -c 3)
CODE=$ID-m3xr-dw9f
WATCH=$ID-m3xr-wwww
mkfifo "$T/fifo"
FAKE_HOST_KEY=$T/key.pub FAKE_HOST_PROGRAM=$W "$FAKES/fake_host" "$CODE" <"$T/fifo" >"$T/host.out" 2>"$T/err" &
HOST=$!
exec 9>"$T/fifo"
heard() { grep -q -e "$1" "$T/host.out"; }
await heard "^listening"
ok "a host listens" $?
sed -n 's/^key //p' "$T/host.out" >"$T/authorized"
grep -q "^restrict,pty,command=\".* join $CODE\" ssh-ed25519 [A-Za-z0-9+/=]*$" "$T/authorized"
ok "the line for authorized_keys holds no word of the key's comment" $?
# Everything is allowed here but what the key's own line forbids.
start_sshd "X11Forwarding yes" "AllowAgentForwarding yes" "AllowTcpForwarding yes" "AllowStreamLocalForwarding yes" "Subsystem sftp internal-sftp" 9>&-
known "$T/host"
OPTIONS="-F /dev/null -i $T/key -o IdentitiesOnly=yes -o BatchMode=yes -o UserKnownHostsFile=$T/known -o GlobalKnownHostsFile=/dev/null"
LINK="ssh $OPTIONS -p $PORT"

# ---- what else the key is tried for ----
tried() { timeout 60 "$@" >"$T/out" 2>"$T/err" </dev/null; }
tried $LINK 127.0.0.1 "touch $T/made"
[ $? -eq 2 ] && grep -q 'needs a terminal' "$T/err"
ok "a command of the candidate's is not run, and what is missing is said" $?
tried $LINK -T 127.0.0.1
[ $? -eq 2 ]
ok "without a terminal nothing is to be had" $?
echo "put $T/key.pub $T/made" | timeout 60 sftp $OPTIONS -P $PORT -b - 127.0.0.1 >"$T/out" 2>"$T/err"
[ $? -ne 0 ]
ok "sftp is refused" $?
tried scp $OPTIONS -P $PORT "$T/key.pub" "127.0.0.1:$T/made"
[ $? -ne 0 ]
ok "scp is refused" $?
tried $LINK -W "127.0.0.1:$PORT" 127.0.0.1
grep -q 'administratively prohibited\|stdio forwarding failed' "$T/err"
ok "forwarding a port is refused" $?
tried $LINK -o ExitOnForwardFailure=yes -N -R "0:127.0.0.1:$PORT" 127.0.0.1
[ $? -ne 0 ] && [ $? -ne 124 ] && grep -q 'forwarding failed' "$T/err"
ok "forwarding from there is refused" $?
tried $LINK -o ExitOnForwardFailure=yes -N -R "$T/socket:127.0.0.1:$PORT" 127.0.0.1
[ ! -e "$T/socket" ]
ok "no socket can be made there" $?

# ---- joining, with all that could be forwarded asked for ----
eval "$(ssh-agent -s -a "$T/agent" 9>&-)" >/dev/null
AGENT=$SSH_AGENT_PID
shows() { in_tmux capture-pane -p -t t >"$T/out" 2>/dev/null && grep -qF -- "$1" "$T/out"; }
see() { await shows "$1"; ok "on the screen: $1" $?; }
enter() { # enter NAME WORDS: joins, gives a name, and sees the words
    join -tt
    see "Name to show:"
    in_tmux send-keys -t t "$1" Enter
    see "$2"
}
join() { LC_ALL=C.UTF-8 in_tmux new-session -d -s t -x 80 -y 24 "$LINK $* 127.0.0.1 touch $T/made; exec cat"; }
SSH_AUTH_SOCK=$T/agent DISPLAY=:9 join -A -X -tt
see "Name to show:"
in_tmux send-keys -t t "J. Doe" Enter
see "a host stands in"
see "J. Doe, confined, 80 x 24"
in_tmux send-keys -t t abc
see "3 keys: abc"
here= # the joined process, not ssh's own line
for p in /proc/[0-9]*; do
    [ "$({ tr '\0' ' ' <"$p/cmdline"; } 2>/dev/null)" != "$W join $(echo "$CODE" | tr -c '\n' '*') " ] || here=$p
done
[ -n "$here" ]
ok "the code stands in its command line no more" $?
! tr '\0' '\n' <"$here/environ" | grep -q '^SSH_AUTH_SOCK=\|^DISPLAY='
ok "neither the agent nor X11 came along" $?
grep -q '^Seccomp:.2' "$here/status" && grep -q '^NoNewPrivs:.1' "$here/status"
ok "the joined process is confined" $?
[ "$(ls "$here/fd" | wc -l)" -le 6 ] && ! ls -l "$here/fd" | grep -q -e '\.db' -e sealed
ok "and holds nothing but its terminal, its signals and its link" $?
[ ! -e "$T/made" ]
ok "no command of the candidate's was ever run" $?
in_tmux resize-window -t t -x 100 -y 30
see "J. Doe, confined, 100 x 30"
in_tmux send-keys -t t C-c
see "Leave the interview?"
in_tmux send-keys -t t n
in_tmux send-keys -t t d
see "4 keys: abcd"

# ---- the connection dies, and is made anew ----
signal_sessions KILL
await heard "^left candidate J. Doe"
ok "a dead connection is noticed" $?
in_tmux kill-session -t t
enter "J. Doe" "4 keys: abcd"
in_tmux send-keys -t t e
see "5 keys: abcde"

# ---- codes that are no longer good, or never were ----
sed "s/$CODE/$ID-aaaa-aaaa/" "$T/authorized" >"$T/other" && cat "$T/other" >"$T/authorized"
in_tmux kill-session -t t
await heard "^left candidate J. Doe.*left" || true
join -tt # no name is asked for
see "That code lets nobody in."
sed "s/$ID-aaaa-aaaa/$WATCH/" "$T/other" >"$T/authorized"
in_tmux kill-session -t t
enter "O" "a host stands in"
in_tmux send-keys -t t x
see "You are watching"
! heard "key observer"
ok "an observer's keys reach nobody" $?

# ---- the host ends ----
exec 9>&-
see "The interviewer has closed the session."
await gone "$HOST"
wait "$HOST"
HOST=
[ ! -e "/tmp/warpdrill-$(id -u)/$ID.sock" ]
ok "nothing is left behind" $?
echo "1..$n"
