#include "json.h"
#include "options.h"

#include "hertzian/instrument/number.h"
#include "hertzian/lab/impact.h"
#include "hertzian/lab/impact_csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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

/** As few digits as bring the same number back. */
static void json_same(FILE* out, double value) {
  enum { LEAST = 6, MOST = 17 };
  for (int digits = LEAST; digits < MOST; ++digits) {
    char text[64];
    double back = 0.0;
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (htz_number_parse(text, strlen(text), &back) && back == value) {
      htz_json_number(out, value, digits);
      return;
    }
  }
  htz_json_number(out, value, MOST);
}

static void json_member(FILE* out, const char* name, double value, int last) {
  fprintf(out, "\"%s\": ", name);
  json_same(out, value);
  fputs(last ? "" : ", ", out);
}

static void print_json(FILE* out, const htz_impact* p, const htz_lab_impact_result* r) {
  fputs("  {", out);
  json_member(out, "mass_kg", p->mass, 0);
  json_member(out, "stiffness_N_per_m_alpha", p->stiffness, 0);
  json_member(out, "mu_s_per_m", p->viscosity, 0);
  json_member(out, "alpha", p->exponent, 0);
  json_member(out, "v_in_m_per_s", p->speed, 0);
  json_member(out, "v_out_m_per_s", r->v_out.mean, 0);
  json_member(out, "v_out_m_per_s_worst", r->v_out.worst, 0);
  json_member(out, "x_max_m", r->x_max.mean, 0);
  json_member(out, "x_max_m_worst", r->x_max.worst, 0);
  json_member(out, "contact_time_s", r->duration.mean, 0);
  json_member(out, "contact_time_s_worst", r->duration.worst, 0);
  json_member(out, "steps_most", (double)r->steps, 0);
  json_member(out, "steps_allowed", r->bound, 1);
  fputs("}", out);
}

static double percent(double value, double exact) {
  return 100.0 * (value / exact - 1.0);
}

static void print_row(FILE* out, const htz_impact* p, const htz_lab_impact_result* r) {
  fprintf(out, "%10.4g %11.4g %9.3g %6.3g %9.4g | %12.6g %8.4f %% | %12.6g %8.4f %% | %12.6g %8.4f %% | %6llu\n", p->mass,
          p->stiffness, p->viscosity, p->exponent, p->speed, r->v_out.mean, percent(r->v_out.worst, r->exact.v_out),
          r->x_max.mean, percent(r->x_max.worst, r->exact.x_max), r->duration.mean,
          percent(r->duration.worst, r->exact.duration), (unsigned long long)r->steps);
}

static const char heading[] =
    "   mass kg  K N/m^a      mu s/m  alpha  v_in m/s |  v_out m/s      worst    |     x_max m      worst    |"
    "  contact s      worst    | steps\n";

static void print_results(const htz_options* o, const htz_impact* rows, const htz_lab_impact_result* results, size_t n) {
  fputs(o->json ? "[\n" : heading, stdout);
  for (size_t i = 0; i < n; ++i) {
    if (o->json) {
      print_json(stdout, &rows[i], &results[i]);
      fputs(i + 1 < n ? ",\n" : "\n", stdout);
    } else {
      print_row(stdout, &rows[i], &results[i]);
    }
  }
  fputs(o->json ? "]\n" : "", stdout);
}

static int run_rows(const htz_options* o, const htz_impact* rows, size_t n) {
  htz_lab_impact_result* results = calloc(n ? n : 1, sizeof *results);
  if (!results) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->csv, htz_status_text(HTZ_NO_MEMORY));
    return HTZ_EXIT_INTERNAL;
  }
  for (size_t i = 0; i < n; ++i) {
    const htz_status st = htz_lab_impact(&rows[i], o->rate_hz, o->phases, &results[i]);
    if (st) {
      htz_log_say(o->log, HTZ_LOG_ERROR, "%s: row %zu: %s", o->csv, i + 1,
                  st == HTZ_UNSUPPORTED ? "the contact lasts longer than 10 million samples; use a lower --rate"
                                        : htz_status_text(st));
      free(results);
      return st == HTZ_NO_MEMORY ? HTZ_EXIT_INTERNAL : HTZ_EXIT_INPUT;
    }
  }
  print_results(o, rows, results, n);
  free(results);
  if (fflush(stdout) != 0) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "standard output: %s", strerror(errno));
    return HTZ_EXIT_OUTPUT;
  }
  return HTZ_EXIT_DONE;
}

static int read_table(const htz_options* o, htz_impact** rows, size_t* n) {
  const int piped = strcmp(o->csv, "-") == 0;
  FILE* in = piped ? stdin : fopen(o->csv, "rb");
  char* text = NULL;
  if (!in) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->csv, strerror(errno));
    return HTZ_EXIT_INPUT;
  }
  const long length = read_all(in, &text);
  const int fault = errno;
  if (!piped) {
    fclose(in);
  }
  if (length < 0) {
    free(text);
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->csv, strerror(fault));
    return HTZ_EXIT_INPUT;
  }
  htz_diags* diags = malloc(sizeof *diags);
  htz_status st = HTZ_NO_MEMORY;
  if (diags) {
    st = htz_impact_csv_parse(piped ? "stdin" : o->csv, text, (size_t)length, rows, n, diags);
  }
  if (st == HTZ_BAD_INPUT) {
    htz_diags_say(diags, o->log, HTZ_LOG_ERROR);
  } else if (st) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "%s: %s", o->csv, htz_status_text(st));
  }
  free(diags);
  free(text);
  return st == HTZ_OK ? HTZ_EXIT_DONE : st == HTZ_BAD_INPUT ? HTZ_EXIT_INPUT : HTZ_EXIT_INTERNAL;
}

int htz_cmd_lab(const htz_options* o) {
  if (o->n_args != 1 || strcmp(o->args[0], "impact") != 0) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab: %s; there is impact",
                o->n_args ? o->args[o->n_args > 1 ? 1 : 0] : "nothing to do");
    return HTZ_EXIT_USAGE;
  }
  if (!o->csv) {
    htz_log_say(o->log, HTZ_LOG_ERROR, "lab impact: needs --csv FILE with the impacts to run");
    return HTZ_EXIT_USAGE;
  }
  htz_impact* rows = NULL;
  size_t n = 0;
  int code = read_table(o, &rows, &n);
  if (code == HTZ_EXIT_DONE) {
    code = run_rows(o, rows, n);
  }
  free(rows);
  return code;
}
