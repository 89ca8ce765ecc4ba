#include "hertzian/model/membrane.h"
#include "kind_private.h"

#include <math.h>
#include <string.h>

enum {
  RADIUS = 0,
  AREA_DENSITY,
  DENSITY,
  THICKNESS,
  TENSION,
  AIR,
  STRETCH,
  SPLIT,
  ROUND_T60,
  LOSS_FACTOR,
  LOSSES,
  COUNT = LOSSES + HTZ_KIND_LOSSES
};
enum { RATIOS = 0, ROUND_RATIOS, LISTS };
enum { PITCH = 0, LOSSES_WORD, WORDS };

static const htz_param_desc scalars[COUNT] = {
    [RADIUS] = {"radius", "m", 1e-3, 10.0, NAN, HTZ_SCALE_LOG, "of the skin"},
    [AREA_DENSITY] = {"area_density", "kg/m^2", 1e-4, 100.0, NAN, HTZ_SCALE_LOG,
                      "mass per area; from density and thickness unless given"},
    [DENSITY] = {"density", "kg/m^3", 10.0, 1e5, NAN, HTZ_SCALE_LOG, "from the material unless given"},
    [THICKNESS] = {"thickness", "m", 1e-6, 0.1, NAN, HTZ_SCALE_LOG, "of the skin"},
    [TENSION] = {"tension", "N/m", 1.0, 1e7, NAN, HTZ_SCALE_LOG, "pull per length; follows from the pitch, needed with `own`"},
    [AIR] = {"air", "kg/m^3", 0.0, 100.0, 0.0, HTZ_SCALE_LINEAR,
             "density of the air that moves with the skin, 1.2 outdoors: makes low modes lower and heavier; 0: in vacuo"},
    [STRETCH] =
        {"stretch", "N/m", 0.0, 1e8, 0.0, HTZ_SCALE_LINEAR,
         "by how much the tension rises per relative growth of the area, E h/(2 (1 - nu)): hard strokes then start sharp and "
         "glide down; 0: constant tension"},
    [SPLIT] = {"split", "", 0.0, HTZ_MEMBRANE_SPLIT_MOST, 0.0, HTZ_SCALE_LINEAR,
               "how far the two modes of a pair are apart, relative: lugs that are not tuned alike"},
    [ROUND_T60] = {"round_t60", "s", 1e-3, 1e3, NAN, HTZ_SCALE_LOG,
                   "decay time of the modes without nodal diameters, which lose most to the air; as the others unless given"},
    [LOSS_FACTOR] =
        {HTZ_SCALAR_LOSS_FACTOR, "", 0.0, 1.0, NAN, HTZ_SCALE_LINEAR,
         "with losses: causes, 1/Q by the skin itself, bent and stretched under its tension; the material's unless given"},
    [LOSSES] = HTZ_KIND_LOSS_TABLE,
};

static const htz_list_desc lists[LISTS] = {
    {"ratios", "", 1.0, 100.0, HTZ_MEMBRANE_RATIOS_MAX, 0,
     "of the modes (1,1), (2,1), (3,1) ... to the first of them, from 1 upwards; timpani: 1, 1.5, 1.99, 2.44"},
    {"round_ratios", "", 0.01, 100.0, HTZ_MEMBRANE_RATIOS_MAX, 0, "of the modes (0,1), (0,2) ... to (1,1)"},
};

static const char* const pitches[] = {"round", "pair"};

static const htz_word_desc words[WORDS] = {
    {"pitch", pitches, sizeof pitches / sizeof pitches[0],
     "the mode that has the key's pitch; round: (0,1), the lowest; pair: (1,1), as timpani are tuned"},
    HTZ_KIND_LOSSES_WORD,
};

static const char* complaint(const htz_kind_values* values) {
  const double* v = values->scalar;
  if (isnan(v[RADIUS])) {
    return "radius: a membrane needs one";
  }
  if (isnan(v[AREA_DENSITY]) && (isnan(v[DENSITY]) || isnan(v[THICKNESS]))) {
    return "area_density: give it, or thickness and a material or density";
  }
  if (!(values->key_hz > 0.0) && isnan(v[TENSION])) {
    return "tension: `frequency: own` needs it";
  }
  if (values->key_hz > 0.0 && !isnan(v[TENSION])) {
    return "tension: follows from the pitch; leave it out or say `frequency: own`";
  }
  if (values->list_n[RATIOS] && values->list[RATIOS][0] != 1.0) {
    return "ratios: must ascend from 1";
  }
  for (size_t l = 0; l < LISTS; ++l) {
    for (size_t i = 1; i < values->list_n[l]; ++i) {
      if (!(values->list[l][i] > values->list[l][i - 1])) {
        return l == RATIOS ? "ratios: must ascend from 1" : "round_ratios: must ascend";
      }
    }
  }
  return NULL;
}

