#!/bin/sh
# TAP: the runner behind a real sshd on loopback, with the fake driver under it: measures, breaks, explains, connects again.
set -u
. tests/lib/tap.sh
. tests/lib/sshd.sh
trap 'stop_sshd; rm -rf "$T"' EXIT

# ---- keys: one that just comes in, one whose shell talks, one with a passphrase ----
ssh-keygen -q -t ed25519 -N '' -f "$T/key" &&
    ssh-keygen -q -t ed25519 -N '' -f "$T/key2" && ssh-keygen -q -t ed25519 -N secret -f "$T/key3" || skip "ssh-keygen makes no keys here"
printf 'printf "Welcome to gpubox.\\r\\n{\\"type\\":\\"hello\\"}\\n\\033[32mme@gpubox\\033[0m> "\neval "$SSH_ORIGINAL_COMMAND"\n' >"$T/chatty"
{ cat "$T/key.pub" "$T/key3.pub"; printf 'command="sh %s" ' "$T/chatty"; cat "$T/key2.pub"; } >"$T/authorized"
start_sshd
known "$T/host"

# The far side: a fresh environment but for what `env` sets, so the fakes are named in the remote command.
ENV="env WARPDRILL_CUDA=$FAKES/libfakecuda.so WARPDRILL_NVRTC=$FAKES/libfakenvrtc.so WARPDRILL_CUPTI=$FAKES/libfakecupti.so WARPDRILL_NVML=$FAKES/libfakenvml.so"
ENV="$ENV WARPDRILL_CACHE=$T/cache WARPDRILL_FAKE_PLAN=$T/plan"
FAR="$ENV $BUILD/warpdrill-runner"
: >"$T/plan"
link() { echo "ssh -F /dev/null -p $PORT -i $T/key -o IdentitiesOnly=yes -o IdentityAgent=none -o UserKnownHostsFile=$T/known -o GlobalKnownHostsFile=/dev/null -o StrictHostKeyChecking=ask $*"; }
HERE="$(link -o BatchMode=no 127.0.0.1)"
sh -c "$HERE true" >"$T/out" 2>"$T/err" </dev/null || skip "sshd lets this user not in"
probe() { timeout 100 "$W" --pack content/packs --db "$T/p.db" probe first-principles/transposed-copy/a "$1" --tier live --trust --runner "$2" >"$T/out" 2>"$T/err" </dev/null; }
refused() { # refused WHAT RUNNER WORDS...
    probe timing "$2"
    [ $? -eq 1 ]
    ok "$1 fails" $?
    what=$1
    shift 2
    for words in "$@"; do complains "$words" "$what: $words"; done
}

# ---- it works ----
probe timing "$HERE $FAR"
ok "a live probe over ssh" $?
grep -q 'live  Fake GPU' "$T/out"
ok "names its tier and GPU" $?
# ---- a shell that talks, a link that drips ----
CHATTY="$(link 127.0.0.1 | sed "s#$T/key#$T/key2#")"
probe timing "$CHATTY $FAR"
ok "a greeting and a prompt before the hello are skipped" $?
timeout 100 "$W" --pack content/packs --db "$T/p.db" doctor --runner "$CHATTY $FAR" >"$T/out" 2>"$T/err" </dev/null
grep -q "2 lines came before its hello\|3 lines came before its hello" "$T/out"
ok "and doctor tells of it" $?
! grep -q "127.0.0.1" "$T/out"
ok "without naming the host" $?
cat >"$T/drip.pl" <<'END'
use strict; use IO::Socket::INET; use IO::Select;
my $net = IO::Socket::INET->new(PeerAddr => "127.0.0.1:$ARGV[0]") or die; my $both = IO::Select->new(\*STDIN, $net);
while (1) { for my $from ($both->can_read) { sysread($from, my $bytes, 1024) or exit; select undef, undef, undef, 0.04;
    syswrite($from == $net ? \*STDOUT : $net, $bytes) } }
