#include "synth_private.h"

#include "hertzian/host/orchestra.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* htz_version(void) {
  return HTZ_VERSION;
}

void htz_fault_fill(htz_fault* fault, htz_fault_kind kind, const char* format, ...) {
  if (!fault) {
    return;
  }
  *fault = (htz_fault){.kind = kind};
  va_list args;
  va_start(args, format);
  vsnprintf(fault->text, sizeof fault->text, format, args);
  va_end(args);
  for (char* at = fault->text; *at; at++) {
    *at = (unsigned char)*at < 0x20 || *at == 0x7f ? ' ' : *at; // a name may hold anything, the line stays one
  }
}

static htz_fault_kind kind_of(htz_status status) {
  switch (status) {
  case HTZ_NO_MEMORY:
    return HTZ_FAULT_MEMORY;
  case HTZ_NOT_FOUND:
  case HTZ_NO_FILES:
  case HTZ_IO:
    return HTZ_FAULT_FILE;
  case HTZ_BAD_VALUE:
    return HTZ_FAULT_VALUE;
  default:
    return HTZ_FAULT_CONTENT;
  }
}

static void fill_from(htz_fault* fault, htz_status status, const htz_diags* diags) {
  const htz_diag* first = diags->n > 0 ? &diags->item[0] : NULL;
  const char* text = first ? first->text : htz_status_text(status);
  if (first && first->line > 0) {
    htz_fault_fill(fault, kind_of(status), "%s:%u:%u: %s", diags->file, first->line, first->column, text);
  } else {
    htz_fault_fill(fault, kind_of(status), "%s: %s", diags->file, text);
  }
  if (fault && first) {
    fault->line = first->line;
    fault->column = first->column;
    fault->more = diags->n - 1 + diags->more;
  }
}

/** What is loaded from: a name or path, or the text of a file. */
typedef struct {
  const char* name;
  const char* text; // NULL: a file
  size_t size;
} source;

static htz_status load_spec(const source* from, htz_spec** spec, htz_diags* diags) {
  char path[HTZ_PATH_MAX];
  htz_diags_init(diags, from->name);
  if (from->text) {
    return htz_spec_parse(from->name, from->text, from->size, spec, diags);
  }
  const htz_status status = htz_spec_find(from->name, path, diags);
  if (status) {
    return status;
  }
  htz_diags_init(diags, path);
  return htz_spec_load(path, spec, diags);
}

static htz_model* load(const source* from, htz_fault* fault) {
  htz_model* model = calloc(1, sizeof *model);
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  htz_status status = model && diags ? HTZ_OK : HTZ_NO_MEMORY;
  if (status) {
    htz_fault_fill(fault, HTZ_FAULT_MEMORY, "%s", htz_status_text(status));
  } else {
    status = load_spec(from, &model->spec, diags);
    if (status) {
      fill_from(fault, status, diags);
    }
  }
  free(diags);
  if (status) {
    free(model);
    return NULL;
  }
  htz_orchestra_as_played(model->spec);
  return model;
}

htz_model* htz_model_load(const char* name, htz_fault* fault) {
  if (!name || !*name) {
    htz_fault_fill(fault, HTZ_FAULT_VALUE, "which instrument?");
    return NULL;
  }
  const source from = {.name = name};
  return load(&from, fault);
}

htz_model* htz_model_parse(const char* name, const char* text, size_t size, htz_fault* fault) {
  if (!text) {
    htz_fault_fill(fault, HTZ_FAULT_VALUE, "no text");
    return NULL;
  }
  const source from = {.name = name ? name : "instrument", .text = text, .size = size};
  return load(&from, fault);
}

void htz_model_free(htz_model* model) {
  if (model) {
    htz_spec_free(model->spec);
    free(model);
  }
}

static size_t count_params(const htz_spec* spec) {
  size_t n = 0;
  for (size_t param = 0; param < htz_spec_n_params(spec); param++) {
    n += htz_spec_param_used(spec, param);
  }
  return n;
}

htz_model_info htz_model_describe(const htz_model* model) {
  const htz_spec* spec = model->spec;
  return (htz_model_info){.id = spec->id,
                          .name = spec->name ? spec->name : spec->id,
                          .about = spec->about ? spec->about : "",
                          .key_low = spec->key_low,
                          .key_high = spec->key_high,
                          .n_params = count_params(spec),
                          .n_controls = spec->n_controls};
}

static void describe_param(const htz_spec* spec, unsigned param, htz_param_info* out) {
  static const htz_param_scale scales[] = {
      [HTZ_SCALE_LINEAR] = HTZ_PARAM_LINEAR, [HTZ_SCALE_LOG] = HTZ_PARAM_LOG, [HTZ_SCALE_STEPS] = HTZ_PARAM_STEPS};
  const htz_param_desc desc = htz_spec_param(spec, param);
  *out = (htz_param_info){.number = param,
                          .name = desc.name,
                          .unit = desc.unit,
                          .doc = desc.doc,
                          .minimum = desc.minimum,
                          .maximum = desc.maximum,
                          .initial = htz_spec_param_initial(spec, param),
                          .scale = scales[desc.scale],
                          .words = htz_spec_param_words(spec, param)};
}

bool htz_model_param(const htz_model* model, size_t index, htz_param_info* out) {
  for (unsigned param = 0; param < htz_spec_n_params(model->spec); param++) {
    if (htz_spec_param_used(model->spec, param) && index-- == 0) {
      describe_param(model->spec, param, out);
      return true;
    }
  }
  return false;
}

bool htz_model_find_param(const htz_model* model, const char* name, htz_param_info* out) {
  const size_t param = name ? htz_spec_param_find(model->spec, name) : htz_spec_n_params(model->spec);
  if (!htz_spec_param_used(model->spec, param)) {
    return false;
  }
  describe_param(model->spec, (unsigned)param, out);
  return true;
}

bool htz_model_control(const htz_model* model, size_t index, htz_control_info* out) {
  if (index >= model->spec->n_controls) {
    return false;
  }
  const htz_spec_control* control = &model->spec->controls[index];
  *out = (htz_control_info){.cc = control->cc, .param = (unsigned)control->param, .low = control->low, .high = control->high};
  return true;
}

size_t htz_model_list(bool (*each)(void* user, const char* id, const char* path), void* user) {
  htz_spec_catalog catalog;
  size_t named = 0;
  if (htz_spec_list(&catalog)) {
    return 0;
  }
  bool more = true;
  for (size_t i = 0; i < catalog.n && more; i++) {
    if (catalog.entry[i].spec) {
      more = each(user, catalog.entry[i].id, catalog.entry[i].path);
      named++;
    }
  }
  htz_spec_list_free(&catalog);
  return named;
}
