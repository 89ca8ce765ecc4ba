#include "engine_private.h"

#include <math.h>
#include <string.h>

static const double glide_s = 0.010; // as the other gains
static const double deaf_s = 0.020;  // by then what was silenced is gone

/**
   Share of the energy that comes from the room: the parameter's, its ratio to the direct sound's moved by the controller, of which
   General MIDI's usual value, 40, stands for the parameter as it is. Square, as amplitude is what a send controls.
*/
static double share_of(double room, double send) {
  static const double usual = 40.0;
  const double factor = send / usual * (send / usual);
  const double wet = room * factor, dry = 1.0 - room;
  return wet > 0.0 ? wet / (wet + dry) : 0.0;
}

static bool is_wanted(const part* p) {
  return p->params[HTZ_PARAM_ROOM] > 0.0 && p->params[HTZ_PARAM_SEND] > 0.0;
}

bool htz_part_room_sounds(const part* p) {
  return p->room.awake || p->room.tail.left > 0;
}

bool htz_part_in_room(const part* p) {
  const part_room* r = &p->room;
  return is_wanted(p) || htz_part_room_sounds(p) || r->dry.left > 0 || r->dry.now != 1.0f;
}

/** Go where the parameters say: gliding, unless nothing sounds that could click. */
static void aim(const htz_engine* engine, part* p) {
  part_room* r = &p->room;
  const double share = p->params[HTZ_PARAM_ROOM], send = p->params[HTZ_PARAM_SEND];
  if (share != r->share || send != r->send) {
    r->share = share;
    r->send = send;
    const double wet = share_of(share, send);
    r->dry.target = (float)sqrt(1.0 - wet);
    r->wet.target = (float)sqrt(wet);
    r->dry.left = r->wet.left = (uint32_t)(glide_s * engine->rate);
  }
  if (!r->sounded && !htz_part_room_sounds(p)) {
    r->dry = (glide){r->dry.target, r->dry.target, 0};
    r->wet = (glide){r->wet.target, r->wet.target, 0};
  }
}

static void empty(const htz_engine* engine, part_room* r) {
  if (r->awake) {
    htz_residue_start(engine, &r->tail, NULL, 0); // a room has a mean of its own: none
    htz_room_empty(&r->room);
    r->awake = false;
  }
}

void htz_part_room_silence(const htz_engine* engine, part* p) {
  part_room* r = &p->room;
  if (is_wanted(p) || htz_part_room_sounds(p)) {
    empty(engine, r);
    r->deaf = (uint32_t)(deaf_s * engine->rate) + HTZ_QUANTUM;
    r->wet.now = 0.0f;
    r->wet.left = (uint32_t)(glide_s * engine->rate);
  }
}

/** A room of another size starts empty; not more often than the end of the old one lasts. */
static void resize(const htz_engine* engine, part* p) {
  part_room* r = &p->room;
  const double size = p->params[HTZ_PARAM_ROOM_SIZE];
  if (size != r->room.size && r->tail.left == 0) {
    empty(engine, r);
    htz_room_lay(&r->room, size);
  }
}

/** Share `own` out. @return true when the room hears anything */
static bool send(part_room* r, float own[2][HTZ_QUANTUM], float in[2][HTZ_QUANTUM], float* left, float* right) {
  const bool deaf = r->deaf > 0;
  const bool hears = !deaf && (r->wet.now > 0.0f || r->wet.left > 0);
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    const float dry = glide_step(&r->dry), wet = deaf ? 0.0f : glide_step(&r->wet);
    left[i] += dry * own[0][i];
    right[i] += dry * own[1][i];
    in[0][i] = wet * own[0][i];
    in[1][i] = wet * own[1][i];
  }
  r->deaf -= r->deaf < HTZ_QUANTUM ? r->deaf : HTZ_QUANTUM;
  return hears;
}

static void ring(htz_engine* engine, part_room* r, float in[2][HTZ_QUANTUM], bool heard, float out[2][HTZ_QUANTUM]) {
  const float* const from[2] = {in[0], in[1]};
  float* const to[2] = {out[0], out[1]};
  engine->counters.resets += !htz_room_run(&r->room, from, (float)HTZ_ASLEEP_BELOW, to);
  for (uint32_t side = 0; side < 2; ++side) {
    r->tail.last[side] = out[side][HTZ_QUANTUM - 1];
  }
  if (!heard && htz_room_silent(&r->room)) {
    htz_room_empty(&r->room);
    r->awake = false;
  }
}

void htz_part_room(htz_engine* engine, part* p, float own[2][HTZ_QUANTUM], bool sounds, float* left, float* right) {
  part_room* r = &p->room;
  aim(engine, p);
  if (!sounds && !htz_part_room_sounds(p)) {
    r->deaf -= r->deaf < HTZ_QUANTUM ? r->deaf : HTZ_QUANTUM;
    return;
  }
  float in[2][HTZ_QUANTUM], out[2][HTZ_QUANTUM] = {{0.0f}};
  const bool heard = send(r, own, in, left, right) && sounds;
  if (heard) {
    resize(engine, p);
    r->awake = true;
  }
  htz_residue_add(&r->tail, 0, out[0]);
  htz_residue_add(&r->tail, 1, out[1]);
  htz_residue_pass(&r->tail);
  if (r->awake) {
    float rung[2][HTZ_QUANTUM];
    ring(engine, r, in, heard, rung);
    for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
      out[0][i] += rung[0][i];
      out[1][i] += rung[1][i];
    }
  }
  for (uint32_t i = 0; i < HTZ_QUANTUM; ++i) {
    left[i] += out[0][i];
    right[i] += out[1][i];
  }
}
