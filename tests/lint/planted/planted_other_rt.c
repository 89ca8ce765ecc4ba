#include "planted.h"

#include <math.h>
#include <string.h>

double planted_other_rt(double x) {
  double copy = 0.0;
  memcpy(&copy, &x, sizeof copy);
  return pow(sin(copy), x);
}
