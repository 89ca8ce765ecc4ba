#include "schema_kind.h"

#include <math.h>

enum { WORDS_MAX = 32 };

htz_row htz_row_of_number(const htz_param_desc* desc) {
  return (htz_row){.range = {desc->name, desc->unit, desc->minimum, desc->maximum},
                   .form = HTZ_FORM_TABLE,
                   .initial = desc->initial,
                   .doc = desc->doc};
}

void htz_kind_rows(const htz_body_kind* kind, htz_row_use* use, void* user) {
  for (size_t i = 0; i < kind->n_scalars; ++i) {
    const htz_row row = htz_row_of_number(&kind->scalars[i]);
    use(user, &row);
  }
  for (size_t i = 0; i < kind->n_lists; ++i) {
    const htz_list_desc* list = &kind->lists[i];
    const htz_row row = {.range = {list->name, list->unit, list->minimum, list->maximum},
                         .form = list->by_key ? HTZ_FORM_TABLES : HTZ_FORM_ITEMS,
                         .least = 1,
                         .most = list->most,
                         .initial = (double)NAN,
                         .doc = list->doc};
    use(user, &row);
  }
  for (size_t i = 0; i < kind->n_words; ++i) {
    const char* words[WORDS_MAX] = {NULL};
    for (size_t k = 0; k < kind->words[i].n_choices && k + 1 < WORDS_MAX; ++k) {
      words[k] = kind->words[i].choices[k];
    }
    const htz_row row = {.range.name = kind->words[i].name, .form = HTZ_FORM_WORD, .words = words, .doc = kind->words[i].doc};
    use(user, &row);
  }
}
