#!/bin/sh
# What the token scanner takes and refuses; where NVRTC is installed, it reads what is taken as the
# scanner does.
set -u
unset WARPDRILL_NVRTC
case $BUILD in
*/san) half=scan ;; # NVRTC is not ours: its half belongs to the plain build
*) half=cases ;;
esac
exec "$BUILD/tests/fuzz/against_nvrtc" $half tests/fuzz/readings.txt
