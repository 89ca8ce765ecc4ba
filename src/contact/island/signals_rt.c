#include "signals.h"

#include <string.h>

void htz_signals_clear(const htz_modal_island_desc* d, uint32_t b, uint32_t frames, island_signals* all,
                       float* to[HTZ_ISLAND_PICKUPS_MAX]) {
  for (size_t p = 0; p < HTZ_ISLAND_PICKUPS_MAX; ++p) {
    to[p] = NULL;
  }
  for (size_t p = 0; p < htz_modal_pickups(d->bodies[b]); ++p) {
    memset(all->of[b][p], 0, frames * sizeof(float));
    to[p] = all->of[b][p];
  }
}

size_t htz_signals_tap(const htz_modal_island_desc* d, uint32_t b, uint32_t frames, island_signals* all, htz_tap* taps) {
  float* to[HTZ_ISLAND_PICKUPS_MAX];
  htz_signals_clear(d, b, frames, all, to);
  size_t p = 0;
  for (; p < htz_modal_pickups(d->bodies[b]); ++p) {
    taps[p] = htz_modal_tap(d->bodies[b], p, to[p]);
  }
  return p;
}

void htz_signals_hear(const htz_modal_island_desc* d, uint32_t b, uint32_t i, island_signals* all) {
  htz_modal* body = d->bodies[b];
  for (size_t p = 0; p < htz_modal_pickups(body); ++p) {
    all->of[b][p][i] = (float)htz_modal_hear_step(body, p);
  }
}

void htz_signals_resonate(const htz_modal_island_desc* d, uint32_t b, uint32_t frames, bool on, island_signals* all) {
  float drive[HTZ_ISLAND_FEEDS_MAX][HTZ_QUANTUM];
  const float* drives[HTZ_ISLAND_FEEDS_MAX];
  float* to[HTZ_ISLAND_PICKUPS_MAX];
  uint32_t n_points = 0;
  htz_signals_clear(d, b, frames, all, to);
  if (!on) {
    return;
  }
  for (uint32_t f = 0; f < d->n_feeds; ++f) {
    const htz_feed* feed = &d->feeds[f];
    if (feed->to != b) {
      continue;
    }
    for (; n_points <= feed->point; ++n_points) {
      memset(drive[n_points], 0, frames * sizeof(float));
      drives[n_points] = drive[n_points];
    }
    for (uint32_t i = 0; i < frames; ++i) {
      drive[feed->point][i] += all->of[feed->from][feed->pickup][i];
    }
  }
  if (n_points == 1) {
    htz_modal_drive(d->bodies[b], 0, drive[0], frames, to);
  } else {
    htz_modal_drive_points(d->bodies[b], n_points, drives, frames, to);
  }
}

void htz_signals_mix(const htz_modal_island_desc* d, uint32_t frames, const island_signals* all, double from, double to,
                     float* const* lines) {
  const float first = (float)from;
  const float step = (float)((to - from) / frames);
  for (uint32_t o = 0; o < d->n_outputs; ++o) {
    const htz_output* out = &d->outputs[o];
    const float* signal = all->of[out->body][out->pickup];
    float* line = lines[out->line];
    if (out->body < htz_modal_island_in_network(d)) {
      for (uint32_t i = 0; i < frames; ++i) {
        line[i] += signal[i];
      }
    } else {
      for (uint32_t i = 0; i < frames; ++i) {
        line[i] += signal[i] * (first + step * (float)(i + 1));
      }
    }
  }
}

void htz_signals_left_over(const htz_modal_island_desc* d, double level, double* lines) {
  memset(lines, 0, d->n_lines * sizeof *lines);
  for (uint32_t o = 0; o < d->n_outputs; ++o) {
    const htz_output* out = &d->outputs[o];
    lines[out->line] +=
        (out->body < htz_modal_island_in_network(d) ? 1.0 : level) * htz_modal_left_over(d->bodies[out->body], out->pickup);
  }
}
