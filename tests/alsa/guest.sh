#!/bin/bash
# Inside the virtual machine: guest.sh PROGRAM WORK all|notes|keyboard|card|input|port|busy|twins|power...; see run.sh.
set -u

here=$(dirname "$0")
program=$1
work=$2
shift 2
failed=0
export JACK_NO_START_SERVER=1 JACK_DEFAULT_SERVER=hertzian-test-nobody

check() { # check WORDS COMMAND...
  local words=$1
  shift
  if "$@"; then
    echo "ok      $words"
  else
    echo "FAILED  $words"
    failed=1
  fi
}

# wait_for SECONDS PATTERN FILE [COUNT]: until the pattern stands COUNT times in the file.
wait_for() {
  local tries=$(($1 * 10))
  while ((tries-- > 0)); do
    [ "$(grep -c -- "$2" "$3" 2>/dev/null)" -ge "${4:-1}" ] && return 0
    sleep 0.1
  done
  return 1
}

play() { # play LOG OPTIONS...: in the background, with $player its process
  local log=$1
  shift
  "$program" play -i marimba -b 4096 "$@" >"$log.out" 2>"$log" &
  player=$!
}

stop_player() {
  kill -TERM "$player" 2>/dev/null
  wait "$player"
}

says() { # the log, when something failed
  sed "s/^/        | /" "$1"
}

# aplaymidi -> Midi Through -> hertzian -> loopback card -> arecord: the notes sound, in order, in tune.
notes() {
  echo "notes: sequencer to loopback card"
  python3 "$here/notes.py" write "$work/song.mid"
  arecord -q -D plughw:Loopback,1,0 -f S16_LE -c 2 -r 48000 "$work/heard.wav" &
  local recorder=$!
  sleep 1
  play "$work/notes.log" -a loopback -m through
  check "starts" wait_for 20 "audio" "$work/notes.log"
  sleep 1
  aplaymidi -p "Midi Through" "$work/song.mid"
  sleep 2
  stop_player
  check "ends with 0 on SIGTERM" [ $? -eq 0 ]
  kill -INT $recorder
  wait $recorder
  check "every note is heard, in order, at its pitch" python3 "$here/notes.py" check "$work/heard.wav"
  check "few lines of messages" [ "$(wc -l <"$work/notes.log")" -le 6 ]
  says "$work/notes.log"
}

# A USB keyboard made of a gadget on a dummy controller.
gadget=/sys/kernel/config/usb_gadget/keyboard
make_keyboard() {
  modprobe -a dummy_hcd libcomposite usb_f_midi snd-usb-audio || return 1
  mkdir -p $gadget/strings/0x409 $gadget/configs/c.1 $gadget/functions/midi.usb0
  echo 0x1d6b >$gadget/idVendor
  echo 0x0104 >$gadget/idProduct
  echo "Test Keys" >$gadget/strings/0x409/product
  ln -s $gadget/functions/midi.usb0 $gadget/configs/c.1/
  echo dummy_udc.0 >$gadget/UDC
  sleep 2
}

keys_down() { # what the gadget sends is what the keyboard's port receives
  aplaymidi -p f_midi "$work/chord.mid"
}

keyboard() {
  echo "keyboard: pulled out with notes held, plugged in again"
  if ! make_keyboard; then
    echo "skipped: no USB gadget here"
    return
  fi
  python3 "$here/notes.py" chord "$work/chord.mid"
  local log=$work/keyboard.log
  play "$log" -a null -m "test keys"
  check "connected at the start" wait_for 20 "Test Keys" "$log"
  keys_down
  sleep 0.5
  echo >$gadget/UDC
  check "its loss is told within 2 s" wait_for 2 'lost "Test Keys' "$log"
  check "and what it held was released" grep -q '3 notes released' "$log"
  echo dummy_udc.0 >$gadget/UDC
  check "it is connected again within 4 s" wait_for 4 'connected "Test Keys' "$log"
  sleep 1
  keys_down
  sleep 0.5
  echo >$gadget/UDC
  check "and plays again" wait_for 2 '3 notes released' "$log" 2
  check "the program never ended" kill -0 "$player"
  stop_player
  check "ends with 0" [ $? -eq 0 ]
  says "$log"
}

