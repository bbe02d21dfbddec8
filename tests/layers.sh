#!/bin/sh
# The house: what each room includes, calls and shows, held against the order that the Makefile states.
exec python3 "$(dirname "$0")/lib/layers.py"
