#include "papetti.h"

#include <math.h>
#include <stdio.h>

enum { SPEEDS = 4, POINTS = 200 }; // 1 to 4 m/s; points of a curve

static const double free_way = 1.5e-5;  // length of the free motion drawn before and after [m]
static const double integrate_hz = 1e8; // a contact is 13000 steps of a fourth-order method: exact to far more than is judged
static const double integrated = 1e-6;  // relative, of an integration that ends up to one step late
static const double quadrature = 1e-6;  // relative, of 2 x 4000 points by the trapezoidal rule, whose error goes as 1/n^2
static const double rounding = 1e-9;    // of (3) to (6), well above what the closed forms promise

static htz_impact thrown_at(double speed) {
  htz_impact p = papetti_case2;
  p.speed = speed;
  return p;
}

static void name_of(int speed, char name[16]) {
  snprintf(name, 16, "v_in=%d", speed);
}

static void find_speed(htz_lab_report* report, const char* what, int speed, const char* unit, double paper, double ours,
                       double allowed, const char* note) {
  char name[16];
  name_of(speed, name);
  papetti_find(report, name, what, unit, paper, ours, allowed, note);
}

/** Both branches of the trajectory (3), and the free motion before and after. */
static void write_portrait(htz_lab_report* report, const htz_impact* p, int speed) {
  char name[16];
  const double v_out = htz_impact_v_out(p);
  name_of(speed, name);
  htz_lab_row(report, name, (const double[]){-free_way, p->speed, 0.0});
  for (int i = 0; i <= POINTS; ++i) {
    const double v = p->speed + (v_out - p->speed) * i / POINTS;
    htz_lab_row(report, name, (const double[]){htz_impact_compression(p, v), v, 1.0});
  }
  htz_lab_row(report, name, (const double[]){-free_way, v_out, 0.0});
}

static htz_status run_fig1(htz_lab_report* report, const char** why) {
  htz_status st = HTZ_OK;
  const double v_lim = -1.0 / papetti_case2.viscosity;
  for (int speed = 1; speed <= SPEEDS && !st; ++speed) {
    const htz_impact p = thrown_at(speed);
    const double v_out = htz_impact_v_out(&p);
    papetti_outcome out;
    write_portrait(report, &p, speed);
    st = papetti_throw("rk4", &p, integrate_hz, NULL, NULL, &out, why);
    if (!st) {
      find_speed(report, "v_out", speed, "m/s", v_out, out.v_out, -integrated * v_out,
                 "(6) against an integration of (2) at 100 MHz");
      find_speed(report, "x_max", speed, "m", htz_impact_x_max(&p), out.x_max, integrated * out.x_max, "(4) against it");
      find_speed(report, "v_out below its limit by", speed, "m/s", 0.0, fmax(0.0, v_lim - v_out), 0.0,
                 "the paper: v_out tends to v_lim = -2 m/s and never passes it");
    }
    htz_lab_progress(report, (double)speed / SPEEDS);
  }
  htz_lab_row(report, "v_lim", (const double[]){-free_way, v_lim, 1.0});
  htz_lab_row(report, "v_lim", (const double[]){10.0 * free_way, v_lim, 1.0});
  return st;
}

/** One loop, in and out, every EVERY-th point of it; @return the area it encloses [J] */
static double write_loop(htz_lab_report* report, const htz_impact* p, int speed) {
  char name[16];
  const double x_max = htz_impact_x_max(p);
  double area = 0.0, x_before = 0.0, f_before = 0.0;
  name_of(speed, name);
  enum { EVERY = 20, FINE = POINTS * EVERY };
  for (int i = 0; i <= 2 * FINE; ++i) {
    const double share = 0.5 * (1.0 - cos(3.14159265358979324 * i / FINE)); // 0 to 1 and back, dense at both ends
    const double x = x_max * share;
    const double f = htz_impact_force(p, x, i > FINE);
    area += 0.5 * (f + f_before) * (x - x_before);
    if (i % EVERY == 0) {
      htz_lab_row(report, name, (const double[]){x, f, p->stiffness * pow(x, p->exponent)});
    }
    x_before = x;
    f_before = f;
  }
  return area;
}

static htz_status run_fig2(htz_lab_report* report, const char** why) {
  (void)why;
  for (int speed = 1; speed <= SPEEDS; ++speed) {
    const htz_impact p = thrown_at(speed);
    const double v_out = htz_impact_v_out(&p);
    const double lost = 0.5 * p.mass * (p.speed * p.speed - v_out * v_out);
    find_speed(report, "area of the loop", speed, "J", lost, write_loop(report, &p, speed), quadrature * lost,
               "(17): what the impact dissipates is the area its hysteresis encloses");
  }
  return HTZ_OK;
}

