#include "build.h"

// The island that keys hit as they are pressed and let go.

static htz_blow_throw throw_at(const htz_spec_blow* blow, int key) {
  const htz_spec_mallet* m = &blow->thrown;
  return (htz_blow_throw){.speed = {htz_table_at(&m->speed[0], key), htz_table_at(&m->speed[1], key)},
                          .gap = htz_table_at(&blow->gap, key),
                          .mass = htz_table_at(&m->mass, key),
                          .stiffness = htz_table_at(&m->stiffness, key),
                          .exponent = htz_table_at(&m->exponent, key),
                          .viscosity = m->viscosity.n ? htz_table_at(&m->viscosity, key) : 0.0,
                          .hysteresis = m->hysteresis.n ? htz_table_at(&m->hysteresis, key) : 0.0,
                          .relaxation = m->relaxation.n ? htz_table_at(&m->relaxation, key) : 0.0,
                          .core = m->core.n ? htz_table_at(&m->core, key) : 0.0,
                          .core_exponent = m->core_exponent.n ? htz_table_at(&m->core_exponent, key) : 0.0,
                          .depth = m->depth.n ? htz_table_at(&m->depth, key) : 0.0,
                          .at = htz_table_at(&m->at, key)};
}

static htz_status add_blows(builder* build, htz_action* action) {
  const htz_spec_action* from = &build->spec->action;
  for (size_t i = 0; i < from->n_blows; ++i) {
    htz_blow_throw* thrown = htz_arena_alloc(build->arena, HTZ_KEYS, sizeof *thrown);
    if (!thrown) {
      return HTZ_NO_MEMORY;
    }
    for (int key = 0; key < HTZ_KEYS; ++key) {
      thrown[key] = throw_at(&from->blows[i], key);
    }
    action->blows[action->n_blows++] = (htz_blow){from->blows[i].release, thrown};
  }
  return HTZ_OK;
}

htz_status htz_build_action(builder* build, htz_action* action, size_t* n_modes) {
  const htz_spec_action* from = &build->spec->action;
  if (!from->given) {
    return HTZ_OK;
  }
  htz_modal_island_desc desc = {
      .n_bodies = 1, .n_struck = 1, .n_mallets = HTZ_ISLAND_MALLETS_MAX, .n_outputs = 1, .n_lines = 1};
  htz_modes* modes = htz_arena_alloc(build->arena, 1, sizeof *modes);
  const char* why = NULL;
  htz_status st = modes ? htz_spec_modes(&from->body, build->spec->key_low, build->arena, modes, &why) : HTZ_NO_MEMORY;
  if (!st) {
    st = htz_modal_new(modes, desc.n_mallets, 1, build->rate_hz, build->kernels, build->arena, &desc.bodies[0]);
  }
  if (!st) {
    htz_modal_listen(desc.bodies[0], 0, from->quantity, from->at, from->gain);
    st = htz_modal_island_new(&desc, build->rate_hz, build->arena, &action->island);
  }
  if (!st) {
    st = add_blows(build, action);
    *n_modes += modes->n;
  } else if (st != HTZ_NO_MEMORY) {
    htz_build_blame(build, "action.body", why);
  }
  action->board_at = from->along * (double)(build->spec->board.body.zones - 1);
  return st;
}
