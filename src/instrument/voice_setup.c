#include "voice.h"

#include "hertzian/contact/law.h"
#include "hertzian/instrument/spec_grid.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

enum { MODES = 6 }; // enough to reach the first that is audible

// Strings so many times as heavy as their hammer, by the mass of the mode, lie between the two laws. With it bends of a whole tone
// on the piano are within 1.5 dB of the key they reach.
static const double heavy = 10.0;

/** Power of the tuning with which a quantity of a mode goes that keeps its speed. */
static double climb(htz_quantity quantity) {
  return quantity == HTZ_HEAR_DISPLACEMENT ? -1.0 : quantity == HTZ_HEAR_VELOCITY ? 0.0 : 1.0;
}

/** The feed by which the struck body drives `body`; NULL: there is none. */
static const htz_spec_feed* feed_of(const htz_spec* spec, size_t body) {
  for (size_t f = 0; f < spec->n_feeds; ++f) {
    if (spec->feeds[f].to == body && spec->feeds[f].from == 0) {
      return &spec->feeds[f];
    }
  }
  return NULL;
}

double htz_voice_climb(const htz_spec* spec, size_t body, htz_quantity quantity) {
  // The same displacement, not the same speed.
  const double plucked = spec->mallet.lift[0].n || (spec->grid && spec->grid->gesture[0] == HTZ_EXCITE_PLUCK) ? 1.0 : 0.0;
  const htz_spec_feed* feed = body == 0 || spec->grid ? NULL : feed_of(spec, body);
  if (body == 0 || spec->grid) {
    return plucked + climb(quantity);
  }
  return feed ? plucked + climb(feed->quantity) + climb(quantity) : 0.0;
}

static const double moment = 0.4; // [s] in which a loudness is heard

/** The mode, and the speed a stroke gives it per its shape where it is struck. */
typedef struct {
  const htz_modes* modes;
  size_t first;
  double speed;
} partial;

/** Share of a mode's power that is left of it, on average over a moment. */
static double lasting(double sigma) {
  const double decayed = 2.0 * sigma * moment;
  return decayed > 0.0 ? -expm1(-decayed) / decayed : 1.0;
}

static void shapes_at(const partial* p, double x, double y, double row[MODES]) {
  if (p->modes->shape_xy && !isnan(y)) {
    p->modes->shape_xy(p->modes, x, y, row);
  } else {
    p->modes->shape(p->modes, x, row);
  }
}

static double shape_at(const partial* p, double x, double y) {
  double row[MODES];
  shapes_at(p, x, y, row);
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
  case HTZ_HEAR_REACTION:
    return p->modes->end_force ? fabs(p->modes->end_force[p->first]) * p->speed / omega : 0.0;
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
  p->speed = struck * speed * mass / own * (modes->end_force ? sqrt(strings * heavier / (heavier + heavy)) : 1.0);
}

/** What the mallet meets all strings with, at a middling touch. */
static htz_law head_of(const htz_spec_mallet* mallet, double key, double strings) {
  const double stiffness = strings * htz_table_at(&mallet->stiffness, key) * sqrt(htz_table_at(&mallet->touch, key));
  const double exponent = htz_table_at(&mallet->exponent, key), viscosity = htz_table_at(&mallet->viscosity, key);
  if (mallet->law == &htz_law_stulov) {
    return (htz_law){mallet->law,
                     {stiffness, exponent, htz_table_at(&mallet->hysteresis, key), htz_table_at(&mallet->relaxation, key)}};
  }
  if (mallet->law == &htz_law_wound) {
    return (htz_law){mallet->law,
                     {stiffness, exponent, viscosity, strings * htz_table_at(&mallet->core, key),
                      htz_table_at(&mallet->core_exponent, key), htz_table_at(&mallet->depth, key)}};
  }
  return (htz_law){&htz_law_hunt_crossley, {stiffness, exponent, viscosity}};
}

/** How long a middling stroke touches [s]. A pin lets go at once. */
static double contact_time(const htz_spec* spec, double key) {
  const htz_spec_mallet* mallet = &spec->mallet;
  if (mallet->lift[0].n || !spec->thrown) {
    return 0.0;
  }
  const double speed = sqrt(htz_table_at(&mallet->speed[0], key) * htz_table_at(&mallet->speed[1], key));
  const htz_law head = head_of(mallet, key, (double)htz_spec_count(&spec->bodies[0], key));
  return head.cls->duration(&head, htz_table_at(&mallet->mass, key), speed);
}

