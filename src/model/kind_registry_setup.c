#include "kind_private.h"

#include <math.h>
#include <string.h>

static const htz_body_kind* const registry[] = {
#define HTZ_KIND(name) &htz_kind_##name,
#include "kinds.def"
#undef HTZ_KIND
};

static const struct {
  const char* name;
  double density, young, loss, expansion, heat, conductivity;
} materials[] = {
#define HTZ_MATERIAL(name, density, young, loss, expansion, heat, conductivity)                                                \
  {name, density, young, loss, expansion, heat, conductivity},
#include "materials.def"
#undef HTZ_MATERIAL
};

enum { KINDS = sizeof registry / sizeof registry[0], MATERIALS = sizeof materials / sizeof materials[0] };

const htz_body_kind* htz_body_kind_at(size_t index) {
  return index < KINDS ? registry[index] : NULL;
}

const htz_body_kind* htz_body_kind_find(const char* name) {
  for (size_t i = 0; i < KINDS; ++i) {
    if (strcmp(registry[i]->name, name) == 0) {
      return registry[i];
    }
  }
  return NULL;
}

const char* htz_material_at(size_t index) {
  return index < MATERIALS ? materials[index].name : NULL;
}

int htz_material_find(const char* name, double* density, double* young) {
  for (size_t i = 0; i < MATERIALS; ++i) {
    if (strcmp(materials[i].name, name) == 0) {
      *density = materials[i].density;
      *young = materials[i].young;
      return 1;
    }
  }
  return 0;
}

double htz_material_scalar(const char* name, const char* scalar) {
  static const double room = 293.0; // [K]
  for (size_t i = 0; i < MATERIALS; ++i) {
    if (strcmp(materials[i].name, name) == 0) {
      const double heat = materials[i].density * materials[i].heat, grows = materials[i].expansion;
      return strcmp(scalar, HTZ_SCALAR_LOSS_FACTOR) == 0 ? materials[i].loss
             : strcmp(scalar, HTZ_SCALAR_THERMAL) == 0   ? materials[i].young * grows * grows * room / heat
             : strcmp(scalar, HTZ_SCALAR_DIFFUSION) == 0 ? materials[i].conductivity / heat
                                                         : (double)NAN;
    }
  }
  return (double)NAN;
}

double htz_material_loss(const char* name) {
  return htz_material_scalar(name, HTZ_SCALAR_LOSS_FACTOR);
}
