#include "json.h"
#include "options.h"
#include "schema_json.h"
#include "schema_markdown.h"
#include "show_instrument.h"
#include "show_performance.h"
#include "try_instrument.h"

#include "hertzian/host/orchestra.h"

#include <string.h>

static int usage(const htz_options* options, const char* what) {
  htz_log_say(
      options->log, HTZ_LOG_ERROR,
      "instruments: %s; usage: hertzian instruments [list|show NAME|validate FILE|schema|reference|parameters] [--json]", what);
  return HTZ_EXIT_USAGE;
}

static int list(const htz_options* options) {
  htz_spec_catalog catalog;
  const htz_status st = htz_spec_list(&catalog);
  if (st) {
    htz_log_say(options->log, HTZ_LOG_ERROR, "%s (the installed instruments)", htz_status_text(st));
    return htz_exit_for(st, HTZ_EXIT_INPUT);
  }
  if (options->json) {
    htz_show_catalog_json(stdout, &catalog);
  } else {
    htz_show_catalog(stdout, &catalog);
  }
  htz_spec_list_free(&catalog);
  return options->json ? HTZ_EXIT_DONE : htz_show_performances(stdout, options->log);
}

static htz_status load(const char* name, htz_spec** spec, htz_diags* diags) {
  char path[HTZ_PATH_MAX];
  *spec = NULL;
  const htz_status st = htz_spec_find(name, path, diags);
  return st ? st : htz_spec_load(path, spec, diags);
}

static int show(const htz_options* options, const char* name) {
  htz_spec* spec;
  htz_diags diags;
  if (htz_is_performance(name)) {
    return htz_show_performance(stdout, name, options->json, options->log);
  }
  const htz_status st = load(name, &spec, &diags);
  if (st) {
    htz_diags_say_status(&diags, st, options->log);
    return htz_exit_for(st, HTZ_EXIT_INPUT);
  }
  htz_orchestra_as_played(spec);
  if (options->json) {
    htz_show_instrument_json(stdout, spec);
  } else {
    htz_show_instrument(stdout, spec);
  }
  htz_spec_free(spec);
  return HTZ_EXIT_DONE;
}

static void print_list_json(const char* name, const htz_diag* item, size_t n) {
  printf(",\"%s\":[", name);
  for (size_t i = 0; i < n; ++i) {
    printf("%s{\"line\":%u,\"column\":%u,\"text\":", i ? "," : "", item[i].line, item[i].column);
    htz_json_string(stdout, item[i].text);
    fputc('}', stdout);
  }
  fputc(']', stdout);
}

static void print_faults_json(const htz_diags* diags, bool first) {
  fputs(first ? "{\"file\":" : ",\n{\"file\":", stdout);
  htz_json_string(stdout, diags->file);
  printf(",\"valid\":%s", diags->n ? "false" : "true");
  print_list_json("faults", diags->item, diags->n);
  printf(",\"more\":%zu", diags->more);
  print_list_json("warnings", diags->warning, diags->n_warnings);
  fputc('}', stdout);
}

static int validate(const htz_options* options, size_t n, const char* const* names) {
  int code = HTZ_EXIT_DONE;
  bool first = true;
  if (options->json) {
    fputc('[', stdout);
  }
  for (size_t i = 0; i < n; ++i) {
    htz_spec* spec;
    htz_diags diags;
    const bool performance = htz_is_performance(names[i]);
    htz_status st = performance ? htz_check_performance(names[i], &diags, options->log) : load(names[i], &spec, &diags);
    spec = performance ? NULL : spec;
    if (st == HTZ_OK && spec) {
      st = htz_try_instrument(spec, &diags);
      htz_diags_sort(&diags);
    }
    if (options->json && !htz_status_starved(st)) {
      print_faults_json(&diags, first);
      first = false;
    } else if (st) {
      htz_diags_say_status(&diags, st, options->log);
    } else {
      htz_diags_say_warnings(&diags, options->log);
      printf("%s: good\n", names[i]);
    }
    if (st && code == HTZ_EXIT_DONE) {
      code = htz_exit_for(st, HTZ_EXIT_INPUT);
    }
    htz_spec_free(spec);
  }
  if (options->json) {
    fputs("]\n", stdout);
  }
  return code;
}

/** The language itself, for a reader and for a program. */
static const struct {
  const char* name;
  void (*text)(FILE*);
  void (*json)(FILE*);
} pages[] = {{"schema", htz_schema_json, htz_schema_json},
             {"reference", htz_schema_reference, htz_schema_json},
             {"parameters", htz_schema_parameters, htz_schema_parameters_json}};

int htz_cmd_instruments(const htz_options* options) {
  static const char* const commands[] = {"list", "show", "validate", "schema", "reference", "parameters"};
  const char* command = options->n_args ? options->args[0] : commands[0];
  const size_t rest = options->n_args ? options->n_args - 1 : 0;
  if (strcmp(command, "list") == 0) {
    return rest ? usage(options, "`list` takes no name") : list(options);
  }
  if (strcmp(command, "show") == 0) {
    return rest == 1 ? show(options, options->args[1]) : usage(options, "`show` takes one name");
  }
  if (strcmp(command, "validate") == 0) {
    return rest ? validate(options, rest, options->args + 1) : usage(options, "`validate` takes a file");
  }
  for (size_t i = 0; i < sizeof pages / sizeof pages[0]; ++i) {
    if (strcmp(command, pages[i].name) == 0) {
      if (rest) {
        return usage(options, "it takes no name there");
      }
      (options->json ? pages[i].json : pages[i].text)(stdout);
      return HTZ_EXIT_DONE;
    }
  }
  const char* near = htz_suggest(command, commands, sizeof commands / sizeof commands[0]);
  char text[HTZ_USAGE_TEXT];
  snprintf(text, sizeof text, "unknown \"%s\"%s%s%s", command, near ? "; did you mean \"" : "", near ? near : "",
           near ? "\"" : "");
  return usage(options, text);
}
