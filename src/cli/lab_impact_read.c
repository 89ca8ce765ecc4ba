#include "lab_impact_private.h"
#include "plot.h"

#include "hertzian/lab/impact_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char default_solver[] = "house";

/** Read a whole stream. @return its length, or -1 with errno set. */
static long read_all(FILE* in, char** out) {
  enum { CHUNK = 1 << 16, MOST = 1 << 28 };
  size_t length = 0, room = 0;
  *out = NULL;
  for (;;) {
    if (length + CHUNK > room) {
      room = length + 2 * (size_t)CHUNK + room / 2;
      char* grown = room <= MOST ? realloc(*out, room) : NULL;
      if (!grown) {
        errno = room <= MOST ? ENOMEM : EFBIG;
        return -1;
      }
      *out = grown;
    }
    const size_t got = fread(*out + length, 1, CHUNK, in);
    length += got;
    if (got < CHUNK) {
      return ferror(in) ? -1 : (long)length;
    }
  }
}

static int no_memory(const htz_options* o) {
  htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: %s", htz_status_text(HTZ_NO_MEMORY));
  return HTZ_EXIT_INTERNAL;
}

static int read_table(const htz_options* o, htz_impact** rows, size_t* n) {
  const int piped = strcmp(o->csv, "-") == 0;
  const char* name = piped ? "stdin" : o->csv;
  FILE* in = piped ? stdin : fopen(o->csv, "rb");
  char* text = NULL;
  if (!in) {
    const int reason = errno;
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", name, strerror(reason));
    return htz_exit_for(htz_status_of_errno(reason, HTZ_IO), HTZ_EXIT_INPUT);
  }
  const long length = read_all(in, &text);
  const int fault = errno;
  if (!piped) {
    fclose(in);
  }
  if (length < 0) {
    free(text);
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", name, strerror(fault));
    return htz_exit_for(htz_status_of_errno(fault, HTZ_IO), HTZ_EXIT_INPUT);
  }
  htz_diags* diags = malloc(sizeof *diags); // too large for a stack
  htz_status st = HTZ_NO_MEMORY;
  if (diags) {
    st = htz_impact_csv_parse(name, text, (size_t)length, rows, n, diags);
  }
  if (st == HTZ_BAD_INPUT) {
    htz_diags_say(diags, o->log, HTZ_LOG_ERROR);
  } else if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", name, htz_status_text(st));
  }
  free(diags);
  free(text);
  return st == HTZ_OK ? HTZ_EXIT_DONE : st == HTZ_BAD_INPUT ? HTZ_EXIT_INPUT : HTZ_EXIT_INTERNAL;
}

static int find_solver(const htz_options* o, lab_impacts* out, const htz_solver_class** solver) {
  *solver = NULL;
  out->solver = o->lab.solver ? o->lab.solver : default_solver;
  if (strcmp(out->solver, default_solver) == 0) {
    return HTZ_EXIT_DONE;
  }
  *solver = htz_solver_find(out->solver);
  if (*solver) {
    return HTZ_EXIT_DONE;
  }
  char names[HTZ_USAGE_TEXT / 2] = "";
  size_t used = 0;
  for (size_t i = 0; htz_solver_at(i) && used < sizeof names; ++i) {
    const char* name = htz_solver_at(i)->name;
    if (strcmp(name, default_solver) != 0) {
      used += (size_t)snprintf(names + used, sizeof names - used, ", %s", name);
    }
  }
  htz_log_say(o->log, HTZ_LOG_ERROR, "--solver %s: unknown solver; there are %s%s", out->solver, default_solver, names);
  return HTZ_EXIT_USAGE;
}

static int load_spec(const htz_options* o, htz_spec** out) {
  htz_diags* diags = malloc(sizeof *diags);
  char path[HTZ_PATH_MAX];
  if (!diags) {
    return no_memory(o);
  }
  htz_diags_init(diags, o->orchestra.instrument);
  htz_status st = htz_spec_find(o->orchestra.instrument, path, diags);
  if (!st) {
    st = htz_spec_load(path, out, diags);
  }
  if (st) {
    htz_diags_say_status(diags, st, o->log);
  }
  free(diags);
  return htz_exit_for(st, HTZ_EXIT_INPUT);
}

