#include "planted.h"

double planted_setup_only(double x) {
  return x + 1.0;
}