END
if perl -MIO::Socket::INET -e 1 2>/dev/null; then
    probe timing "$(link -o "'ProxyCommand=perl $T/drip.pl $PORT'" 127.0.0.1) $FAR"
    ok "a slow link only takes longer" $?
fi

# ---- what goes wrong before it begins ----
refused "a host that takes no ssh" "$(link 127.0.0.1 | sed "s/-p $PORT/-p 1/") $FAR" "takes no ssh connections" "Connection refused"
refused "a missing runner" "$HERE no-such-runner" "was not found" "Copy build/warpdrill-runner there"
: >"$T/known"
refused "an unknown host" "$HERE $FAR" "does not know this host's key" "Connect once in a shell"
known "$T/key"
refused "a changed host key" "$HERE $FAR" "its key has changed" "ssh-keygen -R"
known "$T/host"
cat >"$T/askpass" <<END
#!/bin/sh
echo asked >"$T/asked"
END
chmod +x "$T/askpass"
DISPLAY=:0 SSH_ASKPASS=$T/askpass SSH_ASKPASS_REQUIRE=force
export DISPLAY SSH_ASKPASS SSH_ASKPASS_REQUIRE
refused "a key with a passphrase" "$(link 127.0.0.1 | sed "s#$T/key#$T/key3#") $FAR" "was not let in, and here it cannot ask" "ssh-add"
unset DISPLAY SSH_ASKPASS SSH_ASKPASS_REQUIRE
! [ -e "$T/asked" ]
ok "and nobody was asked for it" $?
! grep -q "$(printf '\r')" "$T/err" && ! grep -q '?$' "$T/err"
ok "ssh's carriage returns are gone" $?

# ---- a link that dies in the middle of a request ----
runner_here() { grep -lqs "$T/plan" /proc/[0-9]*/environ; } # a runner or a worker that reads our plan
no_runner() { ! runner_here; }
await no_runner
ok "no runner is left behind" $?
measuring() { grep -q 'has the request' "$T/err"; } # said of a measurement alone
echo "hang_cuEventElapsedTime_v2 1" >"$T/plan"
echo "hang_cuEventElapsedTime 1" >>"$T/plan"
broken() { # broken WHAT HOW WORDS: while a request hangs, does HOW to the sessions of sshd
    probe timing "$HERE $FAR" &
    asking=$!
    await measuring
    runner_here
    ok "$1: a request is under way" $?
    signal_sessions "$2"
    wait $asking
    [ $? -eq 1 ]
    ok "$1: the request fails" $?
    complains "$3" "$1: $3"
}
: >"$T/err"
broken "sshd killed" KILL "the ssh connection broke"
: >"$T/err"
broken "the link frozen" STOP "nothing was heard of the runner for 10 seconds"
signal_sessions KILL
await no_runner
ok "no runner is left behind by a broken link" $?
: >"$T/plan"
probe timing "$HERE $FAR"
ok "the next one measures again" $?

# ---- a text of one's own, judged there ----
"$FAKES/fake_player" content/packs/first-principles transposed-copy/a "$T/m.db"
mkdir "$T/mine"
text() { { echo "// fake: $1 1e-5 0"; cat content/packs/first-principles/transposed-copy/a/suspect.cu; } >"$T/mine/mine.cu"; }
judge() {
    XDG_STATE_HOME=$T/state XDG_DATA_HOME=$T/data timeout 200 "$W" mend transposed-copy/a --pack content/packs/first-principles --db "$T/m.db" --trust --folder "$T/mine" \
        --runner "$HERE $FAR" "$@" >"$T/out" 2>"$T/err" </dev/null
}
text move
judge --once --json
[ $? -eq 0 ] && grep -q '"verdict":"right"' "$T/out" && grep -q '"gpu":"Fake GPU"' "$T/out"
ok "mend: what is right is told to be, by the GPU there" $?
text zeros
judge --once --json
[ $? -eq 1 ] && grep -q '"reason":"wrong"' "$T/out"
ok "mend: and what is wrong" $?
printf 'hang_cuEventElapsedTime_v2 1\nhang_cuEventElapsedTime 1\n' >"$T/plan"
text move
echo "// another" >>"$T/mine/mine.cu"
racing() { grep -q 'race against' "$T/err"; }
: >"$T/err"
judge --once &
asking=$!
await racing
signal_sessions KILL
wait $asking
[ $? -eq 1 ]
ok "mend: the link dies in the middle" $?
says "^not judged: the ssh connection broke" "mend: which is no verdict on the text"
: >"$T/plan"
await no_runner
judge --once --json
[ $? -eq 0 ] && grep -q '"verdict":"right"' "$T/out"
ok "mend: the same text is judged over the next link" $?

