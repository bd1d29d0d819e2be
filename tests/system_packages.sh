#!/bin/sh
# Programs that some tests drive: installed where that may be done, else named.
# Tests that need a missing one are reported as not run.
PATH="$PATH:/usr/games" # where Debian puts games
for pair in chromium:chromium gnugo:gnugo gtp-rhino:grhino pente:pente gomoku:bsdgames; do
    program=${pair%:*} package=${pair#*:}
    command -v "$program" >/dev/null && continue
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "Installing $package ..."
        apt-get update -qq && apt-get install -y -qq --no-install-recommends "$package" >/dev/null
    fi
    command -v "$program" >/dev/null || echo "Missing: $program (on Debian: apt-get install $package)"
done
