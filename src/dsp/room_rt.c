#include "room_private.h"

#include "hertzian/dsp/kernels.h"

#include <math.h>
#include <string.h>

enum { CHUNK = HTZ_ROOM_CHUNK, LINES = HTZ_ROOM_LINES };

_Static_assert(HTZ_QUANTUM % HTZ_ROOM_CHUNK == 0, "a quantum is whole chunks");
_Static_assert(HTZ_ROOM_LINES == 16, "the Hadamard matrix is written for 16 lines");

// How a line is heard at the left and, as a row of a Hadamard matrix turns it, at the right: orthogonal, so that the two do not
// resemble each other, and so that their sum keeps half of the lines, undiminished.
static const float left_sign[LINES] = {1, -1, 1, 1, -1, -1, 1, -1, 1, 1, -1, 1, -1, 1, -1, -1};
static const float right_sign[LINES] = {1, 1, 1, -1, -1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, 1};
// Lines take the left ear's reflections and the right one's in turns.
static const float feed_sign[LINES] = {1, 1, -1, 1, 1, -1, -1, -1, 1, -1, 1, 1, -1, 1, -1, -1};

void htz_room_empty(htz_room* room) {
  room->age = 0;
  room->quiet = 0;
  for (uint32_t i = 0; i < LINES; ++i) {
    room->line[i].at = 0;
  }
  memset(room->state, 0, sizeof room->state);
  for (uint32_t side = 0; side < 2; ++side) {
    room->history[side].at = 0;
    room->block[side][0] = room->block[side][1] = 0.0f;
  }
}

/** The chunk that lies `delay` frames before the one to be written next; before the room was empty there was nothing. */
static void read_ring(const htz_room_ring* ring, uint32_t delay, uint64_t age, float* restrict x) {
  const uint32_t at = ring->at >= delay ? ring->at - delay : ring->at + ring->size - delay;
  if (age >= delay) {
    memcpy(x, ring->samples + at, CHUNK * sizeof *x);
    return;
  }
  for (uint32_t j = 0; j < CHUNK; ++j) {
    x[j] = age + j >= delay ? ring->samples[(at + j) % ring->size] : 0.0f;
  }
}

static void write_ring(htz_room_ring* ring, const float* restrict x) {
  memcpy(ring->samples + ring->at, x, CHUNK * sizeof *x);
  if (ring->at == 0) {
    memcpy(ring->samples + ring->size, x, CHUNK * sizeof *x);
  }
  ring->at += CHUNK;
  if (ring->at == ring->size) {
    ring->at = 0;
  }
}

/** y = (1 + p)/2 (x - x_before) + p y_before */
static void block_zero(htz_room* room, uint32_t side, const float* restrict x, float* restrict y) {
  const float p = room->block_pole, gain = 0.5f * (1.0f + p);
  float x_before = room->block[side][0], y_before = room->block[side][1];
  for (uint32_t j = 0; j < CHUNK; ++j) {
    y_before = gain * (x[j] - x_before) + p * y_before;
    x_before = x[j];
    y[j] = y_before;
  }
  room->block[side][0] = x_before;
  room->block[side][1] = y_before;
}

/** First reflections at each ear. The chunk itself has to be in the rings, so that a delay of 0 finds it. */
static void reflect(const htz_room* room, float heard[2][CHUNK]) {
  memset(heard, 0, 2 * sizeof heard[0]);
  const uint64_t age = room->age + CHUNK;
  for (uint32_t ear = 0; ear < 2; ++ear) {
    for (uint32_t source = 0; source < 2; ++source) {
      for (uint32_t wall = 0; wall < HTZ_ROOM_WALLS; ++wall) {
        const float gain = room->tap_gain[ear][source][wall];
        float x[CHUNK];
        read_ring(&room->history[source], room->tap_delay[ear][source][wall] + CHUNK, age, x);
        for (uint32_t j = 0; j < CHUNK; ++j) {
          heard[ear][j] += gain * x[j];
        }
      }
    }
  }
}

/** y = gain x + pole y_before in lines i .. i + 3: side by side, since each has to wait for its last value. */
static void absorb_four(htz_room* room, uint32_t i, float* restrict a, float* restrict b, float* restrict c,
                        float* restrict d) {
  const float *gain = room->gain + i, *pole = room->pole + i;
  const float gain_a = gain[0], gain_b = gain[1], gain_c = gain[2], gain_d = gain[3];
  const float pole_a = pole[0], pole_b = pole[1], pole_c = pole[2], pole_d = pole[3];
  float* state = room->state + i;
  float at_a = state[0], at_b = state[1], at_c = state[2], at_d = state[3];
  for (uint32_t j = 0; j < CHUNK; ++j) {
    a[j] = at_a = gain_a * a[j] + pole_a * at_a;
    b[j] = at_b = gain_b * b[j] + pole_b * at_b;
    c[j] = at_c = gain_c * c[j] + pole_c * at_c;
    d[j] = at_d = gain_d * d[j] + pole_d * at_d;
  }
  state[0] = at_a;
  state[1] = at_b;
  state[2] = at_c;
  state[3] = at_d;
}

