#!/bin/sh
# 64-bit ARM on another machine: built with Debian's cross compiler, tests run under QEMU's user emulation. By hand, as root (debootstrap
# wants it), with a way to a Debian mirror; some ten minutes for the build on two cores, and emulation is slow:
#
#   apt-get install debootstrap gcc-aarch64-linux-gnu qemu-user-static
#   tests/install/aarch64.sh [ROOT [CTEST OPTIONS...]]
#
# ROOT: where the libraries for ARM are put, and found the next time (build/aarch64-root unless given). Without options for ctest the tests
# of units, physics, engine and instruments run, one after the other; one that has not ended after HTZ_ARM_SECONDS of emulated processor
# time (150) is left out, and named. What they promise about time is not asked here.
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
source=$(CDPATH='' cd -- "$here/../.." && pwd)
root=${1:-$source/build/aarch64-root}
[ $# -eq 0 ] || shift
packages=libc6-dev,libsndfile1-dev,libyaml-dev,libebur128-dev,portaudio19-dev,libportmidi-dev,libasound2-dev,libjack-jackd2-dev,libcmocka-dev

for tool in debootstrap aarch64-linux-gnu-gcc dpkg-deb cmake; do
  command -v $tool >/dev/null 2>&1 || {
    echo "skipped: no $tool" >&2
    exit 77
  }
done
if ! command -v qemu-aarch64-static >/dev/null 2>&1 && ! command -v qemu-aarch64 >/dev/null 2>&1; then
  echo "skipped: no QEMU for aarch64" >&2
  exit 77
fi

# Only unpacked: nothing of it is run but the libraries that the tests load.
if [ ! -e "$root/usr/include/stdio.h" ]; then
  debootstrap --arch=arm64 --variant=minbase --foreign --include="$packages" bookworm "$root" >/dev/null
  for package in "$root"/var/cache/apt/archives/*.deb; do
    dpkg-deb -x "$package" "$root"
  done
  # The linker follows links as this machine's.
  find "$root/lib" "$root/usr/lib" -lname '/*' | while read -r link; do
    target=$(readlink "$link")
    ln -sfn "$(realpath -s --relative-to="$(dirname "$link")" "$root$target")" "$link"
  done
fi

# The emulator looks there first for whatever is opened: terminals, too, have to be this machine's.
rm -rf "$root/dev"

export HTZ_SYSROOT="$root"
cd "$source"
cmake --preset aarch64 -DHTZ_WERROR=ON
cmake --build --preset aarch64
file build/aarch64/hertzian 2>/dev/null || true
if [ $# -gt 0 ]; then
  exec ctest --preset aarch64 -j "$(nproc)" "$@"
fi
limit=${HTZ_ARM_SECONDS:-150}
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed="" slow=""
for name in $(ctest --preset aarch64 -N -R '^(unit|engine|physics|instruments)/' | sed -n 's/.*Test *#[0-9]*: //p'); do
  if (
    ulimit -t "$limit"
    exec ctest --preset aarch64 -j 1 --timeout 7200 -R "^$name\$"
  ) >"$log" 2>&1; then
    passed=$((passed + 1))
  elif grep -q '^1/1 .*\*\*\*Exception' "$log" && ! grep -q 'ERROR\|FAILED  \]' "$log"; then
    slow="$slow $name"
  else
    failed="$failed $name"
    cat "$log"
  fi
  echo "$name: $(sed -n 's,^1/1 .*\.\.* *,,p' "$log")"
done
echo "$passed passed; beyond $limit s of emulated processor time:${slow:- none}; failed:${failed:- none}"
[ -z "$failed" ]
