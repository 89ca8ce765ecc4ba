#include "modes_private.h"

#include "hertzian/dsp/linalg.h"

#include <math.h>
#include <stdlib.h>

/*
   A free bar as Timoshenko has it: shear lowers its high partials and so does the inertia of the sections that turn. At omega a wave goes as
   cos kx and one stays near the ends as cosh ax,
     E k^4 - rho (1 + E/(kappa G)) omega^2 k^2 + (rho omega^2)^2/(kappa G) - rho omega^2/r^2 = 0, a^2 = k^2 - rho (1 + E/(kappa G)) omega^2/E,
   r the radius of gyration. Without moment and shear force at the ends, with theta = k L/2, tau = rho omega^2/(kappa G), g = k^2 - tau and
   h = a^2 + tau, modes 1, 3, ... are where g cos theta + h (a/k) sin theta/tanh(a L/2) = 0, modes 2, 4, ... where
   g sin theta - h (a/k) cos theta tanh(a L/2) = 0; theta of mode n lies between n pi/2 and (n + 1) pi/2. Below the frequency at which
   sections shear against each other a^2 > 0; modes above it are not made.

   Twisting, its sections rigid: f_n = n/(2L) sqrt(G K/(rho I)), phi = cos(n pi x) (2y - 1), with Saint-Venant's K of a rectangle.
*/

static const double pi = 3.14159265358979323846;

enum { MODES_MAX = 1024, HALVINGS = 60, PANELS = 24, NODES = 8 };

/** A bar in units of half its length and of its speed of bending waves: what its modes follow from. */
typedef struct {
  double gyration; // radius over half the length
  double soft;     // E/(kappa G)
} slender;

/** What belongs to one theta. */
typedef struct {
  double square; // rho omega^2 l^2/E, l half the length
  double edge;   // a l; 0: there is no such wave
  double g, h;   // of the lines above, times l^2
} wave;

static wave wave_of(const slender* s, double theta) {
  const double k2 = theta * theta, r2 = s->gyration * s->gyration;
  // s z^2 - ((1 + s) k^2 + 1/r^2) z + k^4 = 0 for z = rho omega^2/E: the smaller root, without a difference of like numbers.
  const double half = 0.5 * ((1.0 + s->soft) * k2 + 1.0 / r2);
  const double z = k2 * k2 / (half + sqrt(half * half - s->soft * k2 * k2));
  const double a2 = k2 - (1.0 + s->soft) * z;
  return (wave){z, a2 > 0.0 ? sqrt(a2) : 0.0, k2 - s->soft * z, a2 + s->soft * z};
}

/** Of mode `n`: 0 where it has its theta. Both kinds of wave are written as falling, and nothing overflows. */
static double misfit(const wave* w, size_t n, double theta) {
  const double ratio = w->edge / theta, t = tanh(w->edge);
  return n & 1u ? w->g * cos(theta) + w->h * ratio * sin(theta) / t : w->g * sin(theta) - w->h * ratio * cos(theta) * t;
}

/** @return false when mode `n` would lie above the frequency of shear */
static bool find(const slender* s, size_t n, double* theta, wave* out) {
  double low = 0.5 * pi * (double)n, high = low + 0.5 * pi;
  wave at_low = wave_of(s, low), at_high = wave_of(s, high);
  if (!(at_low.edge > 0.0 && at_high.edge > 0.0)) {
    return false;
  }
  const bool rises = misfit(&at_low, n, low) < 0.0;
  for (size_t i = 0; i < HALVINGS; ++i) {
    const double middle = 0.5 * (low + high);
    const wave w = wave_of(s, middle);
    if ((misfit(&w, n, middle) < 0.0) == rises) {
      low = middle;
    } else {
      high = middle;
    }
  }
  *theta = 0.5 * (low + high);
  *out = wave_of(s, *theta);
  return true;
}

/** A mode as htz_shape_thick_bar() has it, and its frequency. */
typedef struct {
  double hz, heavier; // modal mass over that of the bar
  double data[HTZ_THICK_DATA];
} entry;

/** Weight of the edge wave beside cos or sin, and the amplitude with which the modal mass is that of the bar. */
static void scale(const slender* s, size_t n, double theta, const wave* w, entry* out) {
  const bool even = n & 1u;
  // phi = trig(theta xi) + b hyp(a xi)/hyp(a), hyp taken relative to its value at the end.
  const double b = even ? -w->edge / theta * sin(theta) / tanh(w->edge) : w->edge / theta * cos(theta) * tanh(w->edge);
  double node[NODES], gauss[NODES], sum = 0.0;
  htz_gauss_legendre(NODES, node, gauss);
  const size_t panels = PANELS + n;
  for (size_t i = 0; i < panels * NODES; ++i) {
    const double x = ((double)(i / NODES) + 0.5 * (1.0 + node[i % NODES])) / (double)panels; // half the bar
    const double falls = exp(-w->edge * (1.0 - x)), back = exp(-2.0 * w->edge * x), whole = exp(-2.0 * w->edge);
    const double cosine = falls * (1.0 + back) / (1.0 + whole), sine = falls * (1.0 - back) / (1.0 - whole);
    // The section turns by psi: of cos kx -(g/k) sin kx, of cosh ax (h/a) sinh ax.
    const double coth = (1.0 + whole) / (1.0 - whole);
    const double shape = even ? cos(theta * x) + b * cosine : sin(theta * x) + b * sine;
    const double turn = even ? -w->g / theta * sin(theta * x) + b * w->h / w->edge * sine / coth
                             : w->g / theta * cos(theta * x) + b * w->h / w->edge * cosine * coth;
    sum += 0.5 * gauss[i % NODES] / (double)panels * (shape * shape + s->gyration * s->gyration * turn * turn);
  }
  const double end = even ? cos(theta) + b : sin(theta) + b, size = (end < 0.0 ? -1.0 : 1.0) / sqrt(sum);
  const double data[HTZ_THICK_DATA] = {even ? HTZ_THICK_EVEN : HTZ_THICK_ODD, theta, w->edge, size, b * size};
  for (size_t i = 0; i < HTZ_THICK_DATA; ++i) {
    out->data[i] = data[i];
  }
}

