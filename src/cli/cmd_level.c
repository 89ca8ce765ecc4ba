#include "json.h"
#include "options.h"
#include "show_instrument.h"

#include "hertzian/io/loudness.h"
#include "hertzian/lab/note.h"

#include <math.h>
#include <stdlib.h>

static const double rate_hz = 48000.0;
static const double heard_s = 1.0; // a note is loudest well before this; a bow has its string going
static const double even_velocity = 80.0, full_velocity = 127.0;
// Of the middle key at velocity 127, as the engine gives it, and as the installed instruments have it; HTZ_OUTPUT_DB more is heard of it.
static const double peak_db = -20.0;
enum { STEP = 6, PER_LINE = 8 }; // keys between points of a table

/** The keys of one object, how loud they are and what is to be done about it. */
typedef struct {
  const htz_spec* object;
  int low, high;
  double lufs[HTZ_KEYS];       // loudest 400 ms, minus infinity: silent
  double correction[HTZ_KEYS]; // [dB]
} plan;

typedef struct {
  const htz_options* options;
  htz_spec* spec;
  htz_lab_voice* voice;
  size_t frames;
  float* samples;
} desk;

static bool is_point(const plan* p, int key) {
  return key == p->high || (key - p->low) % STEP == 0;
}

static htz_status play(desk* d, int key, double velocity, double* lufs, double* peak) {
  htz_loudness* loudness;
  htz_lab_voice_note(d->voice, key, velocity, d->frames, d->frames, d->samples);
  *peak = 0.0;
  for (size_t i = 0; i < 2 * d->frames; ++i) {
    *peak = fmax(*peak, fabs((double)d->samples[i]));
  }
  htz_status st = htz_loudness_new(rate_hz, 2, HTZ_LOUDNESS_NOTES, &loudness);
  if (!st) {
    st = htz_loudness_add(loudness, d->samples, d->frames);
    *lufs = htz_loudness_loudest(loudness);
    htz_loudness_free(loudness);
  }
  return st;
}

/** The loudness that a key has when the middle one peaks where it should. */
static htz_status measure(desk* d, plan* p) {
  const int middle = (p->low + p->high) / 2;
  double peak, lufs;
  htz_status st = play(d, middle, full_velocity, &lufs, &peak);
  const double lift = peak_db - 20.0 * log10(peak);
  for (int key = p->low; key <= p->high && !st; ++key) {
    st = play(d, key, even_velocity, &p->lufs[key], &peak);
  }
  const double wanted = p->lufs[middle] + lift;
  for (int key = p->low; key <= p->high; ++key) {
    const double correction = wanted - p->lufs[key];
    p->correction[key] = isfinite(correction) ? correction : 0.0;
  }
  return st;
}

static double spread(const plan* p, bool then) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  int from = p->low;
  for (int key = p->low; key <= p->high; ++key) {
    from = is_point(p, key) ? key : from;
    int to = key;
    while (!is_point(p, to)) {
      ++to;
    }
    // Between two points of a table a gain is a straight line; so is, near enough, its correction in decibels.
    const double share = to > from ? (double)(key - from) / (to - from) : 0.0;
    const double line = then ? p->correction[from] + share * (p->correction[to] - p->correction[from]) : 0.0;
    if (isfinite(p->lufs[key])) {
      least = fmin(least, p->lufs[key] + line);
      most = fmax(most, p->lufs[key] + line);
    }
  }
  return most - least;
}

static void print_gain(const plan* p, const char* what, const char* of, const htz_table* gains) {
  printf("    # %s of %s\n    gain: {", what, of);
  unsigned n = 0;
  for (int key = p->low; key <= p->high; ++key) {
    if (is_point(p, key)) {
      printf("%s%d: %.3g",
             n == 0         ? ""
             : n % PER_LINE ? ", "
                            : ",\n      ",
             key, htz_table_at(gains, key) * pow(10.0, p->correction[key] / 20.0));
      ++n;
    }
  }
  printf("}\n");
}

