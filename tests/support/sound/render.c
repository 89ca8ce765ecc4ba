#include "render.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool build(sound* s, const uint64_t* keys) {
  const char* why = NULL;
  keys = htz_spec_two_way(s->spec) ? NULL : keys;
  const htz_status st = htz_instrument_build(s->spec, s->rate_hz, htz_kernels_select(), keys, &s->arena, &s->instrument, &why);
  if (st) {
    fprintf(stderr, "%s at %g Hz: %s\n", s->spec->file, s->rate_hz, why ? why : htz_status_text(st));
    return false;
  }
  const htz_engine_desc desc = {.rate_hz = s->rate_hz};
  uint32_t part = 0;
  return !htz_engine_new(&desc, &s->engine) && !htz_engine_add_part(s->engine, s->instrument, &part);
}

static bool opened(sound* s, htz_status loaded, const htz_diags* diags, const uint64_t* keys) {
  if (loaded) {
    htz_diags_print(diags, stderr);
    return false;
  }
  if (!build(s, keys)) {
    sound_close(s);
    return false;
  }
  return true;
}

bool sound_open(sound* s, const char* path, double rate_hz) {
  return sound_open_keys(s, path, rate_hz, NULL);
}

bool sound_open_keys(sound* s, const char* path, double rate_hz, const uint64_t* keys) {
  *s = (sound){.rate_hz = rate_hz};
  htz_rt_flush_denormals();
  htz_diags diags;
  htz_diags_init(&diags, path);
  return opened(s, htz_spec_load(path, &s->spec, &diags), &diags, keys);
}

bool sound_open_text(sound* s, const char* text, double rate_hz) {
  *s = (sound){.rate_hz = rate_hz};
  htz_rt_flush_denormals();
  htz_diags diags;
  htz_diags_init(&diags, "text");
  return opened(s, htz_spec_parse("text", text, strlen(text), &s->spec, &diags), &diags, NULL);
}

void sound_close(sound* s) {
  htz_engine_free(s->engine);
  htz_arena_free(&s->arena);
  htz_spec_free(s->spec);
  *s = (sound){0};
}

bool sound_set(sound* s, const char* name, double value) {
  const size_t index = htz_spec_param_find(s->spec, name);
  if (!htz_spec_param_used(s->spec, index)) {
    fprintf(stderr, "%s: \"%s\" changes nothing here\n", s->spec->id, name);
    return false;
  }
  const htz_param_change change = {
      .frame = htz_engine_now(s->engine), .value = value, .key = HTZ_KEY_ALL, .index = (uint32_t)index};
  htz_engine_change(s->engine, &change);
  return true;
}

void sound_rest(sound* s) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  // The engine promises silence within 20 ms; the bound only keeps a fault from hanging the test.
  const double bound_s = 1.0;
  htz_engine_silence(s->engine, 0, htz_engine_now(s->engine));
  for (uint64_t end = htz_engine_now(s->engine) + (uint64_t)(bound_s * s->rate_hz);
       !htz_engine_asleep(s->engine) && htz_engine_now(s->engine) < end;) {
    htz_engine_quantum(s->engine, left, right);
  }
}

static double* doubles(size_t n) {
  double* x = calloc(n, sizeof *x);
  if (!x) {
    abort();
  }
  return x;
}

void sound_note(sound* s, unsigned key, double velocity, unsigned offset, size_t frames, note* n) {
  float left[HTZ_QUANTUM], right[HTZ_QUANTUM];
  sound_rest(s);
  *n = (note){.frames = frames, .left = doubles(frames), .right = doubles(frames), .mono = doubles(frames)};
  const uint64_t start = htz_engine_now(s->engine) + offset;
  htz_engine_strike(s->engine, 0, key, velocity, start);
  uint64_t contact_steps = htz_engine_count(s->engine).contact_steps;
  while (htz_engine_now(s->engine) < start + frames) {
    const uint64_t now = htz_engine_now(s->engine);
    htz_engine_quantum(s->engine, left, right);
    for (uint64_t i = 0; i < HTZ_QUANTUM; ++i) {
      const uint64_t at = now + i;
      if (at >= start && at < start + frames) {
        n->left[at - start] = (double)left[i];
        n->right[at - start] = (double)right[i];
        n->mono[at - start] = (double)left[i] + (double)right[i];
      }
    }
    const uint64_t steps = htz_engine_count(s->engine).contact_steps;
    if (steps != contact_steps) {
      n->last_contact = now + HTZ_QUANTUM - start;
      contact_steps = steps;
    }
  }
}

void note_free(note* n) {
  free(n->left);
  free(n->right);
  free(n->mono);
  *n = (note){0};
}

double peak_of(const double* x, size_t n) {
  double peak = 0.0;
  for (size_t i = 0; i < n; ++i) {
    peak = fmax(peak, fabs(x[i]));
  }
  return peak;
}

size_t first_sound(const double* x, size_t n) {
  size_t i = 0;
  while (i < n && x[i] == 0.0) {
    ++i;
  }
  return i;
}

double decibels(double ratio) {
  return 20.0 * log10(ratio);
}

void instrument_path(const char* name, char* path) {
  const char* source = getenv("HERTZIAN_SOURCE");
  snprintf(path, HTZ_PATH_MAX, "%s/instruments/%s.yaml", source ? source : HTZ_SOURCE_DIR, name);
}