static int by_frequency(const void* a, const void* b) {
  const double left = ((const entry*)a)->hz, right = ((const entry*)b)->hz;
  return left < right ? -1 : left > right;
}

/** Twisting stiffness of a rectangle, Saint-Venant's in Roark's closed form. */
static double twist(double w, double h) {
  const double flat = h / w;
  return w * h * h * h * (1.0 / 3.0 - 0.21 * flat * (1.0 - flat * flat * flat * flat / 12.0));
}

static void twisting(const htz_bar_desc* d, size_t n, double unit_hz, entry* out) {
  const double w = d->width, h = d->thickness, polar = w * h * (w * w + h * h) / 12.0;
  const double hz = 0.5 * (double)n / d->length * sqrt(d->shear * twist(w, h) / (d->density * polar));
  *out = (entry){.hz = unit_hz * hz, .heavier = 1.0 + h * h / (w * w), .data = {HTZ_THICK_TWIST, (double)n * pi}};
}

/** Modes up to `limit_hz`, the first bending one in any case, by frequency. @return how many */
static size_t list(const htz_bar_desc* d, double limit_hz, size_t most, entry* out) {
  const double half = 0.5 * d->length, speed = sqrt(d->young / d->density);
  const slender s = {d->thickness / sqrt(12.0) / half, d->young / (d->shear_share * d->shear)};
  double unit = 1.0;
  size_t n = 0;
  for (size_t k = 1; k <= most; ++k) {
    double theta;
    wave w;
    if (!find(&s, k, &theta, &w)) {
      break;
    }
    const double hz = sqrt(w.square) * speed / half / (2.0 * pi);
    unit = k == 1 && d->tuning_hz > 0.0 ? d->tuning_hz / hz : unit;
    if (k > 1 && unit * hz > limit_hz) {
      break;
    }
    out[n] = (entry){.hz = unit * hz, .heavier = 1.0};
    scale(&s, k, theta, &w, &out[n++]);
  }
  for (size_t k = 1; n > 0 && k <= d->torsion && n < MODES_MAX; ++k) {
    twisting(d, k, unit, &out[n]);
    n += out[n].hz <= limit_hz;
  }
  qsort(out, n, sizeof *out, by_frequency);
  return n < most ? n : most;
}

static bool positive(double x) {
  return x > 0.0 && isfinite(x);
}

static bool valid(const htz_bar_desc* d, double limit_hz, size_t max_modes) {
  return d->ends == HTZ_BAR_FREE && positive(d->length) && positive(d->width) && positive(d->thickness) &&
         positive(d->density) && positive(d->young) && positive(d->shear) && positive(d->shear_share) && positive(limit_hz) &&
         htz_loss_valid(&d->loss) && max_modes > HTZ_RIGID_MODES + (d->torsion > 0) && d->tuning_hz >= 0.0 && d->mass >= 0.0 &&
         d->support_hz >= 0.0 && d->support_loss >= 0.0;
}

htz_status htz_modes_bar_thick(const htz_bar_desc* d, double limit_hz, size_t max_modes, htz_arena* arena, htz_modes* out) {
  if (!valid(d, limit_hz, max_modes)) {
    return HTZ_BAD_VALUE;
  }
  const size_t rigid = HTZ_RIGID_MODES + (d->torsion > 0);
  const size_t most = (max_modes < MODES_MAX ? max_modes : MODES_MAX) - rigid;
  entry* modes = malloc(MODES_MAX * sizeof *modes);
  const size_t n = modes ? list(d, limit_hz, most, modes) : 0;
  double* data;
  const htz_status st = !modes   ? HTZ_NO_MEMORY
                        : n == 0 ? HTZ_BAD_VALUE
                                 : htz_modes_lay(rigid + n, n * HTZ_THICK_DATA, arena, out, &data);
  if (st) {
    free(modes);
    return st;
  }
  const double mass = d->mass > 0.0 ? d->mass : d->length * d->width * d->thickness * d->density;
  const double first = modes[0].hz;
  const htz_loss_law law = htz_bar_loss(d, first);
  for (size_t k = 0; k < rigid; ++k) {
    out->omega[k] = 2.0 * pi * d->support_hz;
    out->sigma[k] = d->support_loss;
    out->mass[k] = mass;
    out->audible[k] = 0;
  }
  for (size_t k = 0; k < n; ++k) {
    out->omega[rigid + k] = 2.0 * pi * modes[k].hz;
    out->sigma[rigid + k] = htz_loss_at(&law, modes[k].hz);
    out->mass[rigid + k] = mass * modes[k].heavier;
    for (size_t i = 0; i < HTZ_THICK_DATA; ++i) {
      data[k * HTZ_THICK_DATA + i] = modes[k].data[i];
    }
  }
  out->shape = htz_shape_thick_bar;
  out->shape_xy = d->torsion > 0 ? htz_shape_thick_bar_xy : NULL;
  free(modes);
  return HTZ_OK;
}
