// What is dialled in while it plays, and parts that are freed and built again: a render of what was written down is the same samples.
#include "live_show.h"

#include "hertzian/host/dials.h"
#include "hertzian/host/output.h"
#include "hertzian/host/player.h"
#include "hertzian/host/song_span.h"
#include "hertzian/midi/smf_write.h"
#include "hertzian/midi/sysex.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { BLOCK = 128, KINDS = 4, WORDS_MOST = 64, SECONDS_MOST = 12 };

static char folder[512];
static float sound[SECONDS_MOST * 48000 * 2];

static void path_of(unsigned kind, char path[1024]) {
  snprintf(path, 1024, "%.500s/bars%u.yaml", folder, kind);
}

static int set_up(void** state) {
  (void)state;
  const char* base = getenv("TMPDIR");
  char path[1024], text[4096];
  snprintf(folder, sizeof folder, "%s/hertzian-dials-%ld", base ? base : "/tmp", (long)getpid());
  snprintf(path, sizeof path, "mkdir -p %.500s", folder);
  assert_int_equal(system(path), 0);
  snprintf(path, sizeof path, "%s/%s", HTZ_SOURCE_DIR, bars);
  FILE* from = fopen(path, "rb");
  assert_non_null(from);
  const size_t size = fread(text, 1, sizeof text, from);
  fclose(from);
  for (unsigned kind = 0; kind < KINDS; kind++) {
    path_of(kind, path);
    FILE* to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, size, to), size);
    fclose(to);
  }
  return 0;
}

static int tear_down(void** state) {
  (void)state;
  char command[600];
  snprintf(command, sizeof command, "rm -r %.500s", folder);
  return system(command) == 0 ? 0 : -1;
}

/** A performance that is written down. */
typedef struct {
  show s;
  htz_smf_writer* writer;
  char song[1024];
  char words[WORDS_MOST][HTZ_DIAL_WORDS];
  uint32_t n_words;
  uint32_t freed; // parts
  size_t frames;
} session;

static void open_session(session* k) {
  char path[1024];
  memset(k, 0, sizeof *k);
  show* s = &k->s;
  s->performance = (htz_performance){.channels = HTZ_MIDI_OMNI};
  htz_velocity_linear(&s->performance.velocity);
  path_of(0, path);
  assert_int_equal(htz_orchestra_load(&s->orchestra, path, &s->log), HTZ_OK);
  htz_orchestra_all_as_played(&s->orchestra); // a player's hand, and a room
  const htz_live_desc desc = {.rate_hz = rate_hz, .frames = BLOCK, .performance = &s->performance};
  assert_int_equal(htz_live_new(&desc, &s->live), HTZ_OK);
  htz_live_pool_init(&s->pool, &s->orchestra, &s->performance, s->live);
  atomic_store(&s->live->log_midi, true);
  s->frames = BLOCK;
  s->time_s = 100.0;
  snprintf(k->song, sizeof k->song, "%.500s/song.mid", folder);
  unlink(k->song);
  assert_int_equal(htz_smf_writer_open(k->song, rate_hz, &k->writer), HTZ_OK);
}

static void close_session(session* k) {
  close_show(&k->s);
}

static uint32_t say(session* k, const char* text) {
  assert_true(k->n_words < WORDS_MOST);
  snprintf(k->words[k->n_words], HTZ_DIAL_WORDS, "%s", text);
  return ++k->n_words;
}

static void write_down(session* k, const htz_midi_message* m) {
  char text[HTZ_DIAL_WORDS];
  if (m->status != HTZ_MIDI_SYSTEM || m->data1 != HTZ_SYSTEM_DIAL) {
    assert_int_equal(htz_smf_writer_put(k->writer, m), HTZ_OK);
  } else if (m->data2 == HTZ_SAID_ORDER) {
    assert_int_equal(htz_smf_writer_dial(k->writer, m->frame, k->words[m->value - 1]), HTZ_OK);
  } else {
    k->freed += m->data2 == HTZ_SAID_FREE;
    const htz_role* role = &k->s.orchestra.role[m->value / HTZ_MIDI_CHANNELS];
    htz_dial_text(m->data2 == HTZ_SAID_FREE ? "free" : "silence", role, m->value % HTZ_MIDI_CHANNELS, text);
    assert_int_equal(htz_smf_writer_dial(k->writer, m->frame, text), HTZ_OK);
  }
}

