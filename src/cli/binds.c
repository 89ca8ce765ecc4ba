#include "binds.h"

#include "hertzian/instrument/diag.h"
#include "hertzian/instrument/folders.h"
#include "hertzian/instrument/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512, CC_MOST = 119, CC_BANK = 0, CC_BANK_LOW = 32, CC_PEDAL = 64, CC_PEDAL_LAST = 67 };

static const char pressure[] = "pressure";

bool htz_bind_is_reserved(unsigned cc) {
  return cc == CC_BANK || cc == CC_BANK_LOW || (cc >= CC_PEDAL && cc <= CC_PEDAL_LAST) ||
         (cc > CC_MOST && cc != HTZ_CONTROL_PRESSURE);
}

bool htz_binds_path(char path[HTZ_PATH_MAX]) {
  return htz_config_path("controllers", path);
}

static bool refuse(const char* begin, const char* place, const char* what, size_t* at, char* why, size_t why_size) {
  *at = (size_t)(place - begin);
  snprintf(why, why_size, "%s", what);
  return false;
}

static bool number_at(const char** at, const char* end, double* out) {
  if (!htz_number_parse(*at, (size_t)(end - *at), out)) {
    return false;
  }
  *at = end;
  return true;
}

/** What comes behind the name: `:LO..HI` and `:pickup`, in this order. */
static bool parse_rest(const char* begin, const char* p, htz_bind* out, size_t* at, char* why, size_t why_size) {
  static const char word[] = "pickup";
  const char* dots = strstr(p, "..");
  if (*p == ':' && dots && strcmp(p + 1, word) != 0) {
    const char* low = p + 1;
    const char* high = dots + 2;
    const char* end = high + strcspn(high, ":");
    if (!number_at(&low, dots, &out->low) || !number_at(&high, end, &out->high)) {
      return refuse(begin, p + 1, "a range is two numbers, such as 0.5..2", at, why, why_size);
    }
    if (out->low == out->high) {
      return refuse(begin, p + 1, "a range whose ends are the same moves nothing", at, why, why_size);
    }
    p = end;
  }
  if (*p == ':' && strcmp(p + 1, word) == 0) {
    out->pickup = true;
    p += sizeof word;
  }
  return *p ? refuse(begin, p, "behind the parameter comes :LO..HI, and :pickup if it is wanted", at, why, why_size) : true;
}

bool htz_bind_parse(const char* text, htz_bind* out, size_t* at, char* why, size_t why_size) {
  const char* equals = strchr(text, '=');
  const size_t length = equals ? (size_t)(equals - text) : 0;
  double cc = 0.0;
  *out = (htz_bind){.low = (double)NAN, .high = (double)NAN};
  if (length == 0) {
    return refuse(text, text, "not of the form CC=PARAM:LO..HI", at, why, why_size);
  }
  if (length == sizeof pressure - 1 && strncmp(text, pressure, length) == 0) {
    out->cc = HTZ_CONTROL_PRESSURE;
  } else if (htz_number_parse(text, length, &cc) && cc == floor(cc) && cc >= 0.0 && cc <= CC_MOST) {
    out->cc = (uint8_t)cc;
  } else {
    return refuse(text, text, "a controller is a number from 0 to 119, or pressure", at, why, why_size);
  }
  const char* name = equals + 1;
  const size_t n = strcspn(name, ":");
  if (n == 0 || n >= sizeof out->name) {
    return refuse(text, name, "a parameter's name belongs here", at, why, why_size);
  }
  memcpy(out->name, name, n);
  return parse_rest(text, name + n, out, at, why, why_size);
}

void htz_bind_text(const htz_bind* bind, char* text, size_t size) {
  char cc[16], range[2 * HTZ_NUMBER_TEXT + 4] = "", low[HTZ_NUMBER_TEXT], high[HTZ_NUMBER_TEXT];
  snprintf(cc, sizeof cc, bind->cc == HTZ_CONTROL_PRESSURE ? "%s" : "%.0s%u", pressure, bind->cc);
  if (!isnan(bind->low)) {
    snprintf(range, sizeof range, ":%s..%s", htz_number_text(bind->low, low), htz_number_text(bind->high, high));
  }
  snprintf(text, size, "%s=%s%s%s", cc, bind->name, range, bind->pickup ? ":pickup" : "");
}

static bool add(htz_options* options, const htz_bind* bind) {
  if (options->n_binds == HTZ_BINDS_MAX) {
    return false;
  }
  options->binds[options->n_binds++] = *bind;
  return true;
}

/** Blanks go, so that `74 = mallet.hardness : 0.1..10` is as good; what is behind # is a remark. Columns stay where they are in `column`. */
static size_t squeeze(const char* line, char* out, unsigned* column) {
  size_t n = 0;
  for (const char* p = line; *p && *p != '#' && n + 1 < LINE; p++) {
    if (!isspace((unsigned char)*p)) {
      column[n] = (unsigned)(p - line) + 1;
      out[n++] = *p;
    }
  }
  column[n] = n > 0 ? column[n - 1] + 1 : 1;
  out[n] = '\0';
  return n;
}

bool htz_bind_of_line(const char* line, htz_bind* out) {
  char text[LINE], why[HTZ_DIAG_TEXT];
  unsigned column[LINE];
  size_t at = 0;
  return squeeze(line, text, column) > 0 && htz_bind_parse(text, out, &at, why, sizeof why);
}

