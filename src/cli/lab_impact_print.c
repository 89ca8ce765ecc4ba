#include "json.h"
#include "lab_impact_private.h"

#include <math.h>

static void json_member(FILE* out, const char* name, double value) {
  fprintf(out, "\"%s\": ", name);
  htz_json_same(out, value);
  fputs(", ", out);
}

static void json_figure(FILE* out, const char* name, const htz_lab_figure* figure) {
  char worst[64];
  json_member(out, name, figure->mean);
  snprintf(worst, sizeof worst, "%s_worst", name);
  json_member(out, worst, figure->worst);
}

static void json_text(FILE* out, const char* name, const char* text, const char* after) {
  fprintf(out, "\"%s\": ", name);
  htz_json_string(out, text);
  fputs(after, out);
}

static const char* law_name(const htz_lab_throw* w) {
  return w->hysteresis > 0.0 ? htz_law_stulov.name : htz_law_hunt_crossley.name;
}

static void print_json(FILE* out, const htz_options* o, const lab_impacts* all, const htz_lab_throw* w,
                       const htz_lab_impact_result* r) {
  const htz_impact* p = &w->hammer;
  fputs("  {", out);
  if (w->body) {
    json_text(out, "instrument", all->spec->id, ", ");
    json_member(out, "key", (double)o->lab.key);
    json_member(out, "at", w->at);
  }
  json_member(out, "mass_kg", p->mass);
  json_member(out, "stiffness_N_per_m_alpha", p->stiffness);
  json_member(out, "mu_s_per_m", p->viscosity);
  json_member(out, "alpha", p->exponent);
  json_member(out, "v_in_m_per_s", p->speed);
  json_figure(out, "v_out_m_per_s", &r->v_out);
  json_figure(out, "x_max_m", &r->x_max);
  json_figure(out, "contact_time_s", &r->duration);
  json_member(out, "steps_most", (double)r->steps);
  json_member(out, "steps_allowed", r->bound);
  json_figure(out, "force_max_N", &r->force);
  json_figure(out, "centroid_Hz", &r->centroid);
  json_figure(out, "energy_defect", &r->defect);
  json_figure(out, "energy_rise", &r->rise);
  json_member(out, "v_out_exact_m_per_s", r->exact.v_out);
  json_member(out, "x_max_exact_m", r->exact.x_max);
  json_member(out, "contact_time_exact_s", r->exact.duration);
  json_member(out, "force_max_exact_N", r->force_exact);
  json_member(out, "centroid_exact_Hz", r->centroid_exact);
  json_member(out, "hysteresis", w->hysteresis);
  json_member(out, "relaxation_s", w->hysteresis > 0.0 ? w->relaxation : (double)NAN);
  json_member(out, "rate_Hz", w->rate_hz);
  json_member(out, "phases", r->phases);
  json_member(out, "phases_failed", r->phases_failed);
  json_member(out, "contacts", r->contacts);
  json_member(out, "iterations_most", (double)r->iterations_most);
  json_text(out, "law", law_name(w), ", ");
  json_text(out, "surface", w->body ? "body" : "wall", ", ");
  json_text(out, "solver", all->solver, ", ");
  json_text(out, "note", r->note, "}");
}

/** "0.1234 %", or a dash where there is nothing to compare. */
static const char* off(char* text, size_t size, double value, double exact) {
  const double percent = 100.0 * (value / exact - 1.0);
  if (isnan(percent)) {
    snprintf(text, size, "-");
  } else if (fabs(percent) < 1e4) {
    snprintf(text, size, "%+.4f %%", percent);
  } else {
    snprintf(text, size, "%+.3g %%", percent);
  }
  return text;
}

static const char* or_dash(char* text, size_t size, const char* format, double value) {
  if (isnan(value)) {
    snprintf(text, size, "-");
  } else {
    snprintf(text, size, format, value);
  }
  return text;
}

enum { CELL = 32 };

static void print_row(FILE* out, const htz_impact* p, const htz_lab_impact_result* r) {
  const struct {
    const htz_lab_figure* figure;
    double exact;
  } figures[] = {{&r->v_out, r->exact.v_out},
                 {&r->x_max, r->exact.x_max},
                 {&r->duration, r->exact.duration},
                 {&r->force, r->force_exact},
                 {&r->centroid, r->centroid_exact}};
  char mean[CELL], worst[CELL], ledger[CELL];
  fprintf(out, "%10.4g %11.4g %9.3g %6.3g %9.4g", p->mass, p->stiffness, p->viscosity, p->exponent, p->speed);
  for (size_t i = 0; i < sizeof figures / sizeof figures[0]; ++i) {
    fprintf(out, " | %12s %10s", or_dash(mean, sizeof mean, "%.6g", figures[i].figure->mean),
            off(worst, sizeof worst, figures[i].figure->worst, figures[i].exact));
  }
  fprintf(out, " | %8s | %6llu%s%s\n", or_dash(ledger, sizeof ledger, "%.1e", r->defect.worst), (unsigned long long)r->steps,
          r->note ? " | " : "", r->note ? r->note : "");
}

