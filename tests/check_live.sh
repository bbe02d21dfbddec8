#!/bin/sh
# warpdrill check --live from outside, with a runner that answers as told.
set -u
. tests/lib/tap.sh
live() { # live SCENARIO ARGUMENTS...
    how=$1
    shift
    XDG_STATE_HOME=$T/state "$W" check --live --no-compile --runner "$FAKE $how" tests/packs/good row-sums/a "$@" >"$T/out" 2>"$T/err" </dev/null
}

live live
[ $? -eq 1 ] && grep -q -e "give --trust" "$T/err"
ok "code of a foreign pack is not run unasked" $?
live no-gpu --trust
[ $? -eq 1 ]
ok "without a GPU it fails" $?
complains "there is no NVIDIA driver here" "and says why"

live live --trust
says "example/row-sums/a  fake-gpu live  effect 7 (6.93 to 7.07), sizes right 7/7, spoilt results refused 9/9, readings 4 of 4" "a line says what was seen"
complains "is the fix right: [0-9]* of [0-9]*, [0-9]* s" "progress is told"
complains "^example/row-sums/a: [0-9]* s: everything bought [0-9]* s, is the fix right [0-9]* s, is the comparison [0-9]* s$" "and how long each part took"
! grep -q "\[live-" "$T/err"
ok "a good scenario has no finding" $?
live live --trust --json
says '"refused": 9' "JSON says what was seen"
says '"sizes": [0-9.e-]*$\|"bought": [0-9]' "and how long it took"

# ---- an image was compiled for aligned buffers, and for no others ----
of_image() { # of_image KNOB
    WARPDRILL_FAKE_LIVE=$1 XDG_STATE_HOME=$T/state "$W" check --live --no-compile --trust --runner "$FAKE live" tests/packs/images doubled-vector/a >"$T/out" 2>"$T/err" </dev/null
}
of_image misaligned:b
! grep -q "\[live-wrong\]" "$T/err"
ok "a fix that is an image may fault where buffers are moved by less than a vector" $?
of_image fence:b
complains "a fence behind each buffer: it faults.*\[live-wrong\]" "and nowhere else"
of_image held:b
complains "a fence behind each buffer: it does not end: no result after 5 s.*\[live-wrong\]" "one that does not end there is told"

WARPDRILL_FAKE_LIVE=accept:1 live live --trust
[ $? -eq 1 ]
ok "a comparison that accepts zeros fails" $?
complains "tests/packs/good/row-sums/scenario.yaml:[0-9:]* error: on fake-gpu: zeros in all of out: the comparison accepts it.*\[live-sabotage\]" "and names what it accepts"
WARPDRILL_FAKE_LIVE=gone live live --trust
[ $? -eq 1 ]
ok "a runner that leaves for good fails" $?
says "effect not timed" "what was seen until then is told"
echo "1..$n"