static void build_all(session* k) {
  const char* why = NULL;
  bool built = true;
  while (built) {
    assert_int_equal(htz_live_pool_build(&k->s.pool, &built, &why), HTZ_OK);
  }
}

static void go_on(session* k, double seconds) {
  htz_midi_message m;
  for (double left = seconds * rate_hz; left > 0.0; left -= BLOCK) {
    assert_true(k->frames + BLOCK <= sizeof sound / sizeof sound[0] / 2);
    run(&k->s, 1, sound + 2 * k->frames);
    k->frames += BLOCK;
    while (heard(&k->s, &m, 1) > 0) {
      write_down(k, &m);
    }
  }
  build_all(k);
}

static void turn_to(session* k, const char* words, const char* name, bool anew, uint16_t channels) {
  const uint32_t reading = anew ? htz_orchestra_next_reading(&k->s.orchestra) : 0;
  char text[HTZ_DIAL_WORDS];
  uint8_t cast = 0;
  const char* why = NULL;
  assert_int_equal(htz_orchestra_add(&k->s.orchestra, name, reading, &cast, &k->s.log), HTZ_OK);
  snprintf(text, sizeof text, "%s %s", words, name);
  assert_int_equal(htz_live_pool_turn(&k->s.pool, &k->s.orchestra, cast, channels, say(k, text), &why), HTZ_OK);
  go_on(k, BLOCK / rate_hz); // every channel asks for a part of it
}

static void set(session* k, const char* name, double value) {
  char text[HTZ_DIAL_WORDS];
  htz_dial_moved moved[HTZ_ROLES_MAX];
  size_t has = 0;
  const htz_setting setting = {htz_param_find(htz_instrument_params, HTZ_PARAM_NAMED, name), value, ""};
  const size_t n = htz_dial_moves(&k->s.orchestra, &setting, moved, &has);
  assert_int_equal(n, k->s.orchestra.n_roles);
  snprintf(text, sizeof text, "set %s %.17g", name, value);
  assert_int_equal(htz_live_pool_set(&k->s.pool, moved, n, value, say(k, text)), HTZ_OK);
}

static void strike_all(session* k, uint8_t key) {
  for (uint8_t channel = 0; channel < HTZ_MIDI_CHANNELS; channel++) {
    note(&k->s, 0, k->s.time_s + channel * 1e-4, 0x90 | channel, (uint8_t)(key + channel), 100);
    note(&k->s, 0, k->s.time_s + 0.03 + channel * 1e-4, 0x80 | channel, (uint8_t)(key + channel), 64);
  }
}

