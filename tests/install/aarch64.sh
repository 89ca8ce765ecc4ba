#!/bin/sh
# 64-bit ARM on another machine: built with Debian's cross compiler, tests run under QEMU's user emulation. By hand, as root (debootstrap
# wants it), with a way to a Debian mirror; some ten minutes for the build on two cores, and emulation is slow:
#
#   apt-get install debootstrap gcc-aarch64-linux-gnu qemu-user-static
#   tests/install/aarch64.sh [ROOT [CTEST OPTIONS...]]
#
# ROOT: where the libraries for ARM are put, and found the next time (build/aarch64-root unless given). Without options for ctest the tests
# of units, physics and engine run, and the program's own that promise nothing about time.
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

export HTZ_SYSROOT="$root"
cd "$source"
cmake --preset aarch64 -DHTZ_WERROR=ON
cmake --build --preset aarch64
file build/aarch64/hertzian 2>/dev/null || true
if [ $# -gt 0 ]; then
  exec ctest --preset aarch64 -j "$(nproc)" "$@"
fi
exec ctest --preset aarch64 -j "$(nproc)" \
  -R '^(unit/|engine/|physics/|instruments/test_(every|pitch|tuning)|cli/test_(bad_input|command_line|formats|instruments|render|stems|meaning|layers)$)'
