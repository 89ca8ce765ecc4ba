#include "hertzian/model/plate.h"
#include "kind_plate.h"

#include <math.h>
#include <string.h>

enum {
  LENGTH = HTZ_PLATE_LENGTH,
  WIDTH,
  ASPECT,
  THICKNESS,
  DENSITY,
  YOUNG,
  YOUNG_ACROSS,
  SHEAR,
  POISSON,
  LOSS_FACTOR,
  SUPPORT_HZ,
  SUPPORT_T60,
  RADIUS,
  RISE,
  COUPLED,
  LOSSES,
  COUNT = HTZ_PLATE_COUNT
};
enum { LINE = HTZ_PLATE_LIST_LINE, LISTS };
enum { EDGES = HTZ_PLATE_WORD_EDGES, BAFFLE, SHAPE, WORDS };
enum { LINE_NUMBERS = 4 };

_Static_assert((int)LOSSES == (int)HTZ_PLATE_LOSSES, "the same table");

static const htz_param_desc scalars[COUNT] = {
    [LENGTH] = {"length", "m", 1e-3, 20.0, NAN, HTZ_SCALE_LOG, "along x, the grain if there is one"},
    [WIDTH] = {"width", "m", 1e-3, 20.0, NAN, HTZ_SCALE_LOG, "along y; or aspect"},
    [ASPECT] = {"aspect", "", 0.02, 50.0, NAN, HTZ_SCALE_LOG, "length over width, instead of the width"},
    [THICKNESS] = {"thickness", "m", 1e-5, 0.5, NAN, HTZ_SCALE_LOG,
                   "of the plate. With a pitch: left out, it is made to it; given, length and width are, in their proportion"},
    [DENSITY] = {"density", "kg/m^3", 10.0, 1e5, NAN, HTZ_SCALE_LOG, "from the material unless given"},
    [YOUNG] = {"young", "Pa", 1e5, 1e13, NAN, HTZ_SCALE_LOG, "Young's modulus along x; from the material unless given"},
    [YOUNG_ACROSS] = {"young_across", "Pa", 1e5, 1e13, NAN, HTZ_SCALE_LOG, "along y; as along x unless given"},
    [SHEAR] = {"shear", "Pa", 1e4, 1e13, NAN, HTZ_SCALE_LOG,
               "shear modulus in the plane; that of an even plate of the mean Young's modulus unless given"},
    [POISSON] = {"poisson", "", 0.0, 0.5, 0.3, HTZ_SCALE_LINEAR, "how much it contracts along y when pulled along x"},
    [LOSS_FACTOR] = {HTZ_SCALAR_LOSS_FACTOR, "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
                     "1/Q of every mode when no decay times or coefficients are given; the material's unless given"},
    [SUPPORT_HZ] = {"support_hz", "Hz", 0.0, 1e3, 10.0, HTZ_SCALE_LINEAR,
                    "how fast a free plate swings on what it hangs from, at most a quarter of its pitch; 0: it floats"},
    [SUPPORT_T60] = {"support_t60", "s", 1e-3, 1e3, 0.5, HTZ_SCALE_LOG, "decay time of that swinging"},
    [RADIUS] = {"radius", "m", 1e-3, 10.0, NAN, HTZ_SCALE_LOG, "of a round plate; with a pitch it is made to that"},
    [RISE] = {"rise", "", 0.0, HTZ_DISC_RISE_MAX, 0.0, HTZ_SCALE_LINEAR,
              "of a round plate: how far its middle is over its rim, in thicknesses: a shallow cap, as a cymbal or gong is; 0: "
              "flat"},
    [COUPLED] =
        {"nonlinear_modes", "", 0.0, HTZ_DISC_COUPLED_MAX, 0.0, HTZ_SCALE_LINEAR,
         "of a round plate: the lowest so many modes couple when it bends as far as it is thick (von Karman): pitch glides and "
         "bright crashes; 0: none do, else at least 4"},
    [LOSSES] = HTZ_KIND_LOSS_TABLE,
};