static void absorb(htz_room* room, float x[LINES][CHUNK]) {
  for (uint32_t i = 0; i < LINES; i += 4) {
    absorb_four(room, i, x[i], x[i + 1], x[i + 2], x[i + 3]);
  }
}

/** Two steps of the fast Hadamard transform. */
static void scatter_four(float* restrict a, float* restrict b, float* restrict c, float* restrict d) {
  for (uint32_t j = 0; j < CHUNK; ++j) {
    const float ab = a[j] + b[j], a_b = a[j] - b[j], cd = c[j] + d[j], c_d = c[j] - d[j];
    a[j] = ab + cd;
    b[j] = a_b + c_d;
    c[j] = ab - cd;
    d[j] = a_b - c_d;
  }
}

static void scatter(float x[LINES][CHUNK]) {
  for (uint32_t i = 0; i < LINES; i += 4) {
    scatter_four(x[i], x[i + 1], x[i + 2], x[i + 3]);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    scatter_four(x[i], x[i + 4], x[i + 8], x[i + 12]);
  }
}

/** One chunk. @return energy that went through it, sum of squares */
static float run_chunk(htz_room* room, const float* const in[2], float* const out[2]) {
  float early[2][CHUNK], x[LINES][CHUNK], sum[2][CHUNK] = {{0.0f}}, power[CHUNK];
  for (uint32_t side = 0; side < 2; ++side) {
    float blocked[CHUNK];
    block_zero(room, side, in[side], blocked);
    write_ring(&room->history[side], blocked);
  }
  reflect(room, early);
  for (uint32_t j = 0; j < CHUNK; ++j) {
    power[j] = early[0][j] * early[0][j] + early[1][j] * early[1][j];
  }
  for (uint32_t i = 0; i < LINES; ++i) {
    read_ring(&room->line[i], room->delay[i], room->age, x[i]);
  }
  absorb(room, x);
  for (uint32_t i = 0; i < LINES; ++i) {
    for (uint32_t j = 0; j < CHUNK; ++j) {
      sum[0][j] += left_sign[i] * x[i][j];
      sum[1][j] += right_sign[i] * x[i][j];
      power[j] += x[i][j] * x[i][j];
    }
  }
  scatter(x);
  for (uint32_t i = 0; i < LINES; ++i) {
    for (uint32_t j = 0; j < CHUNK; ++j) {
      x[i][j] += feed_sign[i] * early[i % 2][j];
    }
    write_ring(&room->line[i], x[i]);
  }
  room->age += CHUNK;
  float total = 0.0f;
  for (uint32_t j = 0; j < CHUNK; ++j) {
    out[0][j] = early[0][j] + room->late * sum[0][j];
    out[1][j] = early[1][j] + room->late * sum[1][j];
    total += power[j];
  }
  return total;
}

/*
   All that is in the room passes the lines' ends within the longest delay. If no frame of that time had more than the power P there, one
   of the next round has 16 values from 16 such frames, at most 16 P, and of those 16 values a sum with any signs is at most 16 sqrt(P).
*/
static void listen(htz_room* room, float total, float audible) {
  static const float worst = 16.0f;
  const float factor = room->late > 1.0f ? room->late : 1.0f;
  const float bound = audible / (worst * factor);
  if (total < bound * bound) {
    room->quiet += room->quiet < room->longest ? HTZ_QUANTUM : 0;
  } else {
    room->quiet = 0;
  }
}

bool htz_room_run(htz_room* room, const float* const in[2], float audible, float* const out[2]) {
  float total = 0.0f;
  for (uint32_t j = 0; j < HTZ_QUANTUM; j += CHUNK) {
    const float* from[2] = {in[0] + j, in[1] + j};
    float* to[2] = {out[0] + j, out[1] + j};
    total += run_chunk(room, from, to);
  }
  if (!isfinite(total)) {
    htz_room_empty(room);
    memset(out[0], 0, HTZ_QUANTUM * sizeof(float));
    memset(out[1], 0, HTZ_QUANTUM * sizeof(float));
    return false;
  }
  listen(room, total, audible);
  return true;
}

bool htz_room_silent(const htz_room* room) {
  return room->quiet >= room->longest;
}