# A USB sound card, pulled out while it plays.
card() {
  echo "card: pulled out while playing, plugged in again"
  local usb="" device
  for device in /sys/bus/usb/devices/*; do
    if grep -qi audio "$device/product" 2>/dev/null; then
      usb=$device
    fi
  done
  if [ -z "$usb" ]; then
    echo "skipped: no USB sound card here"
    return
  fi
  local log=$work/card.log
  play "$log" -a usb -m none
  check "starts" wait_for 20 "USB" "$log"
  sleep 2
  echo 0 >"$usb/authorized"
  check "the loss is noticed within 8 s" wait_for 8 "lost\|gone\|stalled\|no audio" "$log"
  check "the program goes on" kill -0 "$player"
  echo 1 >"$usb/authorized"
  check "and plays on the same card within 10 s" wait_for 10 "again\|back\|reopened\|connected" "$log"
  local before=$SECONDS
  stop_player
  check "ends with 0" [ $? -eq 0 ]
  check "at once" [ $((SECONDS - before)) -le 2 ]
  says "$log"
}

# A tone on the loopback card is the input that drives hammers, in one stream with the output.
input() {
  echo "input: a tone on the loopback card drives hammers"
  python3 "$here/notes.py" tone "$work/tone.wav"
  aplay -q -D plughw:Loopback,1,0 "$work/tone.wav" &
  local source=$! log=$work/input.log
  sleep 1
  local keys=/tmp/hertzian-keys # not on the shared folder, which takes files only
  mkfifo $keys
  "$program" devices audio >"$work/devices.txt" 2>&1
  sed -n '/AUDIO IN/,$p' "$work/devices.txt" >"$work/inputs.txt"
  check "the card is among the inputs" grep -q "Loopback" "$work/inputs.txt"
  "$program" play -a loopback --input loopback -b 4096 -m none --midi-raw $keys -s drive.gain=100 -s drive.rest=0 \
    --stats --record "$work/input.wav" >"$log.out" 2>"$log" &
  player=$!
  exec 5>$keys
  printf '\x90\x3c\x01' >&5
  check "starts" wait_for 20 "input  Loopback" "$log"
  sleep 5
  stop_player
  check "ends with 0" [ $? -eq 0 ]
  exec 5>&-
  kill $source
  # The tone has half of full scale.
  check "the tone is heard" grep -q '"input_peak_dbfs": -6.0' "$log.out"
  check "the recording is there" [ -s "$work/input.wav" ]
  says "$log"
  says "$log.out"
}

# A port of our own: found by its name, a source while somebody is connected, its notes let go of when that ends.
port() {
  echo "port: sequencers find hertzian and play on it"
  local log=$work/port.log
  play "$log" -a null --control=/tmp/hertzian-port
  check "starts" wait_for 20 "audio" "$log"
  aconnect -o >"$work/clients.txt"
  check "it is among the clients of aconnect" grep -q "'hertzian'" "$work/clients.txt"
  aplaymidi -l >"$work/ports.txt"
  check "and among those of aplaymidi" grep -q "hertzian MIDI in" "$work/ports.txt"
  python3 "$here/notes.py" chord "$work/held.mid"
  aplaymidi -p hertzian "$work/held.mid"
  check "who connects is told" wait_for 4 'connected "ALSA port hertzian"' "$log"
  check "who leaves has his notes released" wait_for 4 'lost "ALSA port hertzian", 3 notes released' "$log"
  "$program" ctl --control=/tmp/hertzian-port status --json >"$work/status.json"
  check "they were played" grep -q '"notes": 3' "$work/status.json"
  stop_player
  check "ends with 0" [ $? -eq 0 ]
  says "$log"
}

# A card that another program holds, named plainly and in full; and which is taken without a name.
busy() {
  echo "busy: who holds a card is said"
  local log=$work/busy.log card
  card=$(sed -n 's/^ *\([0-9]*\) \[.*USB-Audio.*/\1/p' /proc/asound/cards)
  if [ -z "$card" ]; then
    echo "skipped: no USB sound card here"
    return
  fi
  "$program" play -i glockenspiel -m none -b 4096 --duration 1 >"$log" 2>&1
  check "without a name a card that programs share is taken" grep -q "audio sysdefault:CARD=[A-Z]" "$log"
  aplay -q -D "hw:$card,0" -f S16_LE -c 2 -r 48000 /dev/zero &
  local holder=$!
  sleep 3
  "$program" devices audio >"$work/held.txt" 2>&1
  check "the list says who holds one" grep -q "USB Audio.*(busy: aplay\[$holder\])" "$work/held.txt"
  "$program" play -i glockenspiel -m none -a "usb audio" --duration 1 >>"$log" 2>&1
  check "a part of its name is enough" grep -q "QEMU USB Audio.*busy: held by aplay\[$holder\]" "$log"
  "$program" play -i glockenspiel -m none -a "alsa:hw:$card,0" --duration 1 >>"$log" 2>&1
  check "and so is ALSA's own" grep -q "\"hw:$card,0\" is busy: held by aplay\[$holder\]" "$log"
  kill $holder
  says "$work/held.txt"
  says "$log"
}

# Two ports that have the same name.
twins() {
  echo "twins: ports that are called the same"
  python3 "$here/twins.py" 2 &
  local pair=$!
  local tries=20
  while ((tries-- > 0)) && ! "$program" devices midi 2>&1 | tee "$work/twins.txt" | grep -q 'Twin Keys#2'; do
    sleep 1
  done
  check "the list has #1" grep -q 'Twin Keys#1' "$work/twins.txt"
  check "and #2" grep -q 'Twin Keys#2' "$work/twins.txt"
  play "$work/twins.log" -a null -m "twin keys#2"
  check "the second can be chosen" wait_for 20 'midi Twin Keys#2' "$work/twins.log"
  stop_player
  "$program" play -i marimba -a null -m "twin keys#3" --duration 1 >"$work/twins3.log" 2>&1
  check "a third is an error" [ $? -eq 3 ]
  check "that says how many there are" grep -q "there are 2" "$work/twins3.log"
  kill $pair
  says "$work/twins.txt"
  says "$work/twins3.log"
}

# A take on a disk that is cut off.
power() {
  echo "power: the disk is cut off while a take is written"
  if ! command -v dmsetup >/dev/null || ! modprobe -a loop dm-mod ext4; then
    echo "skipped: no device mapper here"
    return
  fi
  check "two seconds of it are lost at most" python3 "$here/power.py" "$program" "${POWER_CUTS:-3}"
}

for part in "$@"; do
  case $part in
  all)
    notes
    keyboard
    card
    input
    port
    busy
    twins
    power
    ;;
  notes | keyboard | card | input | port | busy | twins | power) $part ;;
  *)
    echo "no such part: $part" >&2
    exit 2
    ;;
  esac
done
exit $failed
