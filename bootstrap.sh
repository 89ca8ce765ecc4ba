#!/bin/sh
# From a fresh Debian 12 to sound: see --help.
set -eu

packages="gcc libc6-dev cmake ninja-build pkg-config libyaml-dev libsndfile1-dev libebur128-dev portaudio19-dev libportmidi-dev libasound2-dev libjack-jackd2-dev
libcmocka-dev python3 openttd-openmsx
alsa-utils clang-format"
test_packages="g++ jackd2"
songs=/usr/share/games/openttd/baseset/openmsx
root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=$root/build/release
demo=$root/hertzian-demo.wav

usage() {
  cat <<END
usage: ./bootstrap.sh demo|test|build|packages

  demo      build, render a MIDI file with the marimba into hertzian-demo.wav, and play it where there is a sound card
  test      build and run all tests
  build     install what is missing and build into build/release
  packages  only install what is missing (apt-get, with sudo when not root)

Every step may be repeated; what is already there is kept.
END
}

fail() {
  echo "bootstrap.sh: $*" >&2
  exit 1
}

missing_packages() {
  for package in $packages; do
    status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null) || status=absent
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

install_packages() {
  if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    echo "bootstrap.sh: no apt-get here; hoping that these are installed:" "$packages" >&2
    return 0
  fi
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null 2>&1 || fail "cannot install packages without root or sudo; as root run: apt-get install $missing"
    as_root=sudo
  fi
  echo "installing: $missing"
  log=$(mktemp)
  # Lists may be absent or stale on a fresh machine, so they are fetched, but only when something is to be installed.
  # shellcheck disable=SC2086 # lists of words
  if ! { $as_root apt-get -qq update &&
         $as_root env DEBIAN_FRONTEND=noninteractive \
           apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends $missing; } </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "could not install: $missing(is the network up, and are Debian's 'main' sources set?)"
  fi
  rm -f "$log"
}

# Show what a quiet command had to say only if it fails.
quietly() {
  log=$(mktemp)
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    fail "failed: $*"
  fi
  rm -f "$log"
}

# build_release [TARGET]: everything, or one target and what it needs.
build_release() {
  install_packages
  cd "$root"
  echo "building into $build"
  quietly cmake --preset release
  quietly cmake --build --preset release ${1:+--target "$1"}
}

# A card that aplay can name; a machine without one has no /proc/asound or an empty list.
has_card() {
  command -v aplay >/dev/null 2>&1 && LC_ALL=C aplay -l 2>/dev/null | grep -q '^card '
}

run_demo() {
  build_release hertzian
  [ -x "$build/hertzian" ] || fail "there is no program to run: $build/hertzian"
  song=
  for candidate in "$songs/harp_harmony.mid" "$songs"/*.mid; do
    if [ -f "$candidate" ]; then
      song=$candidate
      break
    fi
  done
  [ -n "$song" ] || fail "no MIDI file in $songs (package openttd-openmsx)"
  "$build/hertzian" render "$song" -i marimba -o "$demo"
  if has_card; then
    echo "playing $demo (Ctrl-C stops)"
    aplay -q "$demo" || echo "bootstrap.sh: aplay could not play it; the file is there: $demo" >&2
  else
    echo "no sound card here; listen to $demo elsewhere"
  fi
}

run_tests() {
  packages="$packages $test_packages"
  build_release
  failed=0
  ctest --preset release --output-on-failure -LE timed -j "$(nproc)" || failed=1
  # What is held to promises about time waits more than it computes: two of them at once.
  ctest --preset release --output-on-failure -L timed -j "$((2 * $(nproc)))" || failed=1
  return $failed
}

case ${1:-} in
demo) run_demo ;;
test) run_tests ;;
build) build_release ;;
packages) install_packages ;;
-h | --help | help) usage ;;
*)
  usage >&2
  exit 2
  ;;
esac
