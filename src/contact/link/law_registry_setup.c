#include "hertzian/contact/law.h"

#include <string.h>

#define HTZ_LAW(symbol, source) &symbol,
static const htz_law_class* const registry[] = {
#include "laws.def"
};
#undef HTZ_LAW

enum { COUNT = sizeof registry / sizeof registry[0] };

const htz_law_class* htz_law_at(size_t index) {
  return index < COUNT ? registry[index] : NULL;
}

const htz_law_class* htz_law_find(const char* name) {
  for (size_t i = 0; i < COUNT; ++i) {
    if (strcmp(registry[i]->name, name) == 0) {
      return registry[i];
    }
  }
  return NULL;
}