// A render of what was written down, without anything of the performance but the instrument that it began with.
static void is_rendered(session* k) {
  htz_smf_diag diag;
  htz_smf* song = NULL;
  htz_song_span span;
  htz_dials dials = {0};
  htz_dial_faults faults = {0};
  htz_orchestra orchestra;
  htz_player* player = NULL;
  char path[1024];
  const char* why = NULL;
  assert_int_equal(htz_smf_writer_close(k->writer, k->frames), HTZ_OK);
  assert_int_equal(htz_smf_load_file(k->song, &song, &diag), HTZ_OK);
  assert_int_equal(htz_smf_get_info(song)->damage, 0);
  const htz_song_wish wish = {.channels = HTZ_MIDI_OMNI, .rate_hz = rate_hz, .tempo = 1.0, .end_s = INFINITY};
  assert_int_equal(htz_song_span_init(&span, song, &wish), HTZ_OK);
  path_of(0, path);
  assert_int_equal(htz_orchestra_load(&orchestra, path, &k->s.log), HTZ_OK);
  htz_orchestra_all_as_played(&orchestra);
  htz_player_desc desc = {.song = song,
                          .orchestra = &orchestra,
                          .performance = &k->s.performance,
                          .rate_hz = rate_hz,
                          .tempo = 1.0,
                          .close = span.close};
  assert_int_equal(htz_dials_read(&dials, song, &orchestra, &desc.dials, &faults), HTZ_OK);
  assert_int_equal(faults.lost + faults.newer, 0);
  assert_int_equal(dials.n, k->n_words + k->freed);
  assert_int_equal(htz_player_new(&desc, &player, &why), HTZ_OK);
  const float gain = (float)htz_output_gain(0.0); // as a render leaves the program
  for (size_t at = 0; at < k->frames; at += HTZ_QUANTUM) {
    float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
    htz_player_quantum(player, left, right);
    for (size_t i = 0; i < HTZ_QUANTUM; i++) {
      const float rendered[2] = {left[i] * gain, right[i] * gain};
      if (sound[2 * (at + i)] != rendered[0] || sound[2 * (at + i) + 1] != rendered[1]) {
        fail_msg("frame %zu: played %.9g %.9g, rendered %.9g %.9g", at + i, (double)sound[2 * (at + i)],
                 (double)sound[2 * (at + i) + 1], (double)rendered[0], (double)rendered[1]);
      }
    }
  }
  assert_int_equal(htz_player_status(player), HTZ_OK);
  htz_player_free(player);
  htz_dials_free(&dials);
  htz_orchestra_free(&orchestra);
  htz_smf_free(song);
}

static void parameters_and_instruments(void** state) {
  (void)state;
  session k;
  char path[1024];
  open_session(&k);
  build_all(&k);
  path_of(1, path);
  note(&k.s, 0, k.s.time_s, 0x90, 60, 100);
  go_on(&k, 0.1);
  for (int i = 0; i < 10; i++) { // while it sounds: a knob
    set(&k, "level", -1.0 * i);
    go_on(&k, 0.011);
  }
  turn_to(&k, "instrument all", path, false, 0xFFFF);
  note(&k.s, 0, k.s.time_s, 0x90, 64, 100);
  go_on(&k, 0.1);
  set(&k, "room", 0.7);
  note(&k.s, 0, k.s.time_s + 0.001, 0x91, 67, 100); // a part that joins just then, with what is set already
  go_on(&k, 0.2);
  turn_to(&k, "again 1", path, true, 1);
  note(&k.s, 0, k.s.time_s, 0x90, 72, 100);
  go_on(&k, 0.2);
  set(&k, "human", 1.0);
  path_of(0, path);
  turn_to(&k, "instrument all", path, false, 0xFFFF);
  strike_all(&k, 60);
  go_on(&k, 0.3);
  assert_int_equal(atomic_load(&k.s.live->view.stood_in), 0);
  is_rendered(&k);
  close_session(&k);
}

// More parts than are kept, so that the oldest are freed; their strokes are counted from the first when they come back.
static void parts_that_were_freed(void** state) {
  (void)state;
  session k;
  char path[1024];
  open_session(&k);
  build_all(&k);
  for (unsigned round = 0; round < 6; round++) {
    path_of(round % KINDS, path);
    turn_to(&k, "instrument all", path, false, 0xFFFF);
    strike_all(&k, 60);
    go_on(&k, 0.9); // most of it to fall silent, the room's sound, too
  }
  assert_int_equal(atomic_load(&k.s.live->view.stood_in), 0);
  assert_true(k.freed >= HTZ_MIDI_CHANNELS);
  is_rendered(&k);
  close_session(&k);
}

