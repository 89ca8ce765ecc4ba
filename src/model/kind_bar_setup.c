#include "hertzian/model/radiation.h"
#include "kind_private.h"
#include "modes_private.h"

#include <math.h>
#include <string.h>

enum {
  MASS = 0,
  LENGTH,
  WIDTH,
  THICKNESS,
  WALL,
  DENSITY,
  YOUNG,
  SUPPORT_HZ,
  SUPPORT_T60,
  SHEAR,
  TORSION,
  LOSSES,
  CAUSES = LOSSES + HTZ_KIND_LOSSES,
  COUNT = CAUSES + HTZ_KIND_CAUSES
};
enum { PARTIALS = 0, CORDS, LISTS };
enum { ENDS = 0, BENDING, LOSSES_WORD, WORDS };
enum { THIN = 0, THICK };
enum { TORSION_MAX = 16 };

static const htz_param_desc scalars[COUNT] = {
    [MASS] = {"mass", "kg", 1e-6, 1e3, NAN, HTZ_SCALE_LOG, "of the whole bar; from its dimensions and density unless given"},
    [LENGTH] = {"length", "m", 1e-3, 10.0, NAN, HTZ_SCALE_LOG,
                "of the bar, or the free length of a tine; uniform ones are cut to their pitch unless given"},
    [WIDTH] = {"width", "m", 1e-4, 1.0, NAN, HTZ_SCALE_LOG, "of the bar"},
    [THICKNESS] = {"thickness", "m", 1e-5, 1.0, NAN, HTZ_SCALE_LOG, "of the bar where it is not cut away"},
    [WALL] = {"wall", "m", 1e-5, 0.1, NAN, HTZ_SCALE_LOG,
              "makes it a round tube with a wall so thick; `thickness` is its outside diameter, and it has no width"},
    [DENSITY] = {"density", "kg/m^3", 10.0, 1e5, NAN, HTZ_SCALE_LOG, "from the material unless given"},
    [YOUNG] = {"young", "Pa", 1e5, 1e13, NAN, HTZ_SCALE_LOG, "Young's modulus; from the material unless given"},
    [SUPPORT_HZ] = {"support_hz", "Hz", 0.0, 1e3, 30.0, HTZ_SCALE_LINEAR,
                    "how fast a free bar bounces on its cords, at most a quarter of its pitch; 0: it floats"},
    [SUPPORT_T60] = {"support_t60", "s", 1e-3, 1e3, 0.3, HTZ_SCALE_LOG, "decay time of that bouncing"},
    [SHEAR] = {"shear", "Pa", 1e4, 1e13, NAN, HTZ_SCALE_LOG,
               "shear modulus, with bending: thick; that of an even material, 3/8 of Young's modulus, unless given"},
    [TORSION] = {"torsion", "", 0.0, TORSION_MAX, 0.0, HTZ_SCALE_LINEAR,
                 "so many twisting modes, with bending: thick; they are struck and heard beside the middle of its width"},
    [LOSSES] = HTZ_KIND_LOSS_TABLE,
    [CAUSES] = HTZ_KIND_CAUSE_TABLE,
};

static const htz_list_desc lists[LISTS] = {
    {"partials", "", 1.0, 1000.0, HTZ_BAR_PARTIALS_MAX, 0,
     "ratios the bar is cut to, from 1 upwards; the shapes follow. Without: a uniform bar, 1 : 2.76 : 5.40"},
    {"cords", "", 0.0, 1.0, HTZ_KIND_CORDS_MAX, 0,
     "with losses: causes, where cords, felts or pins hold it, fractions of the length"},
};

static const char* const ends[] = {"free", "cantilever"};
static const char* const bending[] = {"thin", "thick"};

static const htz_word_desc words[WORDS] = {
    {"ends", ends, sizeof ends / sizeof ends[0], "free: resting on cords at its nodes; cantilever: a tine clamped at 0"},
    {"bending", bending, sizeof bending / sizeof bending[0],
     "thick: a uniform bar or tube whose high partials are lower, as it shears and its sections turn (Timoshenko)"},
    HTZ_KIND_LOSSES_WORD,
};

_Static_assert(HTZ_BAR_FREE == 0 && HTZ_BAR_CANTILEVER == 1, "order of the words above");

static const double support_limit = 0.25; // of the first bending mode: keeps the two apart on the lowest keys

static htz_status prepare(const htz_kind_values* values, htz_arena* arena, const void** shared, const char** why) {
  htz_bar_shapes* shapes = htz_arena_alloc(arena, 1, sizeof *shapes);
  if (!shapes) {
    return HTZ_NO_MEMORY;
  }
  const htz_status st =
      htz_bar_shapes_find((htz_bar_ends)values->word[ENDS], values->list_n[PARTIALS], values->list[PARTIALS], shapes);
  if (st == HTZ_BAD_VALUE) {
    *why = "partials: must ascend from 1";
  }
  *shared = shapes;
  return st;
}

