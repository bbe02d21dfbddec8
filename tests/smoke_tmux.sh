#!/bin/sh
# TAP: in a real terminal multiplexer the program starts, shows help, survives a resize and leaves.
bin=${WARPDRILL_BIN:-build/warpdrill}
if ! command -v tmux >/dev/null; then
    echo "1..0 # SKIP tmux is not installed"
    exit 0
fi
dir=$(mktemp -d)
export TMUX_TMPDIR="$dir"
unset TMUX
in_tmux() { tmux -L warpdrill -f /dev/null "$@"; }
trap 'in_tmux kill-server 2>/dev/null; rm -rf "$dir"' EXIT
echo 1..5

# Looks every 20 ms until the text is there, for at most 20 s.
await() {
    tries=0
    while [ $tries -lt 1000 ]; do
        in_tmux capture-pane -p -t t 2>/dev/null | grep -qF -- "$1" && return 0
        tries=$((tries + 1))
        sleep 0.02
    done
    in_tmux capture-pane -p -t t 2>/dev/null | sed 's/^/# /'
    return 1
}
check() {
    if await "$2"; then echo "ok $1 - $3"; else echo "not ok $1 - $3"; fi
}

LC_ALL=C.UTF-8 in_tmux new-session -d -s t -x 100 -y 30 \
    "env XDG_DATA_HOME='$dir' '$bin' --runner 'exit 3'; echo left with \$?; exec cat"
check 1 "first start" "it starts"
in_tmux send-keys -t t '?'
check 2 "HOW THIS WORKS" "? shows help"
in_tmux send-keys -t t Escape
await "Find out why" > /dev/null
in_tmux resize-window -t t -x 50 -y 15
check 3 "warpdrill needs 60 x 20; this is 50 x 15." "a window too small is told"
in_tmux resize-window -t t -x 80 -y 24
check 4 "Find out why" "and back"
in_tmux send-keys -t t q
check 5 "left with 0" "q leaves"
