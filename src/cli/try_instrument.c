#include "try_instrument.h"

#include "hertzian/engine/engine.h"
#include "hertzian/host/output.h"
#include "hertzian/instrument/instrument.h"
#include "hertzian/io/loudness.h"

#include <math.h>
#include <stdlib.h>

// Of sound cards and files, from the lowest to the highest that `-r` takes.
static const double rates_hz[] = {8000.0,  11025.0, 16000.0, 22050.0,  32000.0, 44100.0,
                                  48000.0, 88200.0, 96000.0, 176400.0, 192000.0};

static const double played_hz = 48000.0;
static const double velocity = 64.0, hardest = 127.0;
// Weaker than this, as the engine gives it, is silence: a note peaks near -20 dBFS, and the last bit of 24 is at -138 dBFS.
static const double heard_db = -120.0;
static const double patience_s =
    1.0; // until a bow has its string going, a thrown mass has come back, a rolling ball is over a bump
static const double hard_s = 0.1; // past the contact of a hard stroke
// Keys are compared by their first moments; more than this between them, or less than this, is most likely not meant.
static const double compared_s = 0.4, uneven_db = 12.0, soft_db = -60.0;

/** An instrument with its engine, dry. */
typedef struct {
  const htz_spec* spec;
  htz_engine* engine;
  htz_arena memory;
  htz_instrument* instrument;
  uint32_t part;
  htz_loudness* meter; ///< hears what is played, or NULL
  double peak;         ///< since it was last set
} stage;

static htz_status open_stage(stage* s, const htz_spec* spec, const char** why) {
  const htz_engine_desc desc = {.rate_hz = played_hz};
  *s = (stage){.spec = spec};
  htz_status st = htz_engine_new(&desc, &s->engine);
  st = st ? st : htz_instrument_build(spec, played_hz, htz_kernels_select(), NULL, &s->memory, &s->instrument, why);
  if (!st) {
    s->instrument->params[HTZ_PARAM_ROOM] = 0.0;
    st = htz_engine_add_part(s->engine, s->instrument, &s->part);
  }
  return st;
}

static void close_stage(stage* s) {
  htz_engine_free(s->engine);
  htz_arena_free(&s->memory);
}

/** Greatest sample of one quantum. */
static double quantum(stage* s) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  double peak = 0.0;
  htz_engine_quantum(s->engine, left, right);
  for (size_t i = 0; i < HTZ_QUANTUM; ++i) {
    peak = fmax(peak, fmax(fabs((double)left[i]), fabs((double)right[i])));
    const float both[] = {left[i], right[i]};
    if (s->meter) {
      (void)htz_loudness_add(s->meter, both, 1); // without memory it has heard less
    }
  }
  s->peak = fmax(s->peak, peak);
  return peak;
}

/** Let what sounds die away, for `seconds` at most. */
static void rest(stage* s, double seconds) {
  htz_engine_silence(s->engine, s->part, htz_engine_now(s->engine));
  const uint64_t end = htz_engine_now(s->engine) + (uint64_t)(seconds * played_hz);
  while (!htz_engine_asleep(s->engine) && htz_engine_now(s->engine) < end) {
    quantum(s);
  }
}

/** Strike a key that is held until it is louder than `enough`, or for `seconds`. @return whether it was */
static bool strike(stage* s, int key, double how_hard, double enough, double seconds) {
  const uint64_t frames = (uint64_t)(seconds * played_hz);
  bool heard = false;
  htz_engine_hold(s->engine, s->part, (uint32_t)key, true, htz_engine_now(s->engine));
  htz_engine_strike(s->engine, s->part, (uint32_t)key, how_hard, htz_engine_now(s->engine));
  for (uint64_t end = htz_engine_now(s->engine) + frames; !heard && htz_engine_now(s->engine) < end;) {
    heard = quantum(s) > enough;
  }
  htz_engine_hold(s->engine, s->part, (uint32_t)key, false, htz_engine_now(s->engine));
  return heard;
}

