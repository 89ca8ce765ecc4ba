#include "json.h"
#include "lab_run.h"

#include "hertzian/contact/solver.h"
#include "hertzian/instrument/diag.h"

#include <string.h>

static void list_json(FILE* out) {
  fprintf(out, "{\"hertzian\": \"%s\", \"experiments\": [", HTZ_VERSION);
  for (size_t i = 0; htz_lab_at(i); ++i) {
    fputs(i ? ",\n  {" : "\n  {", out);
    htz_lab_json(out, htz_lab_at(i), NULL);
    fputs("}", out);
  }
  fputs("\n], \"solvers\": [", out);
  for (size_t i = 0; htz_solver_at(i); ++i) {
    const htz_solver_class* cls = htz_solver_at(i);
    fputs(i ? ",\n  {\"name\": " : "\n  {\"name\": ", out);
    htz_json_string(out, cls->name);
    fputs(", \"about\": ", out);
    htz_json_string(out, cls->about);
    fputs(", \"source\": ", out);
    htz_json_string(out, cls->source);
    fprintf(out, ", \"real_time\": %s, \"body\": %s, \"linear\": %s}", cls->real_time ? "true" : "false",
            cls->body ? "true" : "false", cls->linear ? "true" : "false");
  }
  fputs("\n]}\n", out);
}

enum { NAME_COLUMN = 31 }; // the longest name and two spaces

static void list_words(FILE* out) {
  fputs("Experiments (hertzian lab run NAME)\n", out);
  for (size_t i = 0; htz_lab_at(i); ++i) {
    fprintf(out, "  %-*s %s\n", NAME_COLUMN, htz_lab_at(i)->name, htz_lab_at(i)->title);
  }
  fputs("\nSolvers (hertzian lab impact --solver NAME)\n", out);
  for (size_t i = 0; htz_solver_at(i); ++i) {
    fprintf(out, "  %-*s %s\n", NAME_COLUMN, htz_solver_at(i)->name, htz_solver_at(i)->about);
  }
}

int htz_lab_list_command(const htz_options* o) {
  if (o->n_args > 1) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab list: %s: takes no name; lab run NAME runs one", o->args[1]);
    return HTZ_EXIT_USAGE;
  }
  if (o->json) {
    list_json(stdout);
  } else {
    list_words(stdout);
  }
  return HTZ_EXIT_DONE;
}

int htz_lab_unknown(const htz_options* o, const char* name) {
  enum { NAMES = 128, TEXT = 1024 };
  const char* names[NAMES];
  char text[TEXT] = "";
  size_t n = 0, used = 0;
  for (; n < NAMES && htz_lab_at(n); ++n) {
    names[n] = htz_lab_at(n)->name;
  }
  const char* near = htz_suggest(name, names, n);
  if (near) {
    snprintf(text, sizeof text, "did you mean %s? hertzian lab list has them all", near);
  } else {
    for (size_t i = 0; i < n && used < sizeof text; ++i) {
      used += (size_t)snprintf(text + used, sizeof text - used, "%s %s", i ? "," : "there are", names[i]);
    }
  }
  htz_log_say(o->log, HTZ_LOG_ERROR, "lab run %s: no such experiment; %s", name, text);
  return HTZ_EXIT_USAGE;
}