static const htz_list_desc lists[LISTS] = {
    {"line", "", 0.0, 1.0, LINE_NUMBERS, 0,
     "what a place with x alone means: from [x, y of 0, to x, y of 1]; along the middle unless given, and of round plates"},
};

static const double line_default[LINE_NUMBERS] = {0.0, 0.5, 1.0, 0.5};

static const char* const edges[] = {"supported", "clamped", "free"};

static const char* const forms[] = {"rectangle", "round"};

static const htz_word_desc words[WORDS] = {
    {"edges", edges, sizeof edges / sizeof edges[0],
     "how it is held all round; supported: kept in place but free to tilt; a round plate is free"},
    [BAFFLE] = HTZ_KIND_BAFFLE_WORD,
    [SHAPE] = {"shape", forms, sizeof forms / sizeof forms[0],
               "rectangle: with length and width; round: with a radius, free at its rim, struck and heard at any (x, y) of the "
               "square around it"},
};

const char* const htz_kind_baffles[] = {"none", "rim", "wall"};

_Static_assert(HTZ_BAFFLE_NONE == 0 && HTZ_BAFFLE_RIM == 1 && HTZ_BAFFLE_WALL == 2, "order of the words above");

htz_radiator htz_kind_plate_radiator(double length, double width, unsigned baffle) {
  return (htz_radiator){.as = HTZ_RADIATES_PLATE, .baffle = (htz_baffle)baffle, .length = length, .width = width};
}

_Static_assert(HTZ_PLATE_SUPPORTED == 0 && HTZ_PLATE_CLAMPED == 1 && HTZ_PLATE_FREE == 2, "order of the words above");

static const double support_limit = 0.25; // of the first bending mode: keeps the two apart on the lowest keys

static bool is_line(const htz_kind_values* values, const char** why) {
  if (values->list_n[LINE] && values->list_n[LINE] != LINE_NUMBERS) {
    *why = "line: takes four numbers, x and y of its two ends";
    return false;
  }
  return true;
}

/** What the shapes follow from; young and shear relative to each other. */
static htz_plate_desc elastic(const htz_kind_values* values) {
  const double* v = values->scalar;
  const double young = htz_kind_or(v[YOUNG], 1.0);
  const double across = htz_kind_or(v[YOUNG_ACROSS], young);
  htz_plate_desc desc = {
      .edges = (htz_plate_edges)values->word[EDGES],
      .young = young,
      .young_across = across,
      .poisson = v[POISSON],
      // G = E/(2 (1 + nu)) of an even plate.
      .shear = htz_kind_or(v[SHEAR], 0.5 * sqrt(young * across) / (1.0 + v[POISSON] * sqrt(across / young))),
  };
  memcpy(desc.line, values->list_n[LINE] ? values->list[LINE] : line_default, sizeof desc.line);
  return desc;
}

static const char poisson_large[] = "poisson: too large for a plate so stiff along y";

static htz_status prepare(const htz_kind_values* values, htz_arena* arena, const void** shared, const char** why) {
  const double* v = values->scalar;
  if (values->word[SHAPE]) {
    return htz_kind_disc_prepare(values, arena, shared, why);
  }
  htz_plate_shapes* shapes = htz_arena_alloc(arena, 1, sizeof *shapes);
  if (!shapes) {
    return HTZ_NO_MEMORY;
  }
  if (!is_line(values, why)) {
    return HTZ_BAD_VALUE;
  }
  htz_plate_desc desc = elastic(values);
  const size_t rigid = desc.edges == HTZ_PLATE_FREE ? 3 : 0;
  if (desc.edges == HTZ_PLATE_SUPPORTED) {
    // Closed form: whatever is different between keys may be.
    *shapes = (htz_plate_shapes){.edges = desc.edges};
    *shared = shapes;
    return HTZ_OK;
  }
  if (isnan(v[ASPECT]) && (isnan(v[LENGTH]) || isnan(v[WIDTH]))) {
    *why = "aspect: clamped and free plates have the same proportions on all keys; give length and width, or aspect";
    return HTZ_BAD_VALUE;
  }
  if (isnan(v[POISSON])) {
    *why = "poisson: is the same on all keys when the edges are clamped or free";
    return HTZ_BAD_VALUE;
  }
  if (values->max_modes <= rigid) {
    *why = "modes: a free plate has three rigid motions before it bends; at least 4";
    return HTZ_BAD_VALUE;
  }
  desc.width = 1.0;
  desc.length = htz_kind_or(v[ASPECT], v[LENGTH] / v[WIDTH]);
  const htz_status st = htz_plate_shapes_find(&desc, values->max_modes - rigid, arena, shapes);
  *why = st == HTZ_BAD_VALUE ? poisson_large : NULL;
  *shared = shapes;
  return st;
}