# ---- a pack recorded from here, with a GPU there; the fake one is small, so are the sizes ----
cp -r content/packs/first-principles "$T/pack"
find "$T/pack" -path '*/evidence/*' -name '*.json' -delete
sed -i 's/n - 1024/n - 512/' "$T/pack/transposed-copy/scenario.yaml"
EVIDENCE=$T/pack/transposed-copy/a/sealed/evidence/fake-gpu.json
record() { XDG_STATE_HOME=$T/state timeout 200 "$W" record "$T/pack" transposed-copy/a --trust "$@" --runner "$HERE $FAR" >"$T/out" 2>"$T/err" </dev/null; }
record
ok "record works over ssh" $?
grep -q '"origin": "[0-9a-f]\{16\}"' "$EVIDENCE" && ! grep -q -e 127.0.0.1 -e "$(uname -n)\"" "$EVIDENCE"
ok "the file tells the machine apart and does not name it" $?
record
grep -q 'up to date' "$T/out"
ok "a second time it is up to date" $?
under_way() { grep -q '^9 of ' "$T/err"; }
: >"$T/err"
record --again &
asking=$!
await under_way
signal_sessions KILL
wait $asking
ok "a link that dies while a pack is recorded is made anew" $?
complains "the link was lost (the ssh connection broke.*connecting again" "and that is said"
await no_runner
ok "and no runner is left behind by recording" $?

# ---- in a terminal: a purchase in the middle of which the link dies, bought again over a new one; nothing of ssh on the screen ----
if command -v tmux >/dev/null; then
    TMUX_TMPDIR=$T
    export TMUX_TMPDIR
    unset TMUX
    in_tmux() { tmux -L warpdrill -f /dev/null "$@"; }
    trap 'in_tmux kill-server 2>/dev/null; stop_sshd; rm -rf "$T"' EXIT
    shows() { in_tmux capture-pane -p -t t >"$T/out" 2>/dev/null && grep -qF -- "$1" "$T/out"; }
    see() { await shows "$1"; ok "on the screen: $1" $?; }
    press() { in_tmux send-keys -t t "$1"; }
    printf '#!/bin/sh\nexec %s\n' "$HERE $FAR" >"$T/gpubox"
    chmod +x "$T/gpubox"
    LC_ALL=C.UTF-8 in_tmux new-session -d -s t -x 100 -y 30 "env XDG_DATA_HOME='$T' '$W' --pack content/packs --trust --seed 1 --runner '$HERE no-such-runner'; exec cat"
    see "no GPU here"
    press g
    see "was not found"
    press Enter
    see "Esc cancels"
    in_tmux send-keys -t t C-u
    in_tmux send-keys -t t -l "$T/gpubox"
    press Enter
    see "ready: measurements are live"
    press Escape
    see "straight in"
    press 2
    see "Say what you believe"
    for worker in $(grep -lsze --worker /proc/[0-9]*/cmdline | tr '\0' '\n'); do
        worker=${worker#/proc/} && worker=${worker%/cmdline}
        ! grep -qs "$T/plan" "/proc/$worker/environ" || kill -STOP "$worker"
    done
    press d
    see "Before you look"
    press 1
    see "is being measured"
    signal_sessions KILL
    see "Nothing was charged: "
    see "Buy again to reconnect."
    see "0 of 15 min spent"
    press d
    see "Before you look"
    press 1
    see "d has arrived"
    see "2 of 15 min spent"
    press q
    await no_runner
    ok "leaving leaves no runner behind" $?
fi
echo "1..$n"