static void print_plan(const plan* p) {
  const htz_spec* spec = p->object;
  char low[HTZ_KEY_NAME], high[HTZ_KEY_NAME];
  printf("# %s to %s: keys differ by %.1f LU at velocity %.0f; with these gains by %.1f LU\n", htz_key_name(p->low, low),
         htz_key_name(p->high, high), spread(p, false), even_velocity, spread(p, true));
  for (size_t i = 0; i < spec->n_pickups; ++i) {
    print_gain(p, "pickup", spec->bodies[spec->pickups[i].of].name, &spec->pickups[i].gain);
  }
  for (size_t i = 0; i < spec->board.n_drives && spec->n_pickups == 0; ++i) {
    print_gain(p, "drive", spec->bodies[spec->board.drives[i].from].name, &spec->board.drives[i].gain);
  }
}

static void print_plan_json(const plan* p, bool first) {
  enum { DIGITS = 6 };
  printf("%s\n  {\"low\": %d, \"high\": %d, \"spread_lu\": ", first ? "" : ",", p->low, p->high);
  htz_json_number(stdout, spread(p, false), DIGITS);
  printf(", \"spread_then_lu\": ");
  htz_json_number(stdout, spread(p, true), DIGITS);
  printf(", \"keys\": [");
  for (int key = p->low; key <= p->high; ++key) {
    printf("%s\n    {\"key\": %d, \"lufs\": ", key > p->low ? "," : "", key);
    htz_json_number(stdout, p->lufs[key], DIGITS);
    printf(", \"correction_db\": ");
    htz_json_number(stdout, p->correction[key], DIGITS);
    printf("}");
  }
  printf("]}");
}

static htz_status level(desk* d) {
  plan* p = calloc(1, sizeof *p);
  htz_status st = p ? HTZ_OK : HTZ_NO_MEMORY;
  bool first = true;
  if (d->options->json) {
    printf("[");
  }
  for (int key = d->spec->key_low; key <= d->spec->key_high && !st; ++key) {
    const htz_spec* object = htz_spec_object(d->spec, key);
    if (object && (key == d->spec->key_low || object != p->object)) {
      p->object = object;
      p->low = key;
      for (p->high = key; p->high < d->spec->key_high && htz_spec_object(d->spec, p->high + 1) == object;) {
        ++p->high;
      }
      st = measure(d, p);
      if (!st && d->options->json) {
        print_plan_json(p, first);
      } else if (!st) {
        print_plan(p);
      }
      first = false;
      key = p->high;
    }
  }
  if (d->options->json) {
    printf("\n]\n");
  }
  free(p);
  return st;
}

static int run(desk* d, const char* name) {
  const htz_options* o = d->options;
  char path[HTZ_PATH_MAX];
  htz_diags diags;
  const char* why = NULL;
  htz_status st = htz_spec_find(name, path, &diags);
  st = st ? st : htz_spec_load(path, &d->spec, &diags);
  if (st) {
    htz_diags_say_status(&diags, st, o->log);
    return htz_exit_for(st, HTZ_EXIT_INPUT);
  }
  d->frames = (size_t)(heard_s * rate_hz);
  d->samples = malloc(2 * d->frames * sizeof *d->samples);
  st = d->samples ? htz_lab_voice_new(d->spec, rate_hz, true, &d->voice, &why) : HTZ_NO_MEMORY;
  st = st ? st : level(d);
  if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", d->spec->file, why ? why : htz_status_text(st));
  }
  return htz_exit_for(st, HTZ_EXIT_INPUT);
}

int htz_cmd_level(const htz_options* options) {
  if (options->n_args != 1) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "level: takes one instrument; usage: hertzian level NAME|FILE [--json]");
    return HTZ_EXIT_USAGE;
  }
  desk d = {.options = options};
  const int code = run(&d, options->args[0]);
  htz_lab_voice_free(d.voice);
  free(d.samples);
  htz_spec_free(d.spec);
  return code;
}