/** A tube bends as a rectangle of the same area and radius of gyration: sqrt(ro^2 + ri^2)/2, that of a rectangle its height/sqrt(12). */
static void flatten_tube(double* v) {
  const double outer = 0.5 * v[THICKNESS], inner = outer - v[WALL];
  const double area = acos(-1.0) * (outer * outer - inner * inner);
  v[THICKNESS] = sqrt(3.0 * (outer * outer + inner * inner));
  v[WIDTH] = area / v[THICKNESS];
}

/** Length at which a uniform bar has its first partial at `hz`: 2 pi f = (beta/L)^2 h sqrt(E/(12 rho)). */
static double length_for(const double* v, htz_bar_ends held, double hz) {
  const double beta = htz_bar_uniform_number(held, 1);
  const double stiff = v[THICKNESS] * sqrt(v[YOUNG] / (12.0 * v[DENSITY]));
  return beta * sqrt(stiff / (2.0 * acos(-1.0) * hz));
}

static const char* tube_complaint(const htz_kind_values* values) {
  const double* v = values->scalar;
  if (isnan(v[WALL])) {
    return NULL;
  }
  if (isnan(v[THICKNESS]) || !isnan(v[WIDTH]) || values->list_n[PARTIALS]) {
    return "wall: a tube has a thickness, its outside diameter, but no width, and is not cut to partials";
  }
  return v[WALL] < 0.5 * v[THICKNESS] ? NULL : "wall: must be less than half the thickness";
}

static bool is_thick(const htz_kind_values* values) {
  return values->word[BENDING] == THICK;
}

/** Of what only a thick bar has, and what it cannot be. */
static const char* thick_complaint(const htz_kind_values* values) {
  const double* v = values->scalar;
  if (!is_thick(values)) {
    return v[TORSION] > 0.0 ? "torsion: needs `bending: thick`" : NULL;
  }
  if (values->word[ENDS] != HTZ_BAR_FREE || values->list_n[PARTIALS]) {
    return "bending: only uniform bars and tubes with free ends are thick";
  }
  if (!isnan(v[WALL]) && v[TORSION] > 0.0) {
    return "torsion: a tube that twists moves no air";
  }
  if (isnan(v[LENGTH]) || isnan(v[WIDTH]) || isnan(v[THICKNESS]) || isnan(v[DENSITY]) || isnan(v[YOUNG])) {
    return "bending: a thick bar needs length, width, thickness and a material or density and young";
  }
  return values->max_modes < 4 ? "modes: a thick bar has up to three rigid motions before it bends; at least 4" : NULL;
}

static const char* complaint(const htz_kind_values* values) {
  const double* v = values->scalar;
  if (values->word[LOSSES_WORD] && htz_kind_causes_complaint(v + LOSSES)) {
    return htz_kind_causes_complaint(v + LOSSES);
  }
  if (!values->word[LOSSES_WORD] && values->list_n[CORDS]) {
    return "cords: need `losses: causes`";
  }
  const bool block = !isnan(v[LENGTH]) && !isnan(v[WIDTH]) && !isnan(v[THICKNESS]) && !isnan(v[DENSITY]);
  if (isnan(v[MASS]) && !block) {
    return "mass: give it, or length, width, thickness and a material or density";
  }
  if (!(values->key_hz > 0.0) && (isnan(v[LENGTH]) || isnan(v[THICKNESS]) || isnan(v[DENSITY]) || isnan(v[YOUNG]))) {
    return "frequency: `own` needs length, thickness and a material or density and young";
  }
  if (v[LOSSES + HTZ_KIND_LOSS1] > 0.0 && isnan(v[LENGTH])) {
    return "loss1: needs the bar's length";
  }
  if (values->word[ENDS] == HTZ_BAR_FREE && values->max_modes < 3) {
    return "modes: a free bar has two rigid motions before it bends; at least 3";
  }
  return NULL;
}

/** Pitch of a bar that is tuned by its dimensions: that of a trial with one bending mode. */
static htz_status own_pitch(const htz_bar_shapes* shapes, const htz_bar_desc* desc, double limit_hz, double* first_hz) {
  htz_arena scratch;
  htz_modes modes;
  htz_bar_desc trial = *desc;
  trial.support_hz = 0.0;
  trial.loss = (htz_loss){0};
  htz_arena_measure(&scratch);
  const size_t least = desc->ends == HTZ_BAR_FREE ? 3 : 1;
  const htz_status st = htz_modes_bar_from(shapes, &trial, limit_hz, least, &scratch, &modes);
  if (!st) {
    const double two_pi = 2.0 * acos(-1.0);
    *first_hz = modes.omega[modes.n - 1] / two_pi;
  }
  htz_arena_free(&scratch);
  return st;
}

/** Make a tube the bar it bends like, and cut what has no length to its pitch. */
static void shape_bar(const htz_kind_values* values, double* v) {
  if (!isnan(v[WALL])) {
    flatten_tube(v);
  }
  if (isnan(v[LENGTH]) && values->key_hz > 0.0 && values->list_n[PARTIALS] == 0) {
    v[LENGTH] = length_for(v, (htz_bar_ends)values->word[ENDS], values->key_hz); // NaN where it does not follow
  }
}