/** The value at `key` over the greatest of the range, both without sign; 1 for a table that is not given. */
static double share_at(const htz_spec* spec, const htz_table* table, int key) {
  double greatest = 0.0;
  for (int k = spec->key_low; k <= spec->key_high; ++k) {
    greatest = fmax(greatest, fabs(htz_table_at(table, k)));
  }
  return table->n && greatest > 0.0 ? fabs(htz_table_at(table, key)) / greatest : 1.0;
}

/** Where in the file the reason most likely stands that a key is silent: the table that falls farthest at this key, else the pickups. */
static htz_spec_mark reason_at(const htz_spec* spec, int key) {
  static const double fallen = 1e-3;
  const htz_spec_mallet* mallet = &spec->mallet;
  const struct {
    const htz_table* table;
    const char* path;
  } strokes[] = {
      {&mallet->mass, "mallet.mass"},         {&mallet->stiffness, "mallet.contact.stiffness"},
      {&mallet->speed[0], "mallet.speed"},    {&mallet->speed[1], "mallet.speed"},
      {&mallet->lift[0], "mallet.lift"},      {&mallet->lift[1], "mallet.lift"},
      {&spec->bows[0].force[0], "bow.force"}, {&spec->bows[0].force[1], "bow.force"},
      {&spec->bows[0].speed[0], "bow.speed"}, {&spec->bows[0].speed[1], "bow.speed"},
  };
  char path[HTZ_SPEC_WHERE] = "pickups";
  double least = fallen;
  for (size_t i = 0; i < sizeof strokes / sizeof strokes[0]; ++i) {
    const double share = share_at(spec, strokes[i].table, key);
    if (share < least) {
      least = share;
      snprintf(path, sizeof path, "%s", strokes[i].path);
    }
  }
  for (size_t i = 0; i < spec->n_pickups; ++i) {
    const double share = share_at(spec, &spec->pickups[i].gain, key);
    if (share < least) {
      least = share;
      snprintf(path, sizeof path, "pickups.%zu.gain", spec->pickups[i].item);
    }
  }
  for (size_t i = 0; i < spec->board.n_drives; ++i) {
    const double share = share_at(spec, &spec->board.drives[i].gain, key);
    if (share < least) {
      least = share;
      snprintf(path, sizeof path, "drives.%zu.gain", i);
    }
  }
  return htz_spec_place(spec, path);
}

/** How loud a key is in its first moments, as the ear weighs them [LUFS]; minus infinity without memory. Its peak is left in the stage. */
static double loudness(stage* s, int key) {
  htz_loudness* meter;
  double lufs = -HUGE_VAL;
  rest(s, compared_s);
  if (htz_loudness_new(played_hz, 2, HTZ_LOUDNESS_NOTES, &meter) == HTZ_OK) {
    s->peak = 0.0;
    s->meter = meter;
    strike(s, key, velocity, HUGE_VAL, compared_s);
    s->meter = NULL;
    lufs = htz_loudness_loudest(meter);
    htz_loudness_free(meter);
  }
  return lufs;
}

/** Whether the keys of an object are about equally loud. */
static void compare_keys(stage* s, const htz_spec* object, htz_diags* diags) {
  const htz_spec_mark at = htz_spec_place(object, object->n_pickups ? "pickups" : "drives");
  double most = -HUGE_VAL, least = HUGE_VAL, least_peak = HUGE_VAL;
  int loudest = object->key_low, softest = object->key_low;
  for (int key = object->key_low; key <= object->key_high; ++key) {
    const double lufs = htz_spec_object(s->spec, key) == object ? loudness(s, key) : NAN;
    if (lufs > most) {
      most = lufs;
      loudest = key;
    }
    if (lufs < least) {
      least = lufs;
      least_peak = s->peak;
      softest = key;
    }
  }
  const double peak_db = 20.0 * log10(least_peak) + HTZ_OUTPUT_DB;
  if (most - least > uneven_db) {
    htz_diags_warn(
        diags, at.line, at.column,
        "pickups: keys %d and %d differ by %.0f dB in loudness at velocity %g; hertzian level has gains that even them out",
        softest, loudest, most - least, velocity);
  } else if (peak_db < soft_db) {
    htz_diags_warn(diags, at.line, at.column,
                   "pickups: key %d peaks at %.0f dBFS at velocity %g; hertzian level has gains that lift it", softest, peak_db,
                   velocity);
  }
}

