#!/bin/sh
# The live path against real ALSA, in a virtual machine: MIDI ports, hot-plug, sound cards that come and go; and against a disk that is
# cut off while a take is written (with dmsetup and mkfs.ext4).
#
#   HTZ_VM=/path/to/vm.sh HERTZIAN=/path/to/hertzian tests/alsa/run.sh [notes] [keyboard] [card] [input] [port] [busy] [twins] [power]
#
# HTZ_VM names a program that runs a command as root in a machine with this one's files and ALSA's snd-seq, snd-seq-midi,
# snd-virmidi, snd-dummy and snd-aloop loaded: `vm.sh [-a] -s FOLDER -t SECONDS -- COMMAND...`, where FOLDER is shared for
# writing and -a adds a USB sound card. Without it, or without QEMU, the test is skipped (77). Emulation is slow: this tests
# behaviour, not speed, and takes a minute or two. POWER_CUTS says how often the disk is cut off (3), HTZ_VM_SECONDS how long all may take (500).
set -eu

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
skip() {
  echo "skipped: $*" >&2
  exit 77
}

[ -n "${HTZ_VM:-}" ] || skip "HTZ_VM is not set"
[ -x "$HTZ_VM" ] || skip "$HTZ_VM cannot be run"
command -v qemu-system-x86_64 >/dev/null 2>&1 || skip "no QEMU"
for tool in aplaymidi arecord python3; do
  command -v $tool >/dev/null 2>&1 || skip "no $tool"
done
program=$(command -v "${HERTZIAN:-hertzian}") || skip "no hertzian; HERTZIAN names it"
program=$(realpath "$program")

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$HTZ_VM" -a -s "$work" -t "${HTZ_VM_SECONDS:-500}" -- env POWER_CUTS="${POWER_CUTS:-3}" "$here/guest.sh" "$program" "$work" "${@:-all}"
