# A real sshd on loopback, of the test's own: sourced after tap.sh. Who is let in stands in $T/authorized; $T/log is what sshd says.
SSHD=$(command -v sshd || ls /usr/sbin/sshd 2>/dev/null) || skip "openssh-server is not installed"
command -v ssh >/dev/null && command -v ssh-keygen >/dev/null || skip "openssh-client is not installed"
SHOWN="$SHOWN $T/log"
ssh-keygen -q -t ed25519 -N '' -f "$T/host" || skip "ssh-keygen makes no keys here"
[ "$(id -u)" -ne 0 ] || mkdir -p /run/sshd

children() { # the processes whose parent is $1
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        rest=${line##*) }
        rest=${rest#* }
        [ "${rest%% *}" != "$1" ] || { stat=${stat#/proc/}; echo "${stat%/stat}"; }
    done
}
listening() { grep -q 'Server listening' "$T/log"; }
start_sshd() { # start_sshd LINES...: with further lines of its configuration; $PORT follows
    cat >"$T/sshd_config" <<END
ListenAddress 127.0.0.1
HostKey $T/host
AuthorizedKeysFile $T/authorized
PidFile $T/sshd.pid
UsePAM no
StrictModes no
PasswordAuthentication no
KbdInteractiveAuthentication no
PrintMotd no
END
    printf '%s\n' "$@" >>"$T/sshd_config"
    chmod 600 "$T/authorized"
    for try in 1 2 3 4 5 6 7 8; do
        PORT=$((20000 + $(od -An -N2 -tu2 /dev/urandom) % 20000))
        : >"$T/log"
        "$SSHD" -f "$T/sshd_config" -E "$T/log" -p $PORT && await test -s "$T/sshd.pid" && await listening && return 0
    done
    skip "sshd does not start here: $(tail -n 1 "$T/log")"
}
known() { # known KEY: the public key that is taken for the host's, in $T/known
    printf '[127.0.0.1]:%s %s\n' "$PORT" "$(cut -d' ' -f1,2 "$1.pub")" >"$T/known"
}
signal_sessions() { # signal_sessions NAME
    for session in $(children "$(cat "$T/sshd.pid")"); do kill "-$1" "$session"; done
}
stop_sshd() {
    [ -s "$T/sshd.pid" ] || return 0
    listener=$(cat "$T/sshd.pid")
    signal_sessions KILL
    rm -f "$T/sshd.pid"
    kill "$listener" 2>/dev/null
    await gone "$listener"
}