static htz_status run_fig3(htz_lab_report* report, const char** why) {
  (void)why;
  enum { DECADES = 4, PER_DECADE = 100 };
  const double least = 1e-2; // of mu v_in; the greatest is 100
  double worst = 0.0, worst_at = 0.0, worst_root = 0.0;
  for (int i = 0; i <= DECADES * PER_DECADE; ++i) {
    const double z = least * pow(10.0, (double)i / PER_DECADE);
    const htz_impact p = {1.0, 1.0, 1.5, 1.0, z}; // all that matters is mu v_in
    const double root = htz_impact_v_out(&p), approximate = htz_impact_v_out_approximate(&p);
    const double error = papetti_percent(approximate, root);
    htz_lab_row(report, "error", (const double[]){z, error, -root / z, -approximate / z});
    // (6) with both sides near each other only to rounding: 1 + mu v_out is what keeps its digits.
    const double residue = fabs((root - log1p(root)) / (z - log1p(z)) - 1.0);
    worst_root = z <= 1.0 ? fmax(worst_root, residue) : worst_root; // beyond, 1 + mu v_out has lost its digits in a double
    if (fabs(error) > fabs(worst)) {
      worst = error;
      worst_at = z;
    }
  }
  const htz_lab_finding findings[] = {
      {"residue of (6) at our root, mu v_in up to 1", "", 0.0, worst_root, rounding, "relative"},
      {"greatest error of (7)-(8)", "%", (double)NAN, worst, (double)NAN, "the figure's peak; not printed"},
      {"found at mu v_in", "", (double)NAN, worst_at, (double)NAN, NULL},
      {"error at mu v_in = 0.03, table 1(a)", "%", (double)NAN,
       papetti_percent(htz_impact_v_out_approximate(&papetti_case1), htz_impact_v_out(&papetti_case1)), (double)NAN, NULL},
      {"error at mu v_in = 0.5, table 1(b)", "%", (double)NAN,
       papetti_percent(htz_impact_v_out_approximate(&papetti_case2), htz_impact_v_out(&papetti_case2)), (double)NAN, NULL},
  };
  for (size_t i = 0; i < sizeof findings / sizeof findings[0]; ++i) {
    htz_lab_find_out(report, &findings[i]);
  }
  return HTZ_OK;
}

const htz_lab_experiment htz_experiment_papetti_fig1 = {
    .name = "papetti-fig1",
    .paper = PAPETTI_PAPER "fig. 1",
    .title = "Phase portrait of an impact, 1 to 4 m/s",
    .about = "10 g at a wall, k 1e9, mu 0.5, alpha 1.5 (printed). Trajectories are (3), `contact` is 0 in free motion;\n"
             "checked against an integration of the equation of motion by the fourth-order method at 100 MHz.",
    .n_columns = 3,
    .columns = {{"x", "m"}, {"v", "m/s"}, {"contact", ""}},
    .plot = {.x_label = "compression [m]", .y_label = "velocity [m/s]", .n_curves = 1, .curves = {{0, 1, NULL, false}}},
    .run = run_fig1};

const htz_lab_experiment htz_experiment_papetti_fig2 = {
    .name = "papetti-fig2",
    .paper = PAPETTI_PAPER "fig. 2",
    .title = "Compression-force characteristics, 1 to 4 m/s, with and without dissipation",
    .about = "10 g at a wall, k 1e9, mu 0.5, alpha 1.5 (printed). `elastic` is k x^alpha.",
    .n_columns = 3,
    .columns = {{"x", "m"}, {"force", "N"}, {"elastic", "N"}},
    .plot = {.x_label = "compression [m]",
             .y_label = "force [N]",
             .n_curves = 2,
             .curves = {{0, 1, "force", false}, {0, 2, "elastic", false}}},
    .run = run_fig2};

const htz_lab_experiment htz_experiment_papetti_fig3 = {
    .name = "papetti-fig3",
    .paper = PAPETTI_PAPER "fig. 3",
    .title = "Error of the approximate rebound velocity",
    .about = "(7) with the coefficients (8), n = 4, against the root of (6); both depend on mu v_in alone.",
    .n_columns = 4,
    .columns = {{"mu_v_in", ""}, {"error", "%"}, {"restitution", ""}, {"restitution_approximate", ""}},
    .plot = {.x_label = "mu v_in", .y_label = "error [%]", .log_x = true, .n_curves = 1, .curves = {{0, 1, NULL, false}}},
    .run = run_fig3};
