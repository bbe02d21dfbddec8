#!/bin/sh
# TAP: the terminal that an interviewer shares shows the candidate's screen or a plain page, whatever ends; never the console.
set -u
. tests/lib/tap.sh
command -v tmux >/dev/null || skip "tmux is not installed"
unset TMUX SSH_AUTH_SOCK DISPLAY WAYLAND_DISPLAY
mkdir -m 700 "$T/run" "$T/state" "$T/data" "$T/config" || exit 1
export TMUX_TMPDIR="$T" XDG_RUNTIME_DIR="$T/run" XDG_STATE_HOME="$T/state" XDG_DATA_HOME="$T/data" XDG_CONFIG_HOME="$T/config"
export LC_ALL=C.UTF-8 TERM=screen-256color
export WARPDRILL_CONTENT="$PWD/content/packs"
printf 'set -g exit-empty off\nset -s escape-time 10\n' >"$T/tmux.conf"
on() { # on SERVER TMUX-COMMAND...
    server=$1
    shift
    tmux -L "$server" -f "$T/tmux.conf" "$@"
}
ID=
stop() {
    for s in interviewer shared second desk ${ID:+warpdrill-$ID}; do
        tmux -L "$s" kill-server 2>/dev/null
    done
    rm -rf "$T"
}
trap stop EXIT
SHOWN="$T/shown"
shows() { on "$1" capture-pane -p -t t >"$T/shown" 2>/dev/null && grep -qF -- "$2" "$T/shown"; }
see() { await shows "$1" "$2"; ok "${3:-on the $1 terminal: $2}" $?; }
keys() { server=$1; shift; on "$server" send-keys -t t "$@"; }
# What only the console says: its panes, and the truth of the scenario.
no_console() {
    on "$1" capture-pane -p -S - -t t >"$T/shown"
    ! grep -q -e "SAY NEXT" -e "MOVES" -e "FOR YOU ALONE" -e "warpdrill host" -e "One write per lane" "$T/shown"
    ok "$2" $?
}
child_of() { # the first process whose parent is $1
    for p in /proc/[0-9]*; do
        grep -q "^PPid:.$1\$" "$p/status" 2>/dev/null && { echo "${p#/proc/}"; return; }
    done
}

# ---- inside tmux ----
on interviewer new-session -d -s t -x 160 -y 44 "$W host --share --start --seed 5 --level 1 --runner 'exit 3'; exec cat"
see interviewer "In another terminal, which you share instead of this one, type:"
ID=$(on interviewer capture-pane -p -t t | sed -n 's/.*tmux -L warpdrill-\([a-z0-9]*\) attach.*/\1/p')
[ -n "$ID" ]
ok "the command is told" $?
[ "$(on interviewer list-windows -a | wc -l)" -eq 1 ]
ok "the interviewer's own tmux has no window more" $?
! grep -la -e "$ID-[0-9a-z]*-[0-9a-z]*" /proc/[0-9]*/cmdline 2>/dev/null | grep -q .
ok "no command line holds the code" $?
on shared new-session -d -s t -x 120 -y 36 "env -u TMUX tmux -L warpdrill-$ID attach; exec cat"
see shared "Share this terminal alone."
keys shared C-b c
keys shared C-b :
keys shared Enter
see shared "The interviewer begins"
[ "$(tmux -L "warpdrill-$ID" list-windows -a | wc -l)" -eq 1 ]
ok "no key of tmux's opens anything there" $?
see interviewer "here"
keys interviewer Enter
see interviewer "WRITTEN DOWN" "the first part begins"
keys shared q q
see shared "The candidate's screen has ended."
see shared "You have left; everything is kept."
no_console shared "who leaves there finds a plain page"
keys shared Enter
see shared "Tell me how you approach" "Enter brings the candidate's screen back"
curtain=$(tmux -L "warpdrill-$ID" display-message -p -t candidate '#{pane_pid}')
kill -9 "$(child_of "$curtain")"
see shared "The candidate's screen has ended." "a killed program leaves the plain page"
no_console shared "and nothing else"
keys shared Enter
see shared "Tell me how you approach" "and it comes back after that too"
keys shared 'C-\'
see shared "Leave the interview?" "Ctrl-\\ asks"
keys shared n
kill -9 "$curtain"
see shared "[exited]" "without the page itself the session ends"
no_console shared "and the shared terminal is its own again"
[ "$(on interviewer list-windows -a | wc -l)" -eq 1 ]
ok "nothing has come into the interviewer's tmux" $?
keys interviewer q q
await gone "$(on interviewer list-panes -t t -F '#{pane_pid}')" || true
! tmux -L "warpdrill-$ID" list-sessions >/dev/null 2>&1
ok "no server of ours stays" $?
# ---- on a desktop: a terminal that is given a program ----
cat >"$T/terminal" <<END
#!/bin/sh
env >"$T/env"
exec tmux -L desk -f "$T/tmux.conf" new-session -d -s t -x 120 -y 36 "\$@"
END
chmod 700 "$T/terminal"
DISPLAY=:9 WARPDRILL_TERMINAL="$T/terminal" on second new-session -d -s t -x 160 -y 44 "env -u TMUX $W host --share --start --seed 5 --level 1 --runner 'exit 3'; exec cat"
see desk "Share this terminal alone."
grep -q '^WARPDRILL_CODE=...-....-....$' "$T/env"
ok "the code goes by the environment" $?
keys desk Enter
see desk "The interviewer begins"
keys desk C-c
see desk "Leave the interview?"
keys desk y
see desk "The candidate's screen has ended."
no_console desk "the page stands there too"
keys desk C-c C-z 'C-\'
keys desk Enter
see desk "The interviewer begins" "keys that would end or stop a program do nothing to the page"

# ---- the host asks before it goes ----
keys second C-c
see second "Ctrl-C once more leaves the interview" "one Ctrl-C ends no interview"
keys second n
see second "note:" "another key takes the question away"
keys second 'C-\'
see second "Ctrl-C once more leaves the interview" "nor does Ctrl-\\, in a note either"
keys second C-c
see desk "The host does not answer" "the second one does"
keys desk C-c y
see desk "The candidate's screen has ended."
echo "1..$n"
