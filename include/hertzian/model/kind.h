#ifndef HERTZIAN_MODEL_KIND_H
#define HERTZIAN_MODEL_KIND_H

#include "hertzian/base/param.h"
#include "hertzian/model/modes.h"

/**
   Kinds of bodies an instrument file can name: each brings its parameter table, from which the loader, `instruments show` and
   the docs are made, and a builder from values to modes. The registry is src/model/kinds.def.
*/

/** A list-valued property of a kind, such as the partials of a bar. */
typedef struct {
  const char* name;
  const char* unit;
  double minimum, maximum; ///< range of each item [unit]
  size_t most;             ///< items at most
  int by_key;              ///< 1: an item may be a table over the keys; 0: the list is the same for all keys
  const char* doc;
} htz_list_desc;

/** A property that is one of a few words, such as how a bar is held. */
typedef struct {
  const char* name;
  const char* const* choices; ///< [n_choices]; the first is the default
  size_t n_choices;
  const char* doc;
} htz_word_desc;

/** Values for one key. */
typedef struct {
  const double* scalar;      ///< [kind->n_scalars], in the table's order; NaN where not given
  const double* const* list; ///< [kind->n_lists], NULL where not given
  const size_t* list_n;      ///< [kind->n_lists] items
  const unsigned* word;      ///< [kind->n_words] index of the choice
  double key_hz;             ///< frequency of the first partial [Hz]; 0: as dimensions and material make it
  double limit_hz;           ///< modes up to this frequency
  size_t max_modes;          ///< and at most this many
  const void* shared;        ///< from prepare(), or NULL
} htz_kind_values;

enum { HTZ_NO_SCALAR = -1 };

// Scalars that `material:` gives, in kinds that have one of this name.
#define HTZ_SCALAR_LOSS_FACTOR "loss_factor"
#define HTZ_SCALAR_THERMAL "thermal_strength"
#define HTZ_SCALAR_DIFFUSION "heat_diffusion"

typedef struct {
  const char* name;              ///< after `body:`
  const char* about;             ///< one line
  const htz_param_desc* scalars; ///< NaN as `initial`: no default; the builder decides what it can do without
  size_t n_scalars;
  const htz_list_desc* lists;
  size_t n_lists;
  const htz_word_desc* words;
  size_t n_words;
  int density; ///< the scalar that `material:` gives the density of, or HTZ_NO_SCALAR
  int young;   ///< the scalar that `material:` gives Young's modulus of, or HTZ_NO_SCALAR
  /**
     Find what all keys share, from what is the same for all of them: words, those lists, `limit_hz`, `max_modes`, and scalars, which are NaN
     where they differ or were not given (the rest of `values` is not set); NULL when there is nothing of the kind. Arguments and result as for build(); `*shared` is in `arena`.
  */
  htz_status (*prepare)(const htz_kind_values* values, htz_arena* arena, const void** shared, const char** why);
  /**
     Build the modes.

     @param why on failure, a one-line reason that begins with the property at fault and a colon (static text)
     @return HTZ_OK, HTZ_BAD_VALUE, HTZ_NO_MEMORY. Set-up thread.
  */
  htz_status (*build)(const htz_kind_values* values, htz_arena* arena, htz_modes* out, const char** why);
  /**
     Inharmonicity B of its partials, f_n = n f0 sqrt(1 + B n^2), with only `scalar` and `key_hz` of the values looked at; NaN where that
     cannot be had. NULL: its partials are no such series. Set-up thread.
  */
  double (*inharmonicity)(const htz_kind_values* values);
} htz_body_kind;

enum { HTZ_KIND_SCALARS_MAX = 24, HTZ_KIND_LISTS_MAX = 6, HTZ_KIND_ITEMS_MAX = 64, HTZ_KIND_WORDS_MAX = 4 };

enum { HTZ_KIND_MODES_MAX = 1024 }; ///< most modes of a body in an instrument file

/** The kind named `name`, or NULL. */
const htz_body_kind* htz_body_kind_find(const char* name);

/** Kind number `index`, or NULL past the end: for listings. */
const htz_body_kind* htz_body_kind_at(size_t index);

/** Density [kg/m^3] and Young's modulus [Pa] of a material known by name. @return false when unknown. */
int htz_material_find(const char* name, double* density, double* young);

/** Loss factor (1/Q) of a material known by name; NaN when unknown. */
double htz_material_loss(const char* name);

/**
   What a material known by name has for the scalar named `scalar`: its loss factor, E a^2 T/(rho c_p) at T = 293 K, kappa/(rho c_p) [m^2/s].

   @return NaN when either is unknown
*/
double htz_material_scalar(const char* name, const char* scalar);

/** Name of material number `index`, or NULL past the end. */
const char* htz_material_at(size_t index);

#endif
