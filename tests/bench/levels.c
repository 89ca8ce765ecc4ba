/*
  For makers of instruments: how loud every instrument is beside the others.

      bench_levels [NAME...]

  A line for each instrument, all of instruments/ unless some are named. Of the middle key and both quarter points of the range,
  held, at velocity 80: the loudest 35 ms and the loudest 400 ms (weighted as ITU-R BS.1770 says). Of the middle key the peak at
  velocity 127. The loudest 35 ms of the middle key are what instruments/test_every compares. Dry: without a room.
*/
#include "sound/every.h"
#include "sound/loudness.h"

#include <math.h>
#include <stdio.h>

static const double rate_hz = 48000.0;
static const double heard_s = 1.5; // also a bow has set its string going by then
static const double mezzoforte = 80.0;
static const double fortissimo = 127.0;
static const double stroke_s = 0.035, note_s = 0.4;
enum { HOPS_PER_SECOND = 200, PLACES = 3 };

static void print_key(sound* s, int key) {
  note n;
  const size_t hop = (size_t)rate_hz / HOPS_PER_SECOND;
  every_note(s, key, mezzoforte, heard_s, &n);
  printf("  key %3d: %6.1f %6.1f", key, loudness_max(n.left, n.right, n.frames, rate_hz, stroke_s, hop),
         loudness_max(n.left, n.right, n.frames, rate_hz, note_s, hop));
  note_free(&n);
}

static void print_line(const char* name) {
  char path[HTZ_PATH_MAX];
  sound s;
  note n;
  instrument_path(name, path);
  if (!sound_open(&s, path, rate_hz)) {
    return;
  }
  if (!sound_set(&s, "room", 0.0)) {
    return;
  }
  const int low = s.spec->key_low, span = s.spec->key_high - low;
  printf("%-16s", name);
  for (int i = 1; i <= PLACES; ++i) {
    print_key(&s, low + i * span / (PLACES + 1));
  }
  every_note(&s, low + span / 2, fortissimo, heard_s, &n);
  printf(" LUFS   peak at 127: %6.1f dBFS\n", decibels(fmax(peak_of(n.left, n.frames), peak_of(n.right, n.frames))));
  fflush(stdout);
  note_free(&n);
  sound_close(&s);
}

int main(int argc, char** argv) {
  every_instrument all = every_list();
  for (size_t i = 0; i < all.n && argc < 2; ++i) {
    print_line(all.name[i]);
  }
  for (int i = 1; i < argc; ++i) {
    print_line(argv[i]);
  }
  every_free(&all);
  return 0;
}