/**
   Mass of the air that goes with each metre of it: of a flat bar that of the cylinder around its width and what it pushes aside; of a tube
   twice what it pushes aside. NaN where the file does not say how thick it is.
*/
static double air_of(const double* v) {
  const double round = acos(-1.0) * 0.25;
  if (!isnan(v[WALL])) {
    return HTZ_AIR_DENSITY * 2.0 * round * v[THICKNESS] * v[THICKNESS];
  }
  return HTZ_AIR_DENSITY * (round * v[WIDTH] * v[WIDTH] + v[WIDTH] * v[THICKNESS]);
}

/** And per metre with either half of a flat bar that twists: half a strip's, pi rho b^4/8 for half its width, and what it pushes aside. */
static double twisted_of(const double* v) {
  return HTZ_AIR_DENSITY * (acos(-1.0) / 32.0 * v[WIDTH] * v[WIDTH] + v[WIDTH] * v[THICKNESS] / 3.0);
}

static htz_radiator radiator_of(const htz_kind_values* given, double length) {
  const double air = air_of(given->scalar);
  if (isnan(air) || isnan(length)) {
    return (htz_radiator){.why = "ear: needs the bar's length, width and thickness"};
  }
  const bool twists = given->scalar[TORSION] >= 0.5;
  return (htz_radiator){.as = HTZ_RADIATES_LINE,
                        .length = length,
                        .air = air,
                        .width = twists ? given->scalar[WIDTH] : 0.0,
                        .twisted = twists ? twisted_of(given->scalar) : 0.0};
}

// Shear modulus over Young's of an even material, 1/(2 (1 + nu)) with nu = 1/3; shares of a section that carry the shear: 5/6 of a rectangle,
// by Cowper of a thin round tube.
static const double even_shear = 0.375, share_of_rectangle = 5.0 / 6.0, share_of_tube = 0.53;

/** How far heat flows between the stretched and the pressed side: through a bar; around a tube it is too far to matter. */
static double heat_path(const htz_kind_values* given) {
  return isnan(given->scalar[WALL]) ? given->scalar[THICKNESS] : 0.0;
}

static htz_status build(const htz_kind_values* given, htz_arena* arena, htz_modes* out, const char** why) {
  double v[COUNT];
  htz_kind_values whole = *given;
  const htz_kind_values* values = &whole;
  const htz_bar_shapes* shapes = values->shared;
  *why = tube_complaint(given);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  memcpy(v, given->scalar, sizeof v);
  shape_bar(given, v);
  whole.scalar = v;
  *why = complaint(values);
  *why = *why ? *why : thick_complaint(values);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  htz_bar_desc desc = {
      .ends = (htz_bar_ends)values->word[ENDS],
      .mass = htz_kind_or(v[MASS], 0.0),
      .length = htz_kind_or(v[LENGTH], 0.0),
      .width = htz_kind_or(v[WIDTH], 0.0),
      .thickness = htz_kind_or(v[THICKNESS], 0.0),
      .density = htz_kind_or(v[DENSITY], 0.0),
      .young = htz_kind_or(v[YOUNG], 0.0),
      .tuning_hz = values->key_hz,
      .support_loss = htz_kind_decay(v[SUPPORT_T60]),
      .shear = htz_kind_or(v[SHEAR], even_shear * v[YOUNG]),
      .shear_share = isnan(v[WALL]) ? share_of_rectangle : share_of_tube,
      .torsion = (size_t)(v[TORSION] + 0.5),
  };
  double first_hz = values->key_hz;
  if (!(first_hz > 0.0) && own_pitch(shapes, &desc, values->limit_hz, &first_hz)) {
    return HTZ_BAD_VALUE;
  }
  desc.support_hz = v[SUPPORT_HZ] < support_limit * first_hz ? v[SUPPORT_HZ] : support_limit * first_hz;
  const bool causes = values->word[LOSSES_WORD];
  if (causes) {
    desc.loss = (htz_loss){.loss0 = htz_kind_or(v[LOSSES + HTZ_KIND_LOSS0], 0.0),
                           .loss1 = htz_kind_or(v[LOSSES + HTZ_KIND_LOSS1], 0.0)};
  } else if (!htz_kind_loss(v + LOSSES, first_hz, &desc.loss, why)) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = is_thick(values) ? htz_modes_bar_thick(&desc, values->limit_hz, values->max_modes, arena, out)
                                         : htz_modes_bar_from(shapes, &desc, values->limit_hz, values->max_modes, arena, out);
  out->radiator = radiator_of(given, v[LENGTH]);
  return st || !causes
             ? st
             : htz_kind_add_causes(v + CAUSES, heat_path(given), values->list_n[CORDS], values->list[CORDS], out, why);
}

const htz_body_kind htz_kind_bar = {
    .name = "bar",
    .about = "bar of wood or metal, uniform or cut to ratios, or a clamped tine",
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
