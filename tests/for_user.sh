#!/bin/sh
# TAP: a candidate who is another user of this machine (host --for): how they come in, what keeps others out, and that a host which comes back is found again.
set -u
. tests/lib/tap.sh
command -v tmux >/dev/null || skip "tmux is not installed"
command -v setpriv >/dev/null || skip "setpriv is not installed"
[ "$(id -u)" -eq 0 ] || skip "another user's terminal needs root"
id nobody >/dev/null 2>&1 || skip "there is no user nobody"
setpriv --reuid nobody --clear-groups test -x "$W" || skip "nobody may not run $W"
unset TMUX DISPLAY WAYLAND_DISPLAY SSH_AUTH_SOCK
mkdir -m 700 "$T/run" "$T/state" "$T/data" "$T/config" || exit 1
mkdir -m 777 "$T/theirs"
chmod 711 "$T"
export TMUX_TMPDIR="$T" LC_ALL=C.UTF-8 TERM=screen-256color
# Two packs of one story each, which everybody can read.
mkdir "$T/packs"
ln -s "$PWD/content/drills" "$T/drills"
ln -s "$PWD/content/rubrics" "$T/rubrics"
make_pack() { # make_pack ID STORY
    cp -r content/packs/first-principles "$T/packs/$1"
    sed -i "s/^id:.*/id: $1/; s/^scenarios:.*/scenarios: [$2]/" "$T/packs/$1/pack.yaml"
    for s in transposed-copy plain-copy row-means scaled-rows; do
        [ "$s" = "$2" ] || rm -rf "${T:?}/packs/$1/$s"
    done
    chmod -R o+rX "$T/packs/$1"
}
make_pack one transposed-copy
make_pack two row-means
OWN="WARPDRILL_CONTENT=$T/packs XDG_RUNTIME_DIR=$T/run XDG_STATE_HOME=$T/state XDG_DATA_HOME=$T/data XDG_CONFIG_HOME=$T/config"
printf 'set -g exit-empty off\nset -s escape-time 10\n' >"$T/tmux.conf"
in_tmux() { tmux -L wd-for -f "$T/tmux.conf" "$@"; }
stop() {
    in_tmux kill-server 2>/dev/null
    rm -rf "$T" "/tmp/warpdrill-${ID:-none}"
}
ID=
trap stop EXIT
SHOWN="$T/shown"
shows() { in_tmux capture-pane -p -t "$1" >"$T/shown" 2>/dev/null && grep -qF -- "$2" "$T/shown"; }
see() { await shows "$1" "$2"; ok "${3:-$1: $2}" $?; }
misses_the_host() { shows ada "The host does not answer" || shows ada "No host is here"; }
keys() { to=$1; shift; in_tmux send-keys -t "$to" "$@"; }
starts() { # starts NAME COMMAND
    in_tmux new-session -d -s "$1" -x 160 -y 44 "$2; exec cat"
}
theirs() { echo "HOME=$T/theirs WARPDRILL_CODE=$CODE setpriv --reuid ${1:-nobody} --clear-groups $W join --name ${2:-Ada}"; }

starts host "env $OWN $W host --for nobody --start --seed 5 --level 1 --runner 'exit 3'"
see host "Enter begins part 1"
keys host c
see host "sees the same screen"
CODE=$(sed -n 's/.*warpdrill join \([a-z0-9]*-[a-z0-9]*-[a-z0-9]*\) *$/\1/p' "$T/shown" | head -n 1)
ID=${CODE%%-*}
see host "another user of this system" "the wall is told"
tr -s '\n ' ' ' <"$T/shown" >"$T/flat"
grep -q "answers of packs one and two where they lie: chmod -R o-rwx $T/packs/one $T/packs/two, or seal them" "$T/flat"
ok "every pack of the plan that can be read is named" $?
keys host Escape
starts ada "$(theirs)"
see ada "The interviewer begins"
see host "Ada, here"
starts eve "$(theirs 65533 Eve)"
see eve "The host has not answered yet" "a third user is not listened to"
in_tmux kill-session -t eve
keys host Enter
see ada "Tell me how you approach"

# ---- the host dies, and is started again without --for ----
kill -9 "$(in_tmux list-panes -t host -F '#{pane_pid}')"
in_tmux kill-session -t host
for p in /proc/[0-9]*; do
    { tr '\0' ' ' <"$p/cmdline"; } 2>/dev/null | grep -q "^$W host --for nobody" && kill -9 "${p#/proc/}" 2>/dev/null
done
await misses_the_host # what it says after some seconds is another sentence
ok "ada reads that there is no host" $?
starts host "env $OWN $W host --resume --runner 'exit 3'"
see host "Ada, here" "host --resume keeps --for, and the candidate comes back by themselves"
keys ada n "back again" Tab
see host "back again"

# ---- it goes, and is asked for by its command ----
keys host q q
see ada "warpdrill host --resume --for nobody" "who waits at an empty place reads what the interviewer has to do"
echo "1..$n"
