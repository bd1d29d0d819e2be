#!/bin/sh
# Programs that some tests drive: installed where that may be done, else named.
# Tests that need a missing one are reported as not run.
for program in chromium; do
    command -v "$program" >/dev/null && continue
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing $program ..."
        apt-get update -qq && apt-get install -y -qq --no-install-recommends "$program" >/dev/null
    fi
    command -v "$program" >/dev/null || echo "Missing: $program (on Debian: apt-get install $program)"
done
