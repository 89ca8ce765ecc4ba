#!/bin/sh
# The Debian package on a bare Debian 12: installed with what it depends on and nothing else, it says what there is, renders, plays to
# nowhere, and has its manual page and completions. By hand, as root, on a machine with debootstrap and a way to a Debian mirror:
#
#   cmake --build build/release && cpack --config build/release/CPackConfig.cmake -B build/release
#   tests/install/deb.sh build/release/hertzian_*.deb [FOLDER]     FOLDER: a fresh `debootstrap --variant=minbase bookworm` to be copied
set -eu

package=$1
bare=${2:-}
root=$(mktemp -d "${TMPDIR:-/tmp}/hertzian-deb-XXXXXX")
here=$(cd "$(dirname "$0")" && pwd)
failed=0

leave() {
  umount "$root/proc" 2>/dev/null || true
  rm -rf --one-file-system "$root"
}
trap leave EXIT

check() { # check WORDS COMMAND...: what it is about, and what is to succeed
  words=$1
  shift
  if "$@" >"$root/said" 2>&1; then
    echo "ok      $words"
  else
    echo "FAILED  $words"
    sed 's/^/        /' "$root/said"
    failed=1
  fi
}

inside() {
  chroot "$root" env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive sh -c "$1"
}

says() { # says COMMAND WORDS: its output has them
  inside "$1" | grep -q -e "$2"
}

if [ -n "$bare" ]; then
  cp -a "$bare/." "$root/"
else
  debootstrap --variant=minbase bookworm "$root" >/dev/null
fi
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$package" "$root/root/hertzian.deb"
cp "$here/../fixtures/midi/song.mid" "$root/root/song.mid"
mount -t proc proc "$root/proc" # the dynamic linker and the real-time check look there

check "the lists of packages" inside "apt-get update"
check "installed with what it depends on, without what it recommends" \
  inside "apt-get install -y --no-install-recommends /root/hertzian.deb"
check "the version" says "hertzian --version" "^hertzian [0-9]"
check "devices: none, and that is no error" says "hertzian devices" "no audio output found"
check "instruments are there" says "hertzian instruments list" "^piano"
check "and good" inside "hertzian instruments validate marimba"
check "a song is rendered" inside "cd /root && hertzian render song.mid -i marimba -o song.wav && test -s song.wav"
check "and as FLAC" inside "cd /root && hertzian render song.mid -i marimba -o song.flac && test -s song.flac"
check "it plays to nowhere" inside "cd /root && hertzian play -a null -m none -i marimba --duration 1"
check "a song, too" inside "cd /root && hertzian play -a null -m none -i marimba song.mid --end 1"
check "check says what this machine lacks" says "hertzian check -i glockenspiel || true" "audio"
check "the manual page" inside "test -s /usr/share/man/man1/hertzian.1 || test -s /usr/share/man/man1/hertzian.1.gz"
check "completions of bash, zsh and fish" inside "test -s /usr/share/bash-completion/completions/hertzian &&
  test -s /usr/share/zsh/site-functions/_hertzian && test -s /usr/share/fish/vendor_completions.d/hertzian.fish"
check "units of systemd" inside "test -s /lib/systemd/user/hertzian.service || test -s /usr/lib/systemd/user/hertzian.service"
check "with the drivers, devices are looked for" \
  inside "apt-get install -y --no-install-recommends libportaudio2 libportmidi0 libasound2 && hertzian devices"
check "removed, nothing is left" inside "apt-get remove -y hertzian && test ! -e /usr/share/hertzian && test ! -e /usr/bin/hertzian"
exit $failed
