#include "hertzian/instrument/spec_grid.h"

#include <math.h>

static const htz_param_desc values[HTZ_GRID_VALUES] = {
    [HTZ_GRID_LENGTH] = {"length", "m", 5e-3, 50.0, NAN, HTZ_SCALE_LOG, "of a string its speaking length"},
    [HTZ_GRID_WIDTH] = {"width", "m", 1e-3, 10.0, NAN, HTZ_SCALE_LOG, "across"},
    [HTZ_GRID_THICKNESS] = {"thickness", "m", 1e-5, 0.2, NAN, HTZ_SCALE_LOG, "of a bar or plate"},
    [HTZ_GRID_DENSITY] = {"density", "kg/m^3", 10.0, 1e5, NAN, HTZ_SCALE_LOG, "from the material unless given"},
    [HTZ_GRID_YOUNG] = {"young", "Pa", 1e4, 1e13, NAN, HTZ_SCALE_LOG, "Young's modulus; from the material unless given"},
    [HTZ_GRID_POISSON] = {"poisson", "", 0.0, 0.49, 0.3, HTZ_SCALE_LINEAR, "Poisson's ratio"},
    [HTZ_GRID_LIN_DENSITY] = {"lin_density", "kg/m", 1e-7, 10.0, NAN, HTZ_SCALE_LOG,
                              "mass per length; that of a round core unless given"},
    [HTZ_GRID_AREA_DENSITY] = {"area_density", "kg/m^2", 1e-3, 100.0, NAN, HTZ_SCALE_LOG, "mass per area of a skin"},
    [HTZ_GRID_TENSION] = {"tension", "N", 1e-2, 1e6, NAN, HTZ_SCALE_LOG,
                          "of a string with `frequency: own`; of a membrane per metre"},
    [HTZ_GRID_CORE_DIAMETER] = {"core_diameter", "m", 0.0, 2e-2, 0.0, HTZ_SCALE_LINEAR, "of the stiff core; 0: no stiffness"},
    [HTZ_GRID_INHARMONICITY] = {"inharmonicity", "", 0.0, 0.1, NAN, HTZ_SCALE_LINEAR,
                                "B in f_n = n f0 sqrt(1 + B n^2); from the core unless given"},
    [HTZ_GRID_T60] = {"t60", "s", 1e-3, 1e3, NAN, HTZ_SCALE_LOG, "decay time of the first partial"},
    [HTZ_GRID_T60_HIGH] = {"t60_high", "s", 1e-3, 1e3, NAN, HTZ_SCALE_LOG, "decay time at t60_high_hz"},
    [HTZ_GRID_T60_HIGH_HZ] = {"t60_high_hz", "Hz", 1.0, 1e5, NAN, HTZ_SCALE_LOG, "ten times the first partial unless given"},
    [HTZ_GRID_SIGMA0] = {"sigma0", "1/s", 0.0, 1e4, NAN, HTZ_SCALE_LINEAR, "decay rate of all partials, instead of t60"},
    [HTZ_GRID_SIGMA1] = {"sigma1", "m^2/s", 0.0, 10.0, NAN, HTZ_SCALE_LINEAR, "that grows with the square of the wave number"},
    [HTZ_GRID_MASS_KG] = {"mass", "kg", 1e-7, 1e3, NAN, HTZ_SCALE_LOG, "of a lumped mass"},
    [HTZ_GRID_LOSS] = {"loss", "1/s", 0.0, 1e4, 0.0, HTZ_SCALE_LINEAR, "force against its motion over mass and speed"},
    [HTZ_GRID_GRAVITY] = {"gravity", "m/s^2", -100.0, 100.0, 0.0, HTZ_SCALE_LINEAR, "acceleration of a mass, up counts"},
};

#define HAS(value) (1ul << (value))
static const unsigned long losses =
    HAS(HTZ_GRID_T60) | HAS(HTZ_GRID_T60_HIGH) | HAS(HTZ_GRID_T60_HIGH_HZ) | HAS(HTZ_GRID_SIGMA0) | HAS(HTZ_GRID_SIGMA1);

