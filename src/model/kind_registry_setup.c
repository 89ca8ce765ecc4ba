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
  double density, young, loss;
} materials[] = {
#define HTZ_MATERIAL(name, density, young, loss) {name, density, young, loss},
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

double htz_material_loss(const char* name) {
  for (size_t i = 0; i < MATERIALS; ++i) {
    if (strcmp(materials[i].name, name) == 0) {
      return materials[i].loss;
    }
  }
  return (double)NAN;
}
