#include "kind_private.h"

#include <math.h>
#include <stddef.h>

enum { MOUTH = 0, SCALARS };
enum { FREQUENCIES = 0, RATIOS, T60, Q, MASS, DIAMETERS, LISTS };

static const htz_param_desc scalars[SCALARS] = {
    [MOUTH] = {"mouth", "m", 1e-4, 10.0, NAN, HTZ_SCALE_LOG, "for an ear: radius of the opening in which it moves to and fro"},
};

#define DIAMETERS_MAX 64.0

static const htz_list_desc lists[LISTS] = {
    [FREQUENCIES] = {"frequencies", "Hz", 0.01, 1e5, HTZ_KIND_ITEMS_MAX, 1, "of the modes; this or ratios"},
    [RATIOS] = {"ratios", "", 1e-3, 1e4, HTZ_KIND_ITEMS_MAX, 1, "of the modes to the body's pitch; this or frequencies"},
    [T60] = {"t60", "s", 1e-3, 1e3, HTZ_KIND_ITEMS_MAX, 1, "decay time of each mode to -60 dB, or one for all; this or q"},
    [Q] = {"q", "", 0.5, 1e6, HTZ_KIND_ITEMS_MAX, 1, "quality factor of each mode, or one for all; this or t60"},
    [MASS] = {"mass", "kg", 1e-9, 1e6, HTZ_KIND_ITEMS_MAX, 1, "modal mass of each mode, or one for all; 1 kg unless given"},
    [DIAMETERS] =
        {"diameters", "", -DIAMETERS_MAX, DIAMETERS_MAX, HTZ_KIND_ITEMS_MAX, 0,
         "nodal diameters of each mode of a rim, where at is a share of the way round: the mode is cos(2 pi n at) there, where "
         "n < 0 the other of its pair, sin; mass is that of the mode as it moves by 1 where it moves most; all move as one "
         "unless given"},
};

static const double mass_default = 1.0; // [kg]

static const char* complaint(const htz_kind_values* values) {
  const size_t* n = values->list_n;
  if (!n[FREQUENCIES] == !n[RATIOS]) {
    return n[RATIOS] ? "ratios: give ratios or frequencies, not both" : "ratios: give the modes' ratios or frequencies";
  }
  if (n[RATIOS] && !(values->key_hz > 0.0)) {
    return "ratios: need a pitch; `frequency: own` gives none";
  }
  if (!n[T60] == !n[Q]) {
    return n[Q] ? "q: give t60 or q, not both" : "t60: give the modes' t60 or q";
  }
  const size_t modes = n[RATIOS] + n[FREQUENCIES];
  if (n[T60] > 1 && n[T60] != modes) {
    return "t60: one for all modes, or one for each";
  }
  if (n[Q] > 1 && n[Q] != modes) {
    return "q: one for all modes, or one for each";
  }
  if (n[MASS] > 1 && n[MASS] != modes) {
    return "mass: one for all modes, or one for each";
  }
  if (n[DIAMETERS] && n[DIAMETERS] != modes) {
    return "diameters: one for each mode";
  }
  for (size_t i = 0; i < n[DIAMETERS]; ++i) {
    if (values->list[DIAMETERS][i] != floor(values->list[DIAMETERS][i])) {
      return "diameters: whole numbers";
    }
  }
  return NULL;
}

/** Item i of a list that may have one item for all. */
static double item(const htz_kind_values* values, size_t list, size_t i) {
  return values->list[list][values->list_n[list] > 1 ? i : 0];
}

static htz_status build(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why) {
  double hz[HTZ_KIND_ITEMS_MAX], sigma[HTZ_KIND_ITEMS_MAX], mass[HTZ_KIND_ITEMS_MAX], diameters[HTZ_KIND_ITEMS_MAX];
  size_t n = 0;
  *why = complaint(values);
  if (*why) {
    return HTZ_BAD_VALUE;
  }
  const size_t from = values->list_n[RATIOS] ? RATIOS : FREQUENCIES;
  const double unit = from == RATIOS ? values->key_hz : 1.0;
  const double two_pi = 2.0 * acos(-1.0);
  for (size_t i = 0; i < values->list_n[from] && n < values->max_modes; ++i) {
    hz[n] = unit * values->list[from][i];
    // Inaudible ones are left out, but something must be left.
    if (hz[n] > values->limit_hz && (n > 0 || i + 1 < values->list_n[from])) {
      continue;
    }
    sigma[n] = values->list_n[Q] ? 0.5 * two_pi * hz[n] / item(values, Q, i) : htz_kind_decay(item(values, T60, i));
    mass[n] = values->list_n[MASS] ? item(values, MASS, i) : mass_default;
    diameters[n] = values->list_n[DIAMETERS] ? values->list[DIAMETERS][i] : 0.0;
    ++n;
  }
  const bool rim = values->list_n[DIAMETERS] > 0;
  const htz_status st =
      rim ? htz_modes_rim(n, hz, sigma, mass, diameters, arena, out) : htz_modes_list(n, hz, sigma, mass, 0, NULL, arena, out);
  const double mouth = values->scalar[MOUTH];
  if (rim && !isnan(mouth)) {
    *why = "mouth: what moves as a whole has one; a body with `diameters` is heard at a place";
    return HTZ_BAD_VALUE;
  }
  out->radiator = rim            ? (htz_radiator){.why = "ear: a body with `diameters` is heard at a place, by quantity and at"}
                  : isnan(mouth) ? (htz_radiator){.why = "ear: needs the radius of its opening, `mouth`"}
                                 : (htz_radiator){.as = HTZ_RADIATES_MOUTH, .area = 0.5 * two_pi * mouth * mouth};
  return st;
}

const htz_body_kind htz_kind_modal_list = {
    .name = "modal-list",
    .about = "resonator given by its modes: moving as one, such as the air in a tube, or round a rim, such as a bowl",
    .scalars = scalars,
    .n_scalars = SCALARS,
    .lists = lists,
    .n_lists = LISTS,
    .density = HTZ_NO_SCALAR,
    .young = HTZ_NO_SCALAR,
    .build = build,
};