static htz_membrane_desc desc_of(const htz_kind_values* values) {
  const double* v = values->scalar;
  htz_membrane_desc desc = {
      .radius = v[RADIUS],
      .area_density = htz_kind_or(v[AREA_DENSITY], v[DENSITY] * v[THICKNESS]),
      .tension = htz_kind_or(v[TENSION], 0.0),
      .tuning_hz = values->key_hz,
      .by_pair = (int)values->word[PITCH],
      .air = v[AIR],
      .n_pairs = values->list_n[RATIOS],
      .n_rounds = values->list_n[ROUND_RATIOS],
      .stretch = v[STRETCH],
      .split = v[SPLIT],
      .round_loss = isnan(v[ROUND_T60]) ? 0.0 : htz_kind_decay(v[ROUND_T60]),
  };
  if (desc.n_pairs) {
    memcpy(desc.pairs, values->list[RATIOS], desc.n_pairs * sizeof *desc.pairs);
  }
  if (desc.n_rounds) {
    memcpy(desc.rounds, values->list[ROUND_RATIOS], desc.n_rounds * sizeof *desc.rounds);
  }
  return desc;
}

static size_t most_of(const htz_kind_values* values) {
  return values->max_modes < HTZ_MEMBRANE_MODES_MAX ? values->max_modes : HTZ_MEMBRANE_MODES_MAX;
}

static htz_status prepare(const htz_kind_values* values, htz_arena* arena, const void** shared, const char** why) {
  htz_membrane_zeros* zeros = htz_arena_alloc(arena, 1, sizeof *zeros);
  *why = NULL;
  *shared = zeros;
  return zeros ? htz_membrane_zeros_find(most_of(values), arena, zeros) : HTZ_NO_MEMORY;
}

static htz_status build(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why) {
  *why = complaint(values);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  htz_membrane_desc desc = desc_of(values);
  const double pitch_hz = values->key_hz > 0.0 ? values->key_hz : htz_membrane_pitch(&desc);
  const double* v = values->scalar;
  const bool causes = values->word[LOSSES_WORD];
  if (causes) {
    *why = isnan(v[ROUND_T60]) ? htz_kind_causes_complaint(v + LOSSES)
                               : "round_t60: with `losses: causes` it follows from the air";
    if (*why) {
      return HTZ_BAD_VALUE;
    }
    desc.loss = (htz_loss){.loss0 = htz_kind_or(v[LOSSES + HTZ_KIND_LOSS0], 0.0),
                           .loss1 = htz_kind_or(v[LOSSES + HTZ_KIND_LOSS1], 0.0)};
  } else if (!htz_kind_loss(values->scalar + LOSSES, pitch_hz, &desc.loss, why)) {
    return HTZ_BAD_VALUE;
  }
  const htz_status st = htz_modes_membrane(values->shared, &desc, values->limit_hz, most_of(values), arena, out);
  if (!st) {
    out->radiator = (htz_radiator){.as = HTZ_RADIATES_SKIN, .length = 2.0 * desc.radius};
  }
  const double own[HTZ_KIND_CAUSES] = {v[LOSS_FACTOR], 0.0, 0.0, (double)NAN};
  return st || !causes ? st : htz_kind_add_causes(own, 0.0, 0, NULL, out, why);
}

const htz_body_kind htz_kind_membrane = {
    .name = "membrane",
    .about = "round skin under tension, in air or not, struck and heard at any (x, y) of the square around it",
    .scalars = scalars,
    .n_scalars = COUNT,
    .lists = lists,
    .n_lists = LISTS,
    .words = words,
    .n_words = WORDS,
    .density = DENSITY,
    .young = HTZ_NO_SCALAR,
    .prepare = prepare,
    .build = build,
};
