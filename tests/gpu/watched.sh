# What the tests of mending on a GPU share, after tests/lib/tap.sh: one `warpdrill mend` that watches, and texts that are handed to it.
SHOWN=
watch_pid=
begin_watch() { # begin_watch ID PACK TEXT: with TEXT as the first try
    rm -rf "$T/mine" && mkdir "$T/mine"
    put "$3"
    : >"$T/out"
    "$W" mend "$1" --pack "$2" --db "$T/p.db" --folder "$T/mine" --json --trust --runner "$RUNNER" >"$T/out" 2>"$T/err" </dev/null &
    watch_pid=$!
    heard=0
    hear
}
end_watch() {
    [ -n "$watch_pid" ] && kill "$watch_pid" 2>/dev/null && wait "$watch_pid"
    watch_pid=
}
trap 'end_watch; rm -rf "$T"' EXIT
put() { # put TEXT: whole or not at all, its launch lines at the top
    { grep "^// launch" "$1"; grep -v "^// launch" "$1"; } >"$T/beside"
    mv "$T/beside" "$T/mine/mine.cu"
}
verdicts() { grep -c '"verdict"' "$T/out"; }
told() { [ "$(verdicts)" -gt "$heard" ] || gone "$watch_pid"; }
field() { printf %s "$line" | sed -n "s/.*\"$1\":\"\\{0,1\\}\\([^\",}]*\\).*/\\1/p"; }
hear() { # the next verdict: $line, $is (right, or the reason), $took (to the first word, to the verdict)
    await told
    heard=$((heard + 1))
    [ "$(verdicts)" -ge "$heard" ] || return 1
    line=$(tail -n 1 "$T/out")
    is=$(field reason)
    is=${is:-$(field verdict)}
    took="$(field first_seconds) s, $(field seconds) s"
}
hand_in() { # hand_in TEXT
    put "$1"
    hear
}
why() { printf %s "$line" | sed -n 's/.*"why":"\([^"]*\)".*/\1/p' | cut -c1-150; }
