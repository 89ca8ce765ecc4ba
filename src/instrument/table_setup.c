#include "hertzian/instrument/spec.h"

#include <math.h>

double htz_key_hz(double key) {
  const double a4_hz = 440.0, a4_key = 69.0, keys_per_octave = 12.0;
  return a4_hz * exp2((key - a4_key) / keys_per_octave);
}

double htz_table_unlimited(const htz_table* table, double key) {
  if (table->n == 0) {
    return NAN;
  }
  double value = table->value[0];
  if (table->n > 1) {
    // The piece the key lies in; the first and the last one reach beyond their ends.
    size_t i = 0;
    while (i + 2 < table->n && key > table->key[i + 1]) {
      ++i;
    }
    const double position = (key - table->key[i]) / (table->key[i + 1] - table->key[i]);
    const double low = table->value[i], high = table->value[i + 1];
    if (position == 0.0 || position == 1.0) {
      value = position == 0.0 ? low : high; // as written, not as exp(log()) gives it back
    } else {
      value = table->logarithmic ? low * pow(high / low, position) : low + (high - low) * position;
    }
  }
  return value;
}

double htz_table_at(const htz_table* table, double key) {
  const double value = htz_table_unlimited(table, key);
  if (value < table->minimum) {
    return table->minimum;
  }
  return value > table->maximum ? table->maximum : value;
}
