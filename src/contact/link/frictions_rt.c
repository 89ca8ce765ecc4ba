#include "hertzian/contact/friction.h"
#include "hertzian/dsp/linalg.h"

/*
   Several bows on bodies that feel each other. In turn, each under the forces of the others as they are: that converges while U of the group, the
   largest eigenvalue of gain Fb max|phi'|, is below some 2.2. Where it does not, jointly: with H the inverse of the gains, friction
   is where sum_ij H_ij (v_i - free_i)(v_j - free_j)/2 + sum_i P_i(v_i), P_i the integral of F_i, is least, and going down one speed after
   the other, the others' speeds held, always gets to such a place: each then gives way by 1/H_ii, far less than gain_ii.
*/

enum { TURNS_MAX = 32, JOINT_LEAST = 400, JOINT_SOLVES = 4000 }; // rounds, and solves of few that are close together
static const double agreed = 1e-13;                              // relative to the speeds in play

static double size_of(double x) {
  return x < 0.0 ? -x : x;
}

/** True when no bow is felt by another: bodies that nothing joins, such as the strings of a course. */
static bool apart(size_t n, const double* gain) {
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = 0; j < n; ++j) {
      if (i != j && gain[i * n + j] != 0.0) {
        return false;
      }
    }
  }
  return true;
}

static bool in_turn(size_t n, htz_rubbed* of, const double* free, const double* gain, double d, htz_rubbed_count* count) {
  const bool once = apart(n, gain);
  for (int turn = 0; turn < TURNS_MAX; ++turn) {
    bool settled = true;
    for (size_t i = 0; i < n; ++i) {
      htz_rubbed* f = &of[i];
      double rest = free[i];
      for (size_t j = 0; j < n; ++j) {
        rest -= j == i ? 0.0 : gain[i * n + j] * of[j].force;
      }
      const double own = gain[i * n + i], before = f->force;
      f->next = *f->state;
      f->force = htz_friction_solve(f->law, &f->next, rest, own, f->normal, d);
      settled = settled && own * size_of(f->force - before) <= agreed * (size_of(free[i]) + own * f->normal);
    }
    count->rounds += n > 1;
    if (settled || once) {
      return true;
    }
  }
  return false;
}

/** Inverse of the gains, those of each on itself greater by the share `give`. @return false when they are singular. */
static bool invert(size_t n, const double* gain, double give, double* inverse) {
  double work[HTZ_FRICTIONS_MAX * HTZ_FRICTIONS_MAX], column[HTZ_FRICTIONS_MAX];
  for (size_t k = 0; k < n; ++k) {
    for (size_t i = 0; i < n * n; ++i) {
      work[i] = gain[i] * (i % (n + 1) == 0 ? 1.0 + give : 1.0);
    }
    for (size_t i = 0; i < n; ++i) {
      column[i] = i == k ? 1.0 : 0.0;
    }
    if (!htz_solve_dense(n, n, work, column) || !(column[k] > 0.0)) {
      return false;
    }
    for (size_t i = 0; i < n; ++i) {
      inverse[i * n + k] = column[i];
    }
  }
  return true;
}

/** One speed after the other, the others' held. @return true when none moved any more. */
static bool go_down(size_t n, htz_rubbed* of, const double* free, const double* gain, const double* inverse, double d) {
  bool settled = true;
  for (size_t i = 0; i < n; ++i) {
    htz_rubbed* f = &of[i];
    const double own = 1.0 / inverse[i * n + i];
    double rest = free[i];
    for (size_t j = 0; j < n; ++j) {
      rest += j == i ? 0.0 : own * inverse[i * n + j] * (free[j] - of[j].next.v);
    }
    // The branch is the one it is on by now, so that nothing ever goes up again.
    htz_friction_state trial = *f->state;
    trial.v = f->next.v;
    trial.sticks = f->next.sticks;
    f->force = htz_friction_solve(f->law, &trial, rest, own, f->normal, d);
    settled = settled && size_of(trial.v - f->next.v) <= agreed * (size_of(free[i]) + gain[i * n + i] * f->normal);
    f->next = trial;
  }
  return settled;
}

/**
   Bows close together move as one, and slowly so: from how the last two rounds moved them, where that leads to (Anderson, 1965, with
   one step of memory).
*/
static void look_ahead(size_t n, htz_rubbed* of, double (*from)[HTZ_FRICTIONS_MAX], double (*to)[HTZ_FRICTIONS_MAX]) {
  static const double farthest = 1e4; // rounds
  double up = 0.0, down = 0.0;
  for (size_t i = 0; i < n; ++i) {
    const double moved = to[1][i] - from[1][i], more = moved - (to[0][i] - from[0][i]);
    up += moved * more;
    down += more * more;
  }
  const double share = down > 0.0 ? up / down : 0.0;
  for (size_t i = 0; share < 0.0 && share > -farthest && i < n; ++i) {
    of[i].next.v = to[1][i] - share * (to[1][i] - to[0][i]);
  }
}

static bool jointly(size_t n, htz_rubbed* of, const double* free, const double* gain, double give, double d,
                    htz_rubbed_count* count) {
  enum { EVERY = 4 };
  double inverse[HTZ_FRICTIONS_MAX * HTZ_FRICTIONS_MAX], from[2][HTZ_FRICTIONS_MAX], to[2][HTZ_FRICTIONS_MAX];
  if (!invert(n, gain, give, inverse)) {
    return false;
  }
  for (size_t i = 0; i < n; ++i) {
    of[i].next = *of[i].state;
  }
  const size_t most = JOINT_SOLVES / n > JOINT_LEAST ? JOINT_SOLVES / n : JOINT_LEAST;
  for (size_t round = 0; round < most; ++round) {
    const size_t row = round % EVERY == EVERY - 1;
    for (size_t i = 0; i < n; ++i) {
      from[row][i] = of[i].next.v;
    }
    ++count->rounds;
    if (go_down(n, of, free, gain, inverse, d)) {
      return true;
    }
    for (size_t i = 0; i < n; ++i) {
      to[row][i] = of[i].next.v;
    }
    if (row) {
      look_ahead(n, of, from, to);
    }
  }
  return false;
}

bool htz_friction_solve_several(size_t n, htz_rubbed* of, const double* free, const double* gain, double give, double d,
                                htz_rubbed_count* count) {
  if (in_turn(n, of, free, gain, d, count)) {
    return true;
  }
  ++count->joint;
  return jointly(n, of, free, gain, 0.0, d, count) || (give > 0.0 && jointly(n, of, free, gain, give, d, count));
}