static unsigned long own_values(htz_spec_grid_kind kind) {
  switch (kind) {
  case HTZ_GRID_STRING:
    return losses | HAS(HTZ_GRID_LENGTH) | HAS(HTZ_GRID_DENSITY) | HAS(HTZ_GRID_YOUNG) | HAS(HTZ_GRID_LIN_DENSITY) |
           HAS(HTZ_GRID_TENSION) | HAS(HTZ_GRID_CORE_DIAMETER) | HAS(HTZ_GRID_INHARMONICITY);
  case HTZ_GRID_BAR:
    return losses | HAS(HTZ_GRID_LENGTH) | HAS(HTZ_GRID_WIDTH) | HAS(HTZ_GRID_THICKNESS) | HAS(HTZ_GRID_DENSITY) |
           HAS(HTZ_GRID_YOUNG);
  case HTZ_GRID_PLATE:
    return losses | HAS(HTZ_GRID_LENGTH) | HAS(HTZ_GRID_WIDTH) | HAS(HTZ_GRID_THICKNESS) | HAS(HTZ_GRID_DENSITY) |
           HAS(HTZ_GRID_YOUNG) | HAS(HTZ_GRID_POISSON);
  case HTZ_GRID_MEMBRANE:
    return losses | HAS(HTZ_GRID_LENGTH) | HAS(HTZ_GRID_WIDTH) | HAS(HTZ_GRID_AREA_DENSITY) | HAS(HTZ_GRID_TENSION);
  case HTZ_GRID_MASS:
    return HAS(HTZ_GRID_MASS_KG) | HAS(HTZ_GRID_LOSS) | HAS(HTZ_GRID_GRAVITY);
  default:
    return 0;
  }
}

const char* htz_spec_grid_kind_name(htz_spec_grid_kind kind) {
  static const char* const names[HTZ_GRID_KINDS] = {"string", "bar", "plate", "membrane", "mass", "body with modes", "barrier"};
  return kind < HTZ_GRID_KINDS ? names[kind] : NULL;
}

const char* htz_spec_grid_kind_about(htz_spec_grid_kind kind) {
  static const char* const abouts[HTZ_GRID_KINDS] = {"stiff string between two ends",
                                                     "bar of one thickness",
                                                     "thin rectangular plate",
                                                     "rectangular skin under tension",
                                                     "lumped mass, free or on a spring",
                                                     "its modes, exact in pitch and decay",
                                                     "rigid, never moves"};
  return kind < HTZ_GRID_KINDS ? abouts[kind] : NULL;
}

const htz_param_desc* htz_spec_grid_value_desc(htz_spec_grid_value value) {
  return &values[value];
}

bool htz_spec_grid_has(htz_spec_grid_kind kind, htz_spec_grid_value value) {
  return own_values(kind) >> value & 1ul;
}

bool htz_spec_grid_needs(htz_spec_grid_kind kind, htz_spec_grid_value value) {
  const bool optional = value == HTZ_GRID_TENSION && kind == HTZ_GRID_STRING;
  const bool unused = value == HTZ_GRID_WIDTH && kind == HTZ_GRID_BAR;
  const bool dimension = value == HTZ_GRID_LENGTH || value == HTZ_GRID_WIDTH || value == HTZ_GRID_THICKNESS ||
                         value == HTZ_GRID_MASS_KG || value == HTZ_GRID_AREA_DENSITY || value == HTZ_GRID_TENSION;
  return dimension && htz_spec_grid_has(kind, value) && !optional && !unused;
}

bool htz_spec_grid_does(const htz_spec_grid* grid, htz_excite kind) {
  bool does = false;
  for (size_t i = 0; i < grid->n_gestures; ++i) {
    does = does || grid->gesture[i] == kind;
  }
  return does;
}
