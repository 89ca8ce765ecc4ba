#include "json.h"
#include "options.h"
#include "settings.h"
#include "show_instrument.h"
#include "try_draw.h"
#include "try_hear.h"

#include "hertzian/host/orchestra.h"
#include "hertzian/host/output.h"
#include "hertzian/io/loudness.h"
#include "hertzian/lab/note.h"

#include <math.h>
#include <stdlib.h>

static const double held_s = 2.0, left_s = 0.5; // of each note

/** One note of the phrase and what was measured of it. */
typedef struct {
  int key, velocity;
  htz_lab_note is;
  double lufs; // loudest 400 ms
} tried;

typedef struct {
  const htz_options* options;
  htz_spec* spec;
  double rate_hz;
  htz_lab_voice* voice;
  size_t held, frames; // of a note
  size_t n;
  tried note[HTZ_TRY_KEYS_MAX * HTZ_TRY_VELOCITIES_MAX];
  float* samples; // [n * frames][2]
} trial;

static int starve(const trial* t) {
  htz_log_say(t->options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
  return HTZ_EXIT_INTERNAL;
}

static int load(trial* t, const char* name) {
  char path[HTZ_PATH_MAX];
  htz_diags diags;
  htz_status st = htz_spec_find(name, path, &diags);
  st = st ? st : htz_spec_load(path, &t->spec, &diags);
  if (st) {
    htz_diags_say_status(&diags, st, t->options->log);
    return htz_exit_for(st, HTZ_EXIT_INPUT);
  }
  htz_orchestra_as_played(t->spec);
  return htz_settings_check_on(t->options, t->spec);
}

/** The keys asked for, else the middle of the range and both quarter points, of those that there are. */
static size_t choose_keys(const trial* t, int* keys) {
  enum { PLACES = 3 };
  const int low = t->spec->key_low, span = t->spec->key_high - low;
  size_t n = 0;
  for (size_t i = 0; i < t->options->n_keys; ++i) {
    keys[n++] = t->options->keys[i];
  }
  for (int i = 1; i <= PLACES && t->options->n_keys == 0; ++i) {
    const int key = low + i * span / (PLACES + 1);
    if (n == 0 || keys[n - 1] != key) {
      keys[n++] = key;
    }
  }
  return n;
}

static void plan(trial* t) {
  static const int usual[] = {40, 100};
  const size_t n_usual = sizeof usual / sizeof usual[0];
  int keys[HTZ_TRY_KEYS_MAX];
  const size_t n_keys = choose_keys(t, keys);
  const size_t n = t->options->n_velocities ? t->options->n_velocities : n_usual;
  const int* velocities = t->options->n_velocities ? t->options->velocities : usual;
  for (size_t k = 0; k < n_keys; ++k) {
    for (size_t v = 0; v < n; ++v) {
      t->note[t->n++] = (tried){.key = keys[k], .velocity = velocities[v]};
    }
  }
  t->held = (size_t)(held_s * t->rate_hz) / HTZ_QUANTUM * HTZ_QUANTUM;
  t->frames = t->held + (size_t)(left_s * t->rate_hz) / HTZ_QUANTUM * HTZ_QUANTUM;
}

static htz_status measure(const trial* t, tried* note, const float* x) {
  htz_loudness* loudness;
  htz_status st = htz_lab_note_measure(x, t->held, t->rate_hz, htz_key_hz(note->key), &note->is);
  st = st ? st : htz_loudness_new(t->rate_hz, 2, HTZ_LOUDNESS_NOTES, &loudness);
  if (!st) {
    st = htz_loudness_add(loudness, x, t->held);
    note->lufs = htz_loudness_loudest(loudness);
    htz_loudness_free(loudness);
  }
  return st;
}

static int play(trial* t) {
  const char* why;
  t->samples = malloc(t->n * t->frames * 2 * sizeof *t->samples);
  const htz_status st = t->samples ? htz_lab_voice_new(t->spec, t->rate_hz, false, &t->voice, &why) : HTZ_NO_MEMORY;
  if (st == HTZ_NO_MEMORY) {
    return starve(t);
  }
  if (st) {
    htz_log_say(t->options->log, HTZ_LOG_ERROR, "%s: %s", t->spec->file, why ? why : htz_status_text(st));
    return htz_exit_for(st, HTZ_EXIT_INPUT);
  }
  for (size_t i = 0; i < t->options->n_settings; ++i) {
    htz_lab_voice_set(t->voice, htz_setting_param(&t->options->settings[i], t->spec), t->options->settings[i].value);
  }
  const float gain = (float)htz_output_gain(0.0);
  for (size_t i = 0; i < t->n; ++i) {
    float* x = t->samples + i * t->frames * 2;
    htz_lab_voice_note(t->voice, t->note[i].key, t->note[i].velocity, t->held, t->frames, x);
    for (size_t s = 0; s < 2 * t->frames; ++s) {
      x[s] *= gain;
    }
    if (measure(t, &t->note[i], x)) {
      return starve(t);
    }
  }
  const uint64_t resets = htz_lab_voice_resets(t->voice);
  if (resets > 0) {
    htz_log_say(t->options->log, HTZ_LOG_WARNING, "%s: warning: %llu key(s) reset, their state was not finite or ran away",
                t->spec->id, (unsigned long long)resets);
  }
  return HTZ_EXIT_DONE;
}

static double cents_of(const tried* note) {
  return 1200.0 * log2(note->is.pitch_hz / htz_key_hz(note->key));
}

/** A number in a column, or a dash where there is none. */
static void cell(double value, int width, int digits) {
  if (isfinite(value)) {
    printf(" %*.*f", width, digits, value);
  } else {
    printf(" %*s", width, "-");
  }
}

static void print_table(const trial* t) {
  char name[HTZ_KEY_NAME];
  printf("%-4s %4s %10s %8s %12s %8s %10s %7s\n", "KEY", "VEL", "PEAK dBFS", "LUFS", "CENTROID Hz", "T60 s", "PITCH Hz",
         "CENT");
  for (size_t i = 0; i < t->n; ++i) {
    const tried* note = &t->note[i];
    printf("%-4s %4d", htz_key_name(note->key, name), note->velocity);
    cell(20.0 * log10(note->is.peak), 10, 1);
    cell(note->lufs, 8, 1);
    cell(note->is.centroid_hz, 12, 0);
    cell(note->is.t60_s, 8, 2);
    cell(note->is.pitch_hz, 10, 2);
    cell(cents_of(note), 7, 1);
    fputc('\n', stdout);
  }
}

static void json_field(const char* name, double value) {
  enum { DIGITS = 7 };
  printf(", \"%s\": ", name);
  htz_json_number(stdout, value, DIGITS);
}

static void print_json(const trial* t) {
  fputs("{\"instrument\": ", stdout);
  htz_json_string(stdout, t->spec->id);
  json_field("rate_hz", t->rate_hz);
  fputs(", \"notes\": [", stdout);
  for (size_t i = 0; i < t->n; ++i) {
    const tried* note = &t->note[i];
    printf("%s\n  {\"key\": %d, \"velocity\": %d", i ? "," : "", note->key, note->velocity);
    json_field("peak_dbfs", 20.0 * log10(note->is.peak));
    json_field("loudness_lufs", note->lufs);
    json_field("centroid_hz", note->is.centroid_hz);
    json_field("t60_s", note->is.t60_s);
    json_field("pitch_hz", note->is.pitch_hz);
    json_field("cents", cents_of(note));
    fputc('}', stdout);
  }
  fputs("\n]}\n", stdout);
}

static int write_file(const trial* t) {
  const htz_options* o = t->options;
  const htz_sound_desc desc = {.path = o->output,
                               .container = HTZ_CONTAINER_WAV,
                               .encoding = HTZ_ENCODING_S24,
                               .rate_hz = (unsigned)t->rate_hz,
                               .channels = 2};
  htz_sound_out* file;
  char why[HTZ_SOUND_WHY];
  htz_status st = htz_sound_out_open(&desc, &file, why);
  if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->output, why);
    return htz_exit_for(st, HTZ_EXIT_OUTPUT);
  }
  st = htz_sound_out_write(file, t->samples, t->n * t->frames);
  st = st ? st : htz_sound_out_commit(file);
  if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->output, htz_sound_out_error(file));
  }
  htz_sound_out_free(file);
  return st ? htz_exit_for(st, HTZ_EXIT_OUTPUT) : HTZ_EXIT_DONE;
}