static void read_lines(FILE* file, htz_options* options, htz_diags* diags) {
  char line[LINE], text[LINE], why[HTZ_DIAG_TEXT];
  unsigned column[LINE];
  for (unsigned number = 1; fgets(line, sizeof line, file); number++) {
    htz_bind bind;
    size_t at = 0;
    if (squeeze(line, text, column) == 0) {
      continue;
    }
    if (!htz_bind_parse(text, &bind, &at, why, sizeof why)) {
      htz_diags_add(diags, number, column[at], "%s", why);
    } else if (!add(options, &bind)) {
      htz_diags_add(diags, number, 1, "one too many; 32 are allowed");
      return;
    }
  }
}

/** @param must  it has to be there */
static int read_file(const char* path, bool must, htz_options* options) {
  FILE* file = fopen(path, "r");
  const int first = file ? fgetc(file) : EOF; // a folder opens like a file
  if (!file && !must) {
    return HTZ_EXIT_DONE;
  }
  if (!file || ferror(file)) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "--bind %s: neither CC=PARAM:LO..HI nor a file of such lines (%s)", path,
                strerror(errno));
    if (file) {
      fclose(file);
    }
    return HTZ_EXIT_INPUT;
  }
  ungetc(first, file);
  htz_diags* diags = malloc(sizeof *diags);
  int code = HTZ_EXIT_INTERNAL;
  if (diags) {
    htz_diags_init(diags, path);
    read_lines(file, options, diags);
    htz_diags_say(diags, options->log, HTZ_LOG_ERROR);
    code = diags->n > 0 ? HTZ_EXIT_INPUT : HTZ_EXIT_DONE;
  }
  free(diags);
  fclose(file);
  return code;
}

int htz_binds_load(htz_options* options) {
  char path[HTZ_PATH_MAX];
  int code = HTZ_EXIT_DONE;
  const bool plays =
      options->command == HTZ_CMD_PLAY || options->command == HTZ_CMD_RECORD || options->command == HTZ_CMD_RENDER;
  if (plays && options->n_bind == 0 && htz_binds_path(path)) {
    return read_file(path, false, options);
  }
  for (size_t i = 0; i < options->n_bind && code == HTZ_EXIT_DONE; i++) {
    htz_bind bind;
    size_t at = 0;
    char why[HTZ_USAGE_TEXT / 2];
    if (!strchr(options->bind[i], '=')) {
      code = strcmp(options->bind[i], "none") == 0 ? HTZ_EXIT_DONE : read_file(options->bind[i], true, options);
    } else if (!htz_bind_parse(options->bind[i], &bind, &at, why, sizeof why) ||
               (!add(options, &bind) && snprintf(why, sizeof why, "one too many; 32 are allowed") > 0)) {
      htz_log_say(options->log, HTZ_LOG_ERROR, "--bind %s: %s", options->bind[i], why);
      code = HTZ_EXIT_USAGE;
    }
  }
  return code;
}

static int refuse_name(const htz_options* options, const htz_bind* bind, const htz_spec* const* specs, size_t n) {
  char list[HTZ_USAGE_TEXT] = "";
  const char* names[HTZ_PARAM_COUNT];
  size_t used = 0, n_names = 0;
  for (size_t p = 0; p < HTZ_PARAM_SCALE && used < sizeof list; p++) {
    bool any = p >= HTZ_PARAM_NAMED;
    for (size_t i = 0; i < n; i++) {
      any = any || htz_spec_param_used(specs[i], p);
    }
    if (any) {
      names[n_names++] = htz_instrument_params[p].name;
      used += (size_t)snprintf(list + used, sizeof list - used, "%s %s", used ? "," : "", htz_instrument_params[p].name);
    }
  }
  for (size_t i = 0; i < n; i++) {
    for (size_t p = HTZ_PARAM_COUNT; p < htz_spec_n_params(specs[i]) && used < sizeof list; p++) {
      if (htz_spec_param_used(specs[i], p)) {
        used += (size_t)snprintf(list + used, sizeof list - used, ", %s", htz_spec_param(specs[i], p).name);
      }
    }
  }
  const char* near = htz_suggest(bind->name, names, n_names);
  htz_log_say(options->log, HTZ_LOG_ERROR, "--bind %s: moves nothing on %s%s%s%s; there are%s", bind->name,
              n == 1 ? specs[0]->id : "any of the instruments", near ? ", did you mean " : "", near ? near : "",
              near ? "?" : "", list);
  return HTZ_EXIT_USAGE;
}

int htz_binds_check(const htz_options* options, const htz_orchestra* orchestra) {
  const htz_spec* specs[HTZ_ORCHESTRA_MAX];
  const size_t n = htz_orchestra_players(orchestra, specs);
  for (size_t b = 0; b < options->n_binds; b++) {
    const htz_bind* bind = &options->binds[b];
    const htz_spec* has = NULL;
    bool suits = false;
    double low = 0.0, high = 0.0;
    for (size_t i = 0; i < n; i++) {
      has = htz_bind_param(bind, specs[i]) < htz_spec_n_params(specs[i]) ? specs[i] : has;
      suits = suits || htz_bind_range(bind, specs[i], &low, &high);
    }
    if (!has && options->n_bind == 0) {
      continue; // the player's own file is for all instruments
    }
    if (!has) {
      return refuse_name(options, bind, specs, n);
    }
    if (!suits) {
      const htz_param_desc desc = htz_spec_param(has, htz_bind_param(bind, has));
      char least[HTZ_NUMBER_TEXT], most[HTZ_NUMBER_TEXT];
      htz_log_say(options->log, HTZ_LOG_ERROR, "--bind %s: out of range, %s to %s is allowed on %s", bind->name,
                  htz_number_text(desc.minimum, least), htz_number_text(desc.maximum, most), has->id);
      return HTZ_EXIT_USAGE;
    }
  }
  return HTZ_EXIT_DONE;
}
