#include "midi_words.h"

#include "hertzian/midi/sysex.h"

#include <stdio.h>

// MIDI 1.0 detailed specification, table III, and its later additions (RP-021, CA-026, CA-031).
static const char* const controllers[128] = {
    [0] = "bank",
    [1] = "modulation",
    [2] = "breath",
    [4] = "foot",
    [5] = "portamento time",
    [6] = "data entry",
    [7] = "volume",
    [8] = "balance",
    [10] = "pan",
    [11] = "expression",
    [12] = "effect 1",
    [13] = "effect 2",
    [32] = "bank, low",
    [33] = "modulation, low",
    [38] = "data entry, low",
    [64] = "sustain pedal",
    [65] = "portamento",
    [66] = "sostenuto pedal",
    [67] = "soft pedal",
    [68] = "legato",
    [69] = "hold 2",
    [70] = "variation",
    [71] = "timbre",
    [72] = "release time",
    [73] = "attack time",
    [74] = "brightness",
    [75] = "decay time",
    [76] = "vibrato rate",
    [77] = "vibrato depth",
    [78] = "vibrato delay",
    [84] = "portamento from",
    [88] = "velocity, low",
    [91] = "reverb",
    [92] = "tremolo",
    [93] = "chorus",
    [94] = "detune",
    [95] = "phaser",
    [96] = "increment",
    [97] = "decrement",
    [98] = "non-registered, low",
    [99] = "non-registered",
    [100] = "registered, low",
    [101] = "registered",
    [120] = "all sound off",
    [121] = "reset controllers",
    [122] = "local control",
    [123] = "all notes off",
    [124] = "omni off",
    [125] = "omni on",
    [126] = "mono",
    [127] = "poly",
};

const char* htz_midi_controller_name(unsigned cc) {
  return cc < sizeof controllers / sizeof controllers[0] ? controllers[cc] : NULL;
}

static void key_text(unsigned key, char text[16]) {
  static const char* const names[] = {"C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"};
  enum { OCTAVE = 12 };
  snprintf(text, 16, "%s%d (%u)", names[key % OCTAVE], (int)(key / OCTAVE) - 1, key);
}

static const char* system_words(const htz_midi_message* m, char text[HTZ_MIDI_WORDS]) {
  static const double full = 16383.0, centre = 8192.0, units = 16384.0;
  char key[16];
  switch ((htz_system_kind)m->data1) {
  case HTZ_SYSTEM_RESET:
    snprintf(text, HTZ_MIDI_WORDS, "all     reset");
    break;
  case HTZ_SYSTEM_UNTUNE:
    snprintf(text, HTZ_MIDI_WORDS, "all     tuning as it began");
    break;
  case HTZ_SYSTEM_VOLUME:
    snprintf(text, HTZ_MIDI_WORDS, "all     master volume %.0f %%", 100.0 * m->value / full);
    break;
  case HTZ_SYSTEM_FINE:
    snprintf(text, HTZ_MIDI_WORDS, "all     master tuning %+.1f cent", 100.0 * (m->value - centre) / centre);
    break;
  case HTZ_SYSTEM_COARSE:
    snprintf(text, HTZ_MIDI_WORDS, "all     master tuning %+d semitones", m->data2 - 64);
    break;
  case HTZ_SYSTEM_KEY: {
    const htz_system_pitch pitch = htz_system_pitch_of(m);
    key_text(m->data2, key);
    if (pitch.pitch == HTZ_SYSTEM_NO_CHANGE) {
      snprintf(text, HTZ_MIDI_WORDS, "all     tuning %u    %s stays", pitch.program, key);
    } else {
      snprintf(text, HTZ_MIDI_WORDS, "all     tuning %u    %s %+.2f cent", pitch.program, key,
               100.0 * (pitch.pitch / units - m->data2));
    }
    break;
  }
  case HTZ_SYSTEM_OCTAVE:
    snprintf(text, HTZ_MIDI_WORDS, "some    octave tuning, pitch class %u %+.2f cent", m->data2,
             100.0 * htz_system_octave_of(m).offset / centre);
    break;
  case HTZ_SYSTEM_DIAL:
    snprintf(text, HTZ_MIDI_WORDS, "all     dialled");
    break;
  }
  return text;
}

const char* htz_midi_words(const htz_midi_message* m, char text[HTZ_MIDI_WORDS]) {
  const unsigned channel = (m->status & HTZ_MIDI_CHANNEL_MASK) + 1u;
  char key[16];
  if (m->status == HTZ_MIDI_RESET) {
    snprintf(text, HTZ_MIDI_WORDS, "all     reset");
    return text;
  }
  if (m->status == HTZ_MIDI_SYSTEM) {
    return system_words(m, text);
  }
  key_text(m->data1, key);
  switch (m->status & HTZ_MIDI_KIND_MASK) {
  case HTZ_MIDI_NOTE_ON:
    snprintf(text, HTZ_MIDI_WORDS, "ch %-2u   note on     %s velocity %u", channel, key, m->data2);
    break;
  case HTZ_MIDI_NOTE_OFF:
    snprintf(text, HTZ_MIDI_WORDS, "ch %-2u   note off    %s velocity %u", channel, key, m->data2);
    break;
  case HTZ_MIDI_KEY_PRESSURE:
    snprintf(text, HTZ_MIDI_WORDS, "ch %-2u   pressure    %s %u", channel, key, m->data2);
    break;
  case HTZ_MIDI_CONTROL: {
    const char* name = htz_midi_controller_name(m->data1);
    snprintf(text, HTZ_MIDI_WORDS, "ch %-2u   controller  %u%s%s%s %u", channel, m->data1, name ? " (" : "", name ? name : "",
             name ? ")" : "", m->data2);
    break;
  }
  case HTZ_MIDI_PROGRAM:
    snprintf(text, HTZ_MIDI_WORDS, "ch %-2u   program     %u", channel, m->data1 + 1u);
    break;
  case HTZ_MIDI_CHANNEL_PRESSURE:
    snprintf(text, HTZ_MIDI_WORDS, "ch %-2u   pressure    %u", channel, m->data1);
    break;
  default:
    snprintf(text, HTZ_MIDI_WORDS, "ch %-2u   bend        %+d", channel, (m->data2 << 7 | m->data1) - 8192);
    break;
  }
  return text;
}