/** How much of what it gives a mode when it touches for no time, a stroke gives that touches for `touch`: half a sine, smoothed. */
static double pulse(double omega, double touch) {
  const double slow = omega * touch / pi;
  return 1.0 / (1.0 + 0.5 * slow * slow);
}

/**
   The pressure that it gives at an ear, per the speed of the partial. The first one alone says little there: a small body hardly radiates
   it. All are taken, as a pulse of that length excites them, over a moment.
*/
static double heard_at_ear(const htz_spec* spec, const partial* p, const htz_spec_pickup* pickup, double key) {
  double re[MODES], im[MODES], row[MODES], sum = 0.0;
  const htz_modes* modes = p->modes;
  const double touch = contact_time(spec, key);
  const htz_ear ear = htz_spec_ear(&spec->bodies[0], pickup->ear[htz_spec_first_ears(spec)], key);
  if (htz_radiation_own(modes, &ear, re, im)) {
    return 0.0;
  }
  shapes_at(p, htz_table_at(&spec->mallet.at, key), htz_table_at(&spec->mallet.at_y, key), row);
  for (size_t k = p->first; k < modes->n; ++k) {
    const double speed = row[k] / row[p->first] * modes->mass[p->first] / modes->mass[k] * pulse(modes->omega[k], touch);
    const double pressure = speed * modes->omega[k] * hypot(re[k], im[k]);
    sum += pressure * pressure * lasting(modes->sigma[k]);
  }
  return row[p->first] != 0.0 ? sqrt(sum) : 0.0;
}

/**
   Speed of the first mode of what is fed by the struck body, at resonance; heard by `pickup` at an ear the pressure that it gives there. 0
   where that cannot be had.
*/
static double fed(const htz_spec* spec, const partial* p, double key, size_t to, const htz_spec_pickup* pickup) {
  double re[MODES], im[MODES], phi[MODES], speed = 0.0;
  const htz_spec_feed* feed = feed_of(spec, to);
  if (!feed) {
    return 0.0;
  }
  const htz_spec_body* body = &spec->bodies[to];
  const double force =
      fabs(htz_table_at(&feed->gain, key)) * heard(p, feed->quantity, shape_at(p, htz_table_at(&feed->at, key), (double)NAN));
  htz_spec_body few = *body;
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  htz_arena_measure(&arena);
  few.max_modes = few.max_modes < MODES ? few.max_modes : MODES;
  if (!htz_spec_modes(&few, key, &arena, &modes, &why) && modes.n <= MODES && modes.sigma[0] > 0.0) {
    modes.shape(&modes, htz_table_at(&feed->into, key), phi);
    speed = force * fabs(phi[0]) / (2.0 * modes.sigma[0] * modes.mass[0]) * sqrt(lasting(p->modes->sigma[p->first]));
    if (pickup && pickup->quantity == HTZ_HEAR_PRESSURE) {
      const htz_ear ear = htz_spec_ear(body, pickup->ear[htz_spec_first_ears(spec)], key);
      speed *= htz_radiation_own(&modes, &ear, re, im) ? 0.0 : modes.omega[0] * hypot(re[0], im[0]);
    }
  }
  htz_arena_free(&arena);
  return speed;
}

static void listen(const htz_spec* spec, const partial* p, double key, htz_voice* voice) {
  const double omega = p->modes->omega[p->first], touch = contact_time(spec, key);
  voice->slower = log(pulse(omega, touch) / pulse(0.5 * omega, touch)) / log(2.0);
  for (size_t i = 0; i < spec->n_pickups; ++i) {
    const htz_spec_pickup* pickup = &spec->pickups[i];
    const bool ear = pickup->quantity == HTZ_HEAR_PRESSURE;
    const double shape = shape_at(p, htz_table_at(&pickup->at, key), htz_table_at(&pickup->at_y, key));
    const double own =
        ear && pickup->of == 0 ? heard_at_ear(spec, p, pickup, key) * p->speed : heard(p, pickup->quantity, shape);
    const double driven = pickup->of == 0 ? 0.0 : fed(spec, p, key, pickup->of, pickup);
    voice->pickup[i] = fabs(htz_table_at(&pickup->gain, key)) * (pickup->of == 0 ? own : driven);
  }
  for (size_t i = 0; i < spec->board.n_drives; ++i) {
    const htz_spec_drive* drive = &spec->board.drives[i];
    const double shape = shape_at(p, htz_table_at(&drive->at, key), (double)NAN);
    voice->drive[i] =
        fabs(htz_table_at(&drive->gain, key)) *
        (drive->from == 0 ? heard(p, drive->quantity, shape) * pulse(omega, touch) : fed(spec, p, key, drive->from, NULL));
  }
}