// A part that was cut off is cut off in the render, too.
static void parts_that_were_silenced(void** state) {
  (void)state;
  htz_smf_writer* writer;
  htz_orchestra orchestra;
  htz_log log = {.file = stderr, .level = HTZ_LOG_NOTHING};
  char path[1024], file[1024];
  double after[2] = {0.0, 0.0};
  snprintf(file, sizeof file, "%.500s/silenced.mid", folder);
  for (int cut = 0; cut < 2; cut++) {
    htz_smf_diag diag;
    htz_smf* song = NULL;
    htz_dials dials = {0};
    htz_dial_faults faults = {0};
    htz_player* player = NULL;
    const char* why = NULL;
    htz_performance performance = {.channels = HTZ_MIDI_OMNI};
    htz_velocity_linear(&performance.velocity);
    unlink(file);
    path_of(0, path);
    assert_int_equal(htz_orchestra_load(&orchestra, path, &log), HTZ_OK);
    assert_int_equal(htz_smf_writer_open(file, rate_hz, &writer), HTZ_OK);
    const htz_midi_message strike = {.frame = 0, .status = 0x90, .data1 = 60, .data2 = 100, .length = 3};
    const htz_midi_message end = {.frame = 9600, .status = 0x80, .data1 = 60, .data2 = 64, .length = 3};
    assert_int_equal(htz_smf_writer_put(writer, &strike), HTZ_OK);
    if (cut) {
      char words[HTZ_DIAL_WORDS];
      htz_dial_text("silence", &orchestra.role[0], 0, words);
      assert_int_equal(htz_smf_writer_dial(writer, 4800, words), HTZ_OK);
    }
    assert_int_equal(htz_smf_writer_put(writer, &end), HTZ_OK);
    assert_int_equal(htz_smf_writer_close(writer, 9600), HTZ_OK);
    assert_int_equal(htz_smf_load_file(file, &song, &diag), HTZ_OK);
    htz_player_desc desc = {
        .song = song, .orchestra = &orchestra, .performance = &performance, .rate_hz = rate_hz, .tempo = 1.0, .close = 9600};
    assert_int_equal(htz_dials_read(&dials, song, &orchestra, &desc.dials, &faults), HTZ_OK);
    assert_int_equal(dials.n, cut);
    assert_int_equal(htz_player_new(&desc, &player, &why), HTZ_OK);
    for (size_t at = 0; at < 9600; at += HTZ_QUANTUM) {
      float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
      htz_player_quantum(player, left, right);
      after[cut] = at >= 7200 ? fmax(after[cut], fabs((double)left[0])) : 0.0;
    }
    htz_player_free(player);
    htz_dials_free(&dials);
    htz_orchestra_free(&orchestra);
    htz_smf_free(song);
  }
  print_message("50 ms later: %g, cut off %g\n", after[0], after[1]);
  assert_true(after[0] > 1e-4 && after[1] < 1e-3 * after[0]);
}

// As many orders as one wish takes are obeyed at one moment, or none is given.
static void a_wish_is_whole(void** state) {
  (void)state;
  session k;
  open_session(&k);
  build_all(&k);
  htz_dial_moved moved[HTZ_ROLES_MAX];
  for (uint32_t i = 0; i < HTZ_ROLES_MAX; i++) {
    moved[i] = (htz_dial_moved){0, HTZ_PARAM_LEVEL};
  }
  size_t given = 0;
  while (htz_live_pool_set(&k.s.pool, moved, HTZ_ROLES_MAX, -1.0, (uint32_t)given + 1) == HTZ_OK) {
    given++;
  }
  assert_int_equal(given, HTZ_LIVE_ORDERS / HTZ_ROLES_MAX);
  assert_int_equal(htz_ring_count(&k.s.live->orders), given * HTZ_ROLES_MAX);
  htz_midi_message m[8];
  size_t blocks = 0, said = 0;
  for (; htz_ring_count(&k.s.live->orders) > 0; blocks++) {
    run(&k.s, 1, sound);
    assert_int_equal(htz_ring_count(&k.s.live->orders) % HTZ_ROLES_MAX, 0);
    const size_t n = heard(&k.s, m, 8);
    for (size_t i = 0; i < n; i++) {
      assert_int_equal(m[i].value, ++said);
      assert_int_equal(m[i].frame, blocks * BLOCK);
    }
  }
  assert_int_equal(said, given);
  assert_int_equal(htz_smf_writer_close(k.writer, 0), HTZ_OK);
  close_session(&k);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_and_instruments),
      cmocka_unit_test(parts_that_were_freed),
      cmocka_unit_test(parts_that_were_silenced),
      cmocka_unit_test(a_wish_is_whole),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
