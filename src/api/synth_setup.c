#include "synth_private.h"

#include "hertzian/host/output.h"

#include <math.h>
#include <stdlib.h>

static const double limiter_threshold_db = -1.0; // [dBFS] what comes out of a converter between samples stays below full scale
static const double gain_most_db = 120.0;        // [dB] either way

static htz_status lay(htz_synth* synth, htz_arena* arena) {
  synth->waiting = htz_arena_alloc(arena, synth->capacity, sizeof *synth->waiting);
  return synth->waiting ? HTZ_OK : HTZ_NO_MEMORY;
}

static htz_status build(htz_synth* synth) {
  htz_arena sizes;
  htz_arena_measure(&sizes);
  htz_status st = lay(synth, &sizes);
  if (!st) {
    st = htz_arena_init(&synth->memory, sizes.used);
  }
  htz_arena_free(&sizes);
  if (!st) {
    st = lay(synth, &synth->memory);
  }
  if (!st) {
    const htz_engine_desc engine = {.rate_hz = synth->rate_hz, .rings = 1, .ring_capacity = HTZ_SYNTH_POSTS};
    st = htz_engine_new(&engine, &synth->engine);
  }
  if (!st) {
    synth->map = malloc(sizeof *synth->map);
    st = synth->map ? HTZ_OK : HTZ_NO_MEMORY;
  }
  return st;
}

static const char* wrong(const htz_synth_desc* desc) {
  return !desc                                                                ? "no description"
         : desc->events > HTZ_SYNTH_EVENTS_MAX                                ? "events: at most 1048576 may wait"
         : !(desc->gain_db >= -gain_most_db && desc->gain_db <= gain_most_db) ? "gain_db: -120 to 120 dB is allowed"
                                                                              : NULL;
}

htz_synth* htz_synth_new(const htz_synth_desc* desc, htz_fault* fault) {
  const char* fault_text = wrong(desc);
  if (fault_text) {
    htz_fault_fill(fault, HTZ_FAULT_VALUE, "%s", fault_text);
    return NULL;
  }
  htz_synth* synth = calloc(1, sizeof *synth);
  if (!synth) {
    htz_fault_fill(fault, HTZ_FAULT_MEMORY, "%s", htz_status_text(HTZ_NO_MEMORY));
    return NULL;
  }
  synth->rate_hz = desc->rate_hz;
  synth->gain = (float)htz_output_gain(desc->gain_db);
  synth->limit = desc->limiter;
  synth->latency = htz_blocks_ahead(desc->block);
  synth->silence_left = synth->latency;
  synth->capacity = desc->events > 0 ? desc->events : HTZ_SYNTH_EVENTS;
  const htz_status st = build(synth);
  if (st) {
    htz_fault_fill(fault, st == HTZ_NO_MEMORY ? HTZ_FAULT_MEMORY : HTZ_FAULT_VALUE, "%s",
                   st == HTZ_NO_MEMORY ? htz_status_text(st) : "rate_hz: 8000 to 384000 Hz is allowed");
    htz_synth_free(synth);
    return NULL;
  }
  htz_midi_map_init(synth->map, synth->engine);
  htz_limiter_init(&synth->limiter, synth->rate_hz, limiter_threshold_db);
  return synth;
}

void htz_synth_free(htz_synth* synth) {
  if (!synth) {
    return;
  }
  htz_engine_free(synth->engine);
  while (synth->parts) {
    htz_synth_part* part = synth->parts;
    synth->parts = part->next;
    htz_built_free(&part->built);
    free(part);
  }
  htz_arena_free(&synth->memory);
  free(synth->map);
  free(synth);
}

htz_synth_part* htz_synth_build(const htz_synth* synth, const htz_model* model, htz_fault* fault) {
  const char* why = NULL;
  if (!synth || !model) {
    htz_fault_fill(fault, HTZ_FAULT_VALUE, "no synth or no model to build");
    return NULL;
  }
  htz_synth_part* part = calloc(1, sizeof *part);
  const htz_status st = part ? htz_built_new(model->spec, synth->rate_hz, NULL, NULL, NULL, &part->built, &why) : HTZ_NO_MEMORY;
  if (st) {
    htz_fault_fill(fault, st == HTZ_NO_MEMORY ? HTZ_FAULT_MEMORY : HTZ_FAULT_BUILD, "%s: %s", model->spec->id,
                   why ? why : htz_status_text(st));
    free(part);
    return NULL;
  }
  htz_built_touch(&part->built);
  part->synth = synth;
  return part;
}

bool htz_synth_part_set(htz_synth_part* part, unsigned param, double value) {
  if (!part || part->built.attached || !htz_spec_param_used(part->built.spec, param)) {
    return false;
  }
  const htz_param_desc desc = htz_spec_param(part->built.spec, param);
  if (!(value >= desc.minimum && value <= desc.maximum)) {
    return false;
  }
  size_t at = 0;
  while (at < part->n_settings && part->settings[at].param != param) {
    at++;
  }
  if (at == HTZ_SYNTH_SETTINGS_MAX) {
    return false;
  }
  part->settings[at] = (htz_setting){.param = param, .value = value};
  part->n_settings += at == part->n_settings;
  htz_midi_map_begin_with(&part->built.known, param, value);
  return true;
}

void htz_synth_discard(htz_synth_part* part) {
  if (part) {
    htz_built_discard(&part->built);
    htz_built_free(&part->built);
    free(part);
  }
}

bool htz_synth_post(htz_synth* synth, int part, unsigned param, double value) {
  if (part < 0 || part >= HTZ_SYNTH_PARTS || !htz_synth_may_set(param)) {
    return false;
  }
  const htz_param_change change = {.value = value, .part = (uint16_t)part, .key = HTZ_KEY_ALL, .index = param};
  return htz_ring_push(htz_engine_ring(synth->engine, HTZ_SYNTH_POST_RING), &change);
}
