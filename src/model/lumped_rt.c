#include "lumped.h"

#include <math.h>

static lumped_mass* mass_of(htz_body* body) {
  return (lumped_mass*)body;
}

static const lumped_mass* mass_of_const(const htz_body* body) {
  return (const lumped_mass*)body;
}

static void lumped_reset(htz_body* body) {
  mass_of(body)->st.q = 0.0;
  mass_of(body)->st.v = 0.0;
  mass_of(body)->st.push = 0.0;
}

static double lumped_displacement(const htz_body* body, size_t point) {
  (void)point;
  return mass_of_const(body)->st.q;
}

static double lumped_velocity(const htz_body* body, size_t point) {
  (void)point;
  return mass_of_const(body)->st.v;
}

static void lumped_set_motion(htz_body* body, double q, double v) {
  mass_of(body)->st.q = q;
  mass_of(body)->st.v = v;
}

/** Nothing acts on it between steps. */
static void lumped_begin(htz_body* body, unsigned level) {
  (void)body;
  (void)level;
}

static void mass_prepare(htz_body* body, unsigned level) {
  lumped_mass* m = mass_of(body);
  for (unsigned l = 0; l <= level; ++l) {
    if (!m->level_ready[l]) {
      const double omega = sqrt(m->desc.stiffness / m->desc.mass);
      const double sigma = 0.5 * m->desc.damping / m->desc.mass;
      m->level[l] = htz_hold_coefficients(omega, sigma, m->desc.mass, ldexp(m->period, -(int)l));
      m->level_ready[l] = true;
    }
  }
}

static double mass_predict(const htz_body* body, unsigned level, size_t point) {
  (void)point;
  const lumped_mass* m = mass_of_const(body);
  const htz_hold_step* c = &m->level[level];
  return c->am * m->st.q + c->a12 * m->st.v + c->bq * (m->desc.mass * m->desc.gravity + m->st.push);
}

static double mass_compliance(htz_body* body, unsigned level, size_t p, size_t r) {
  (void)p;
  (void)r;
  return mass_of(body)->level[level].bq;
}

static void mass_commit(htz_body* body, unsigned level, size_t count, const size_t* points, const double* f) {
  (void)points;
  lumped_mass* m = mass_of(body);
  const htz_hold_step* c = &m->level[level];
  double force = m->desc.mass * m->desc.gravity + m->st.push;
  for (size_t i = 0; i < count; ++i) {
    force += f[i];
  }
  const double q = m->st.q;
  const double v = m->st.v;
  m->st.q = q + (c->am * q + c->a12 * v + c->bq * force);
  m->st.v = v + (c->a21 * q + c->dm * v + c->bv * force);
}

static double mass_energy(const htz_body* body) {
  const lumped_mass* m = mass_of_const(body);
  return 0.5 * (m->desc.mass * m->st.v * m->st.v + m->desc.stiffness * m->st.q * m->st.q) -
         m->desc.mass * m->desc.gravity * m->st.q;
}

void htz_mass_set(htz_body* body, double mass) {
  htz_mass_desc desc = mass_of(body)->desc;
  desc.mass = mass;
  htz_mass_load(body, &desc);
}

double htz_mass_value(const htz_body* body) {
  return body->cls == &htz_mass_class ? mass_of_const(body)->desc.mass : 0.0;
}

void htz_mass_push(htz_body* body, double force) {
  mass_of(body)->st.push = force;
}

void htz_mass_load(htz_body* body, const htz_mass_desc* desc) {
  lumped_mass* m = mass_of(body);
  const htz_mass_desc was = m->desc;
  if (!(desc->mass > 0.0) || !(desc->stiffness >= 0.0) || !(desc->damping >= 0.0) || !isfinite(desc->gravity)) {
    return;
  }
  m->desc = *desc;
  if (desc->mass == was.mass && desc->stiffness == was.stiffness && desc->damping == was.damping) {
    return;
  }
  for (unsigned l = 0; l < LUMPED_LEVELS; ++l) {
    m->level_ready[l] = false;
  }
  mass_prepare(body, 0);
}

// Bodies that no force moves.

static void rigid_prepare(htz_body* body, unsigned level) {
  (void)body;
  (void)level;
}

static double rigid_compliance(htz_body* body, unsigned level, size_t p, size_t r) {
  (void)body;
  (void)level;
  (void)p;
  (void)r;
  return 0.0;
}

static double rigid_energy(const htz_body* body) {
  (void)body;
  return 0.0;
}

static double rigid_predict(const htz_body* body, unsigned level, size_t point) {
  (void)point;
  const lumped_mass* m = mass_of_const(body);
  return m->st.v * ldexp(m->period, -(int)level);
}

static void rigid_commit(htz_body* body, unsigned level, size_t count, const size_t* points, const double* f) {
  (void)count;
  (void)points;
  (void)f;
  mass_of(body)->st.q += rigid_predict(body, level, 0);
}

static void barrier_set_motion(htz_body* body, double q, double v) {
  (void)v;
  mass_of(body)->st.q = q;
}

const htz_body_class htz_mass_class = {"mass",          lumped_reset,    mass_prepare,      lumped_begin,
                                       mass_predict,    mass_compliance, mass_commit,       lumped_displacement,
                                       lumped_velocity, mass_energy,     lumped_set_motion, NULL};

const htz_body_class htz_barrier_class = {"barrier",       lumped_reset,     rigid_prepare,      lumped_begin,
                                          rigid_predict,   rigid_compliance, rigid_commit,       lumped_displacement,
                                          lumped_velocity, rigid_energy,     barrier_set_motion, NULL};

const htz_body_class htz_driven_class = {"driven",        lumped_reset,     rigid_prepare,     lumped_begin,
                                         rigid_predict,   rigid_compliance, rigid_commit,      lumped_displacement,
                                         lumped_velocity, rigid_energy,     lumped_set_motion, NULL};