static const char* complaint(const htz_kind_values* values) {
  const double* v = values->scalar;
  const bool tuned = values->key_hz > 0.0;
  if (!isnan(v[RADIUS])) {
    return "radius: a rectangle has length and width; or shape: round";
  }
  if (v[RISE] > 0.0 || v[COUPLED] > 0.0) {
    return v[RISE] > 0.0 ? "rise: only with shape: round" : "nonlinear_modes: only with shape: round";
  }
  if (isnan(v[LENGTH])) {
    return "length: a plate needs length and width, or length and aspect";
  }
  if (isnan(v[WIDTH]) == isnan(v[ASPECT])) {
    return isnan(v[WIDTH]) ? "length: a plate needs length and width, or length and aspect"
                           : "aspect: give width or aspect, not both";
  }
  if (isnan(v[THICKNESS]) && !tuned) {
    return "thickness: `frequency: own` needs it";
  }
  if (isnan(v[DENSITY]) || isnan(v[YOUNG])) {
    return "density: a plate needs a material, or density and young";
  }
  if (!(v[POISSON] * v[POISSON] * htz_kind_or(v[YOUNG_ACROSS], v[YOUNG]) < v[YOUNG])) {
    return poisson_large;
  }
  return NULL;
}

static htz_status build(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why) {
  const double* v = values->scalar;
  const htz_plate_shapes* shapes = values->shared;
  if (values->word[SHAPE]) {
    return htz_kind_disc_build(values, arena, out, why);
  }
  *why = complaint(values);
  if (*why || !is_line(values, why)) {
    return HTZ_BAD_VALUE;
  }
  htz_plate_desc desc = elastic(values);
  desc.length = v[LENGTH];
  desc.width = htz_kind_or(v[WIDTH], v[LENGTH] / v[ASPECT]);
  desc.thickness = htz_kind_or(v[THICKNESS], 0.0);
  desc.density = v[DENSITY];
  desc.tuning_hz = values->key_hz;
  desc.support_loss = htz_kind_decay(v[SUPPORT_T60]);
  htz_plate_desc tuned;
  if (!htz_plate_tune(shapes, &desc, &tuned)) {
    *why = "aspect: clamped and free plates have the same proportions and material on all keys";
    return HTZ_BAD_VALUE;
  }
  const double first_hz = htz_plate_first_hz(shapes, &tuned);
  tuned.support_hz = v[SUPPORT_HZ] < support_limit * first_hz ? v[SUPPORT_HZ] : support_limit * first_hz;
  if (!htz_kind_any_loss(v + LOSSES) && !isnan(v[LOSS_FACTOR])) {
    tuned.loss_factor = v[LOSS_FACTOR];
  } else if (!htz_kind_loss(v + LOSSES, first_hz, &tuned.loss, why)) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = htz_modes_plate_from(shapes, &tuned, values->limit_hz, values->max_modes, arena, out);
  if (!st) {
    out->radiator = htz_kind_plate_radiator(tuned.length, tuned.width, values->word[BAFFLE]);
  }
  return st;
}

const htz_body_kind htz_kind_plate = {
    .name = "plate",
    .about = "thin plate, a rectangle supported, clamped or free all round, or a round one that may bend far, struck and heard "
             "at any (x, y)",
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