static void sine(const htz_modes* modes, double x, double* phi) {
  (void)modes;
  phi[0] = sin(pi * x);
}

/** Mass per length of a string of the file [kg/m]; NaN: not known without its material. */
static double density_of(const htz_spec_grid_body* body, double key) {
  const double core = htz_table_at(&body->value[HTZ_GRID_CORE_DIAMETER], key);
  double density = htz_table_at(&body->value[HTZ_GRID_DENSITY], key), young = 0.0;
  if (isnan(density) && body->material) {
    htz_material_find(body->material, &density, &young);
  }
  return body->value[HTZ_GRID_LIN_DENSITY].n ? htz_table_at(&body->value[HTZ_GRID_LIN_DENSITY], key)
                                             : density * 0.25 * pi * core * core;
}

/** How fast the first mode is set going per its shape where that happens: a string pulled into a triangle, or given speed. */
static double grid_speed(const htz_spec_gesture* gesture, htz_excite kind, double key, double omega) {
  const double much = sqrt(htz_table_at(&gesture->speed[0], key) * htz_table_at(&gesture->speed[1], key));
  const double x = htz_table_at(&gesture->at, key), inside = x * (1.0 - x) > 0.01 ? x * (1.0 - x) : 0.01;
  return much * fabs(sin(pi * x)) * (kind == HTZ_EXCITE_PLUCK ? 2.0 / (pi * pi * inside) * omega : 1.0);
}

/** Of a string on a grid that follows the key, where it is heard itself; 0 for whatever else. */
static void grid_voice(const htz_spec* spec, double key, htz_voice* voice) {
  const htz_spec_grid* grid = spec->grid;
  const htz_excite kind = grid->gesture[0];
  const htz_spec_gesture* gesture = &grid->gestures[kind];
  const htz_spec_grid_body* body = &grid->bodies[gesture->body];
  if (body->kind != HTZ_GRID_STRING || body->pitch != HTZ_PITCH_KEY || kind == HTZ_EXCITE_BOW) {
    return;
  }
  const double length = htz_table_at(&body->value[HTZ_GRID_LENGTH], key), density = density_of(body, key);
  double omega = 2.0 * pi * htz_key_hz(key) * htz_table_at(&body->ratio, key), mass = 0.5 * density * length;
  double sigma = 0.0, end_force = 2.0 * mass * omega * omega / pi;
  unsigned char audible = 1;
  const htz_modes modes = {
      .n = 1, .omega = &omega, .sigma = &sigma, .mass = &mass, .audible = &audible, .shape = sine, .end_force = &end_force};
  partial p = {.modes = &modes};
  if (!(mass > 0.0)) {
    return;
  }
  if (kind == HTZ_EXCITE_MALLET) {
    strike(spec, key, &p);
  } else {
    p.speed = grid_speed(gesture, kind, key, omega);
  }
  const struct {
    const htz_spec_grid_tap* taps;
    size_t n;
    double* out;
  } all[] = {{grid->hears, spec->n_pickups, voice->pickup}, {grid->drives, spec->board.n_drives, voice->drive}};
  for (size_t l = 0; l < sizeof all / sizeof all[0]; ++l) {
    for (size_t i = 0; i < all[l].n; ++i) {
      const htz_spec_grid_tap* tap = &all[l].taps[i];
      const bool own = tap->source == HTZ_SOURCE_BODY && tap->of == gesture->body;
      const double shape = own ? shape_at(&p, htz_table_at(&tap->at, key), (double)NAN) : 0.0;
      all[l].out[i] = own ? fabs(htz_table_at(&tap->gain, key)) * heard(&p, tap->quantity, shape) : 0.0;
    }
  }
}

htz_status htz_voice_of(const htz_spec* spec, double key, htz_voice* voice) {
  htz_spec_body body = spec->bodies[0];
  htz_arena arena;
  htz_modes modes;
  const char* why = NULL;
  *voice = (htz_voice){.slower = 0.0};
  if (spec->grid) {
    grid_voice(spec, key, voice);
    return HTZ_OK;
  }
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