static int draw(const trial* t) {
  const size_t last = t->n - 1; // the hardest of the highest key unless told otherwise
  return htz_try_draw(t->options, t->spec, t->note[last].key, t->note[last].velocity, t->rate_hz,
                      t->samples + last * t->frames * 2, t->held);
}

int htz_cmd_try(const htz_options* options) {
  if (options->n_args != 1) {
    htz_log_say(options->log, HTZ_LOG_ERROR,
                "try: takes one instrument; usage: hertzian try NAME|FILE [--keys C3,C4] [-o FILE]");
    return HTZ_EXIT_USAGE;
  }
  trial* t = calloc(1, sizeof *t);
  if (!t) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s", htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  t->options = options;
  t->rate_hz = options->rate_hz;
  int code = load(t, options->args[0]);
  if (!code) {
    plan(t);
    code = play(t);
  }
  if (!code) {
    (options->json ? print_json : print_table)(t);
    fflush(stdout); // to be read while it is heard
    code = options->output ? write_file(t) : htz_hear(options, t->rate_hz, t->samples, t->n * t->frames);
  }
  if (!code && options->plot) {
    code = draw(t);
  }
  htz_lab_voice_free(t->voice);
  free(t->samples);
  htz_spec_free(t->spec);
  free(t);
  return code;
}