static const char heading[] =
    "   mass kg  K N/m^a      mu s/m  alpha  v_in m/s |    v_out m/s      worst |      x_max m      worst |"
    "    contact s      worst |      force N      worst |  centroid Hz      worst |   energy | steps\n";

static void print_line(FILE* out, const char* name, double scale, const char* unit, const htz_lab_figure* figure,
                       double exact) {
  char mean[CELL], truth[CELL], mean_off[CELL], worst_off[CELL];
  fprintf(out, "%-20s %12s %-4s %14s %14s %14s\n", name, or_dash(mean, sizeof mean, "%.7g", scale * figure->mean), unit,
          or_dash(truth, sizeof truth, "%.7g", scale * exact), off(mean_off, sizeof mean_off, figure->mean, exact),
          off(worst_off, sizeof worst_off, figure->worst, exact));
}

static void print_one(FILE* out, const htz_options* o, const lab_impacts* all, const htz_lab_throw* w,
                      const htz_lab_impact_result* r) {
  const htz_impact* p = &w->hammer;
  static const double micro = 1e6;
  fprintf(out, "%.6g kg at %.6g m/s on ", p->mass, p->speed);
  if (!w->body) {
    fputs("a rigid wall\n", out);
  } else if (all->key.strings > 1) {
    fprintf(out, "%s key %d: a string's share of the hammer on one of its %u strings, at %.4g of the length\n", all->spec->id,
            o->lab.key, all->key.strings, w->at);
  } else {
    fprintf(out, "%s key %d, at %.4g of the length\n", all->spec->id, o->lab.key, w->at);
  }
  fprintf(out, "law %s: stiffness %.6g N/m^%.4g", law_name(w), p->stiffness, p->exponent);
  if (w->hysteresis > 0.0) {
    fprintf(out, ", hysteresis %.4g, relaxation %.4g s\n", w->hysteresis, w->relaxation);
  } else {
    fprintf(out, ", viscosity %.4g s/m\n", p->viscosity);
  }
  fprintf(out, "solver %s at %.6g Hz, %u entry phase%s\n", all->solver, w->rate_hz, r->phases, r->phases == 1 ? "" : "s");
  if (r->phases_failed) {
    fprintf(out, "note: %s (in %u of %u phases)\n", r->note, r->phases_failed, r->phases);
  } else if (r->note) {
    fprintf(out, "note: %s\n", r->note);
  }
  fprintf(out, "\n%-20s %12s %-4s %14s %14s %14s\n", "", "mean", "", "closed form", "mean off by", "worst off by");
  print_line(out, "contact time", micro, "us", &r->duration, r->exact.duration);
  print_line(out, "rebound", -1.0, "m/s", &r->v_out, r->exact.v_out);
  print_line(out, "greatest compression", micro, "um", &r->x_max, r->exact.x_max);
  print_line(out, "greatest force", 1.0, "N", &r->force, r->force_exact);
  print_line(out, "spectral centroid", 1.0, "Hz", &r->centroid, r->centroid_exact);
  char defect[CELL], rise[CELL];
  fprintf(out, "energy account off by %s of the energy thrown in; greatest rise in a sample %s\n",
          or_dash(defect, sizeof defect, "%.1e", r->defect.worst), or_dash(rise, sizeof rise, "%.1e", r->rise.worst));
  if (w->body && r->contacts > 1) {
    fprintf(out, "%u contacts\n", r->contacts);
  }
  if (w->solver) {
    fprintf(out, "iterations of one equation: %llu at most\n", (unsigned long long)r->iterations_most);
  } else if (isnan(r->bound)) {
    fprintf(out, "steps: %llu at most\n", (unsigned long long)r->steps);
  } else {
    fprintf(out, "steps: %llu at most, %.0f allowed\n", (unsigned long long)r->steps, r->bound);
  }
}

void lab_impact_print(const htz_options* o, const lab_impacts* all, const htz_lab_impact_result* results) {
  if (!o->json && !all->table) {
    print_one(stdout, o, all, &all->what[0], &results[0]);
    return;
  }
  fputs(o->json ? "[\n" : heading, stdout);
  for (size_t i = 0; i < all->n; ++i) {
    if (o->json) {
      print_json(stdout, o, all, &all->what[i], &results[i]);
      fputs(i + 1 < all->n ? ",\n" : "\n", stdout);
    } else {
      print_row(stdout, &all->what[i].hammer, &results[i]);
    }
  }
  fputs(o->json ? "]\n" : "", stdout);
}
