#include "check.h"

#include <math.h>

double cents(double interval) {
  return expm1(interval / 1200.0 * log(2.0));
}

void htz_check_close(double actual, double expected, double tolerance, const char* what, const char* file, int line) {
  if (!(fabs(actual - expected) <= tolerance * fabs(expected))) {
    print_error("%s = %.17g, expected %.17g: off by %.3g relative, allowed %.3g\n", what, actual, expected,
                fabs(actual - expected) / fabs(expected), tolerance);
    _fail(file, line);
  }
}

void htz_check_near(double actual, double expected, double tolerance, const char* what, const char* file, int line) {
  if (!(fabs(actual - expected) <= tolerance)) {
    print_error("%s = %.17g, expected %.17g: off by %.3g, allowed %.3g\n", what, actual, expected, fabs(actual - expected),
                tolerance);
    _fail(file, line);
  }
}

void htz_check_below(double value, double bound, const char* what, const char* file, int line) {
  if (!(value < bound)) {
    print_error("%s = %.17g, not below %.17g\n", what, value, bound);
    _fail(file, line);
  }
}

void htz_check_above(double value, double bound, const char* what, const char* file, int line) {
  if (!(value > bound)) {
    print_error("%s = %.17g, not above %.17g\n", what, value, bound);
    _fail(file, line);
  }
}
