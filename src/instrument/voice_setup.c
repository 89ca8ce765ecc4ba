#include "voice.h"

#include <math.h>

enum { MODES = 6 }; // enough to reach the first that is audible

// Strings so many times as heavy as their hammer, by the mass of the mode, lie between the two laws. With it bends of a whole tone
// on the piano are within 1.5 dB of the key they reach.
static const double heavy = 10.0;

double htz_voice_climb(const htz_spec* spec, htz_quantity quantity) {
  const double plucked = spec->mallet.lift[0].n ? 1.0 : 0.0; // the same displacement, not the same speed
  return plucked + (quantity == HTZ_HEAR_DISPLACEMENT ? -1.0 : quantity == HTZ_HEAR_VELOCITY ? 0.0 : 1.0);
}

/** The mode, and the speed a stroke gives it per its shape where it is struck. */
typedef struct {
  const htz_modes* modes;
  size_t first;
  double speed;
} partial;

static double shape_at(const partial* p, double x, double y) {
  double row[MODES];
  if (p->modes->shape_xy && !isnan(y)) {
    p->modes->shape_xy(p->modes, x, y, row);
  } else {
    p->modes->shape(p->modes, x, row);
  }
  return fabs(row[p->first]);
}

static double heard(const partial* p, htz_quantity quantity, double shape) {
  const double omega = p->modes->omega[p->first];
  switch (quantity) {
  case HTZ_HEAR_DISPLACEMENT:
    return shape * p->speed / omega;
  case HTZ_HEAR_ACCELERATION:
    return shape * p->speed * omega;
  case HTZ_HEAR_FORCE:
    return p->modes->pull ? fabs(p->modes->pull[p->first]) * p->speed / omega : 0.0;
  default:
    return shape * p->speed;
  }
}

static void strike(const htz_spec* spec, double key, partial* p) {
  const htz_spec_mallet* mallet = &spec->mallet;
  const htz_modes* modes = p->modes;
  while (p->first + 1 < modes->n && !modes->audible[p->first]) {
    ++p->first;
  }
  const double mass = htz_table_at(&mallet->mass, key), own = modes->mass[p->first];
  const double speed = sqrt(htz_table_at(&mallet->speed[0], key) * htz_table_at(&mallet->speed[1], key)); // a middling stroke
  const double struck = shape_at(p, htz_table_at(&mallet->at, key), htz_table_at(&mallet->at_y, key));
  if (mallet->lift[0].n) {
    const double lift = sqrt(htz_table_at(&mallet->lift[0], key) * htz_table_at(&mallet->lift[1], key));
    p->speed = struck > 0.0 ? lift / struck * modes->omega[p->first] : 0.0;
    return;
  }
  const double strings = (double)htz_spec_count(&spec->bodies[0], key);
  const double heavier = own / mass;
  p->speed = struck * speed * mass / own * (modes->pull ? sqrt(strings * heavier / (heavier + heavy)) : 1.0);
}

/** The pressure that it gives at an ear, per its speed; 0 where that cannot be had. */
static double heard_at_ear(const htz_spec* spec, const partial* p, const htz_spec_pickup* pickup, double key) {
  double re[MODES], im[MODES];
  const htz_ear ear = htz_spec_ear(&spec->bodies[0], pickup->ear, key);
  return htz_radiation_own(p->modes, &ear, re, im) ? 0.0 : p->modes->omega[p->first] * hypot(re[p->first], im[p->first]);
}

/** What is fed by the struck body is taken to move as that does where it feeds: at resonance, both go alike. */
static double fed(const htz_spec* spec, const partial* p, double key, size_t body) {
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    if (spec->feeds[f].to == body && spec->feeds[f].from == 0) {
      return p->speed * shape_at(p, htz_table_at(&spec->feeds[f].at, key), (double)NAN);
    }
  }
  return 0.0;
}

static void listen(const htz_spec* spec, const partial* p, double key, htz_voice* voice) {
  for (size_t i = 0; i < spec->n_pickups; ++i) {
    const htz_spec_pickup* pickup = &spec->pickups[i];
    const bool ear = pickup->quantity == HTZ_HEAR_PRESSURE;
    const double shape = shape_at(p, htz_table_at(&pickup->at, key), htz_table_at(&pickup->at_y, key));
    const double own =
        ear && pickup->of == 0 ? heard_at_ear(spec, p, pickup, key) * p->speed : heard(p, pickup->quantity, shape);
    voice->pickup[i] = fabs(htz_table_at(&pickup->gain, key)) * (pickup->of == 0 ? own : fed(spec, p, key, pickup->of));
  }
  for (size_t i = 0; i < spec->board.n_drives; ++i) {
    const htz_spec_drive* drive = &spec->board.drives[i];
    const double shape = shape_at(p, htz_table_at(&drive->at, key), (double)NAN);
    voice->drive[i] = fabs(htz_table_at(&drive->gain, key)) *
                      (drive->from == 0 ? heard(p, drive->quantity, shape) : fed(spec, p, key, drive->from));
  }
}

htz_status htz_voice_of(const htz_spec* spec, double key, htz_voice* voice) {
  htz_spec_body body = spec->bodies[0];
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  *voice = (htz_voice){{0.0}, {0.0}};
  htz_arena_measure(&arena);
  body.max_modes = body.max_modes < MODES ? body.max_modes : MODES;
  const htz_status st = htz_spec_modes(&body, key, &arena, &modes, &why);
  if (st == HTZ_OK && modes.n > 0 && modes.n <= MODES) {
    partial p = {.modes = &modes};
    strike(spec, key, &p);
    listen(spec, &p, key, voice);
  }
  htz_arena_free(&arena);
  return st == HTZ_NO_MEMORY ? st : HTZ_OK;
}
