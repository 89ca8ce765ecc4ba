#include "kind_private.h"

#include <math.h>
#include <string.h>

enum {
  LENGTH = 0,
  WIDTH,
  THICKNESS,
  DENSITY,
  YOUNG,
  YOUNG_ACROSS,
  SHEAR,
  POISSON,
  Q,
  Q_HIGH,
  Q_HIGH_HZ,
  BRIDGE_MASS,
  BRIDGE_BENDING,
  COUNT
};
enum { BRIDGE = 0, LISTS };
enum { BAFFLE = 0, WORDS };
enum { BRIDGE_NUMBERS = 4 };

static const htz_param_desc scalars[COUNT] = {
    [LENGTH] = {"length", "m", 0.01, 20.0, NAN, HTZ_SCALE_LOG, "along the grain"},
    [WIDTH] = {"width", "m", 0.01, 20.0, NAN, HTZ_SCALE_LOG, "across the grain"},
    [THICKNESS] = {"thickness", "m", 1e-5, 0.5, NAN, HTZ_SCALE_LOG, "of the board"},
    [DENSITY] = {"density", "kg/m^3", 10.0, 1e5, NAN, HTZ_SCALE_LOG, "from the material unless given"},
    [YOUNG] = {"young", "Pa", 1e5, 1e13, NAN, HTZ_SCALE_LOG, "Young's modulus along the grain; from the material unless given"},
    [YOUNG_ACROSS] = {"young_across", "Pa", 1e5, 1e13, NAN, HTZ_SCALE_LOG,
                      "across the grain, what ribs add to it included; as along it unless given"},
    [SHEAR] = {"shear", "Pa", 1e4, 1e13, NAN, HTZ_SCALE_LOG,
               "shear modulus in the plane; that of an even plate of the mean Young's modulus unless given"},
    [POISSON] = {"poisson", "", 0.0, 0.5, 0.3, HTZ_SCALE_LINEAR, "how much it contracts across when pulled along the grain"},
    [Q] = {"q", "", 0.5, 1e6, 50.0, HTZ_SCALE_LOG, "quality factor of its low modes"},
    [Q_HIGH] = {"q_high", "", 0.5, 1e6, NAN, HTZ_SCALE_LOG, "quality factor at q_high_hz, losses growing evenly up to there"},
    [Q_HIGH_HZ] = {"q_high_hz", "Hz", 1.0, 1e5, 5000.0, HTZ_SCALE_LOG, "where q_high holds"},
    [BRIDGE_MASS] = {"bridge_mass", "kg/m", 0.0, 1e3, 0.0, HTZ_SCALE_LINEAR,
                     "of the bridge glued on along `bridge`, per length"},
    [BRIDGE_BENDING] = {"bridge_bending", "N m^2", 0.0, 1e7, 0.0, HTZ_SCALE_LINEAR,
                        "Young's modulus of the bridge times the second moment of its section, in bending out of the board"},
};

static const htz_list_desc lists[LISTS] = {
    {"bridge", "", 0.0, 1.0, BRIDGE_NUMBERS, 0,
     "where it is driven, from its lowest end [x, y to its highest x, y], fractions of length and width"},
};

static const htz_word_desc words[WORDS] = {[BAFFLE] = HTZ_KIND_BAFFLE_WORD};

// A line across the middle of the board, off its axes of symmetry, where every second mode would stay silent.
static const double bridge_default[BRIDGE_NUMBERS] = {0.2, 0.35, 0.8, 0.6};

static bool has_beam(const double* v) {
  return v[BRIDGE_MASS] > 0.0 || v[BRIDGE_BENDING] > 0.0;
}

static const char* complaint(const htz_kind_values* values) {
  const double* v = values->scalar;
  if (isnan(v[LENGTH]) || isnan(v[WIDTH]) || isnan(v[THICKNESS])) {
    return "length: a soundboard needs length, width and thickness";
  }
  if (isnan(v[DENSITY]) || isnan(v[YOUNG])) {
    return "density: a soundboard needs a material, or density and young";
  }
  if (values->key_hz > 0.0) {
    return "frequency: follows from the board's dimensions; leave it out or say `own`";
  }
  if (values->list_n[BRIDGE] && values->list_n[BRIDGE] != BRIDGE_NUMBERS) {
    return "bridge: takes four numbers, x and y of its two ends";
  }
  if (has_beam(v) && values->max_modes > HTZ_BOARD_BEAM_MODES_MAX) {
    return "modes: at most 1024 with a bridge that has mass or stiffness";
  }
  if (has_beam(v) && values->list_n[BRIDGE] && values->list[BRIDGE][0] == values->list[BRIDGE][2] &&
      values->list[BRIDGE][1] == values->list[BRIDGE][3]) {
    return "bridge: one that has mass or stiffness needs a length";
  }
  if (!(v[POISSON] * v[POISSON] * htz_kind_or(v[YOUNG_ACROSS], v[YOUNG]) < v[YOUNG])) {
    return "poisson: too large for a board so stiff across the grain";
  }
  return NULL;
}

static htz_status make(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why) {
  const double* v = values->scalar;
  *why = complaint(values);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  const double across = htz_kind_or(v[YOUNG_ACROSS], v[YOUNG]);
  htz_board_desc desc = {
      .length = v[LENGTH],
      .width = v[WIDTH],
      .thickness = v[THICKNESS],
      .density = v[DENSITY],
      .young = v[YOUNG],
      .young_across = across,
      .poisson = v[POISSON],
      // G = E/(2 (1 + nu)) of an even plate.
      .shear = htz_kind_or(v[SHEAR], 0.5 * sqrt(v[YOUNG] * across) / (1.0 + v[POISSON] * sqrt(across / v[YOUNG]))),
      .q = v[Q],
      .q_high = htz_kind_or(v[Q_HIGH], v[Q]),
      .q_high_hz = v[Q_HIGH_HZ],
      .beam_mass = v[BRIDGE_MASS],
      .beam_bending = v[BRIDGE_BENDING],
  };
  memcpy(desc.line, values->list_n[BRIDGE] ? values->list[BRIDGE] : bridge_default, sizeof desc.line);
  const size_t most = values->max_modes < HTZ_BOARD_MODES_MAX ? values->max_modes : HTZ_BOARD_MODES_MAX;
  const htz_status st = htz_modes_board(&desc, values->limit_hz, most, arena, out);
  if (!st) {
    out->radiator = htz_kind_plate_radiator(desc.length, desc.width, values->word[BAFFLE]);
  }
  return st;
}

/** The modes of board and bridge are solved for once; those of a bare board have a closed form. */
static htz_status prepare(const htz_kind_values* values, htz_arena* arena, const void** shared, const char** why) {
  if (!has_beam(values->scalar)) {
    return HTZ_OK;
  }
  htz_modes* modes = htz_arena_alloc(arena, 1, sizeof *modes);
  if (!modes) {
    return HTZ_NO_MEMORY;
  }
  *shared = modes;
  return make(values, arena, modes, why);
}

static htz_status build(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why) {
  if (values->shared) {
    *out = *(const htz_modes*)values->shared;
    return HTZ_OK;
  }
  return make(values, arena, out, why);
}

const htz_body_kind htz_kind_soundboard = {
    .name = "soundboard",
    .about = "wooden plate with grain, supported at its edges, driven along a bridge",
    .scalars = scalars,
    .n_scalars = COUNT,
    .lists = lists,
    .n_lists = LISTS,
    .words = words,
    .n_words = WORDS,
    .density = DENSITY,
    .young = YOUNG,
    .prepare = prepare,
    .build = build,
};