/** Keys of an object struck as hard as can be. */
static void play_hard(stage* s, const htz_spec* object, htz_diags* diags) {
  const int keys[] = {object->key_low, htz_spec_middle_key(object), object->key_high};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; ++i) {
    const uint64_t before = htz_engine_count(s->engine).resets;
    rest(s, hard_s);
    strike(s, keys[i], hardest, HUGE_VAL, hard_s);
    if (htz_engine_count(s->engine).resets > before) {
      const htz_spec_mark struck = htz_spec_place(object, "mallet");
      htz_diags_warn(diags, struck.line, struck.column,
                     "mallet: key %d does not stay finite at velocity %g; it is put to rest then", keys[i], hardest);
      return;
    }
  }
}

static void play(stage* s, htz_diags* diags) {
  const double enough = pow(10.0, heard_db / 20.0);
  const htz_spec* spec = s->spec;
  for (int key = spec->key_low; key <= spec->key_high; ++key) {
    const htz_spec* object = htz_spec_object(spec, key);
    const bool there = object && (object->fingered.n > 0 || s->instrument->keys[key].island);
    rest(s, patience_s);
    if (there && !strike(s, key, velocity, enough, patience_s)) {
      const htz_spec_mark at = reason_at(object, key);
      htz_diags_add(
          diags, at.line, at.column,
          "key %d, at velocity %g, is not heard within %g s: it stays below %g dBFS; is a gain too small, a stroke too "
          "weak, or does nothing reach the body that is heard?",
          key, velocity, patience_s, heard_db);
      return; // the others most likely for the same reason
    }
  }
  for (size_t i = 0; i < spec->n_objects && diags->n_warnings == 0; ++i) {
    play_hard(s, spec->objects[i], diags);
    compare_keys(s, spec->objects[i], diags);
  }
}

htz_status htz_try_instrument(const htz_spec* spec, htz_diags* diags) {
  htz_status st = HTZ_OK;
  for (size_t i = 0; i < sizeof rates_hz / sizeof rates_hz[0] && !st; ++i) {
    st = htz_instrument_try(spec, rates_hz[i], htz_kernels_select(), diags);
  }
  if (st) {
    return st;
  }
  stage s;
  const char* why = "";
  st = open_stage(&s, spec, &why);
  if (!st) {
    play(&s, diags);
  } else if (st != HTZ_NO_MEMORY && diags->n == 0) {
    // Each key can be made: it is what holds them together.
    const htz_spec_mark links = htz_spec_place(spec, "links");
    htz_diags_add(diags, links.line, links.column, "%s", why);
    st = HTZ_BAD_INPUT;
  }
  close_stage(&s);
  return st ? st : diags->n ? HTZ_BAD_INPUT : HTZ_OK;
}

bool htz_try_explain(const htz_orchestra* orchestra, double rate_hz, size_t size, char* text) {
  const htz_spec* specs[HTZ_ORCHESTRA_MAX];
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  const size_t n = diags ? htz_orchestra_players(orchestra, specs) : 0;
  bool found = false;
  for (size_t i = 0; i < n && !found; ++i) {
    htz_diags_init(diags, specs[i]->file);
    const htz_status st = htz_instrument_try(specs[i], rate_hz, htz_kernels_select(), diags);
    const htz_diag* at = diags->n ? &diags->item[0] : &diags->warning[0];
    found = st != HTZ_NO_MEMORY && diags->n + diags->n_warnings > 0;
    if (found) {
      snprintf(text, size, "%s:%u:%u: %s", diags->file, at->line, at->column, at->text);
    }
  }
  free(diags);
  return found;
}