static int read_key(const htz_options* o, lab_impacts* out, htz_lab_throw* what) {
  if (o->lab.key < 0) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: with -i, --key N says which key is struck, 0 to 127");
    return HTZ_EXIT_USAGE;
  }
  const int code = load_spec(o, &out->spec);
  if (code) {
    return code;
  }
  static const double velocity_usual = 100.0;
  const char* why = NULL;
  htz_arena_measure(&out->memory);
  out->has_memory = true;
  const double velocity = isnan(o->lab.velocity) ? velocity_usual : o->lab.velocity;
  const htz_status st = htz_lab_key_throw(out->spec, o->lab.key, velocity, &out->memory, &out->key, what, &why);
  if (htz_status_starved(st)) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s (%s)", htz_status_text(st), o->orchestra.instrument);
  } else if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: key %d: %s", o->orchestra.instrument, o->lab.key, why ? why : htz_status_text(st));
  }
  return htz_exit_for(st, HTZ_EXIT_INPUT);
}

static void override(double* value, double given) {
  *value = isnan(given) ? *value : given;
}

/** The felt that the flags ask for. */
static int read_felt(const htz_options* o, htz_lab_throw* what) {
  static const double hysteresis = 0.5;
  static const double relaxation = 1e-4;
  const htz_lab_options* f = &o->lab;
  const bool felt = !isnan(f->hysteresis) || !isnan(f->relaxation);
  if (f->law_given && !f->stulov) {
    if (felt) {
      htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: --hysteresis and --relaxation are of --law stulov");
      return HTZ_EXIT_USAGE;
    }
    what->hysteresis = 0.0;
  } else if (f->stulov || felt) {
    what->hysteresis = what->hysteresis > 0.0 ? what->hysteresis : hysteresis;
    what->relaxation = what->relaxation > 0.0 ? what->relaxation : relaxation;
    override(&what->hysteresis, f->hysteresis);
    override(&what->relaxation, f->relaxation);
  }
  if (what->hysteresis > 0.0 && f->viscosity > 0.0) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: --viscosity is of --law hunt-crossley; felt has --hysteresis");
    return HTZ_EXIT_USAGE;
  }
  return HTZ_EXIT_DONE;
}

static int read_flags(const htz_options* o, htz_lab_throw* what) {
  const htz_lab_options* f = &o->lab;
  const bool hammer =
      !isnan(f->mass) || !isnan(f->stiffness) || !isnan(f->exponent) || !isnan(f->viscosity) || !isnan(f->speed);
  if (o->csv && hammer) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: the hammer is either in --csv or in flags, not both");
    return HTZ_EXIT_USAGE;
  }
  if (o->plot && (o->csv || !htz_plot_ending(o->plot))) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: --plot %s",
                o->csv ? "is of one impact, not of a table" : "takes a file ending in .png or .svg");
    return HTZ_EXIT_USAGE;
  }
  const char* of_key = f->key >= 0 ? "--key" : !isnan(f->at) ? "--at" : !isnan(f->velocity) ? "--velocity" : NULL;
  if (!what->body && of_key) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: %s needs an instrument, -i NAME", of_key);
    return HTZ_EXIT_USAGE;
  }
  if (!what->body && !o->csv && (isnan(f->mass) || isnan(f->stiffness) || isnan(f->speed))) {
    htz_log_say(
        o->log, HTZ_LOG_ERROR,
        "lab impact: needs --mass, --stiffness and --speed, or --csv FILE, or -i NAME --key N (see hertzian --help=impact)");
    return HTZ_EXIT_USAGE;
  }
  override(&what->hammer.mass, f->mass);
  override(&what->hammer.stiffness, f->stiffness);
  override(&what->hammer.exponent, f->exponent);
  override(&what->hammer.viscosity, f->viscosity);
  override(&what->hammer.speed, f->speed);
  override(&what->at, f->at);
  return read_felt(o, what);
}

int lab_impact_read(const htz_options* o, lab_impacts* out) {
  static const double hertz = 1.5;
  htz_lab_throw what = {.hammer = {.exponent = hertz}, .rate_hz = o->rate_hz, .phases = o->phases};
  memset(out, 0, sizeof *out);
  int code = find_solver(o, out, &what.solver);
  if (!code && o->orchestra.instrument) {
    code = read_key(o, out, &what);
  }
  if (!code) {
    code = read_flags(o, &what);
  }
  htz_impact* rows = NULL;
  out->n = 1;
  out->table = o->csv != NULL;
  if (!code && o->csv) {
    code = read_table(o, &rows, &out->n);
  }
  if (!code) {
    out->what = calloc(out->n + 1, sizeof *out->what);
    code = out->what ? HTZ_EXIT_DONE : no_memory(o);
  }
  for (size_t i = 0; !code && i < out->n; ++i) {
    out->what[i] = what;
    out->what[i].hammer = rows ? rows[i] : what.hammer;
  }
  free(rows);
  return code;
}

void lab_impact_free(lab_impacts* impacts) {
  free(impacts->what);
  if (impacts->has_memory) {
    htz_arena_free(&impacts->memory);
  }
  htz_spec_free(impacts->spec);
}
