#include "hertzian/midi/velocity.h"

#include "hertzian/base/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const double least = 1.0;      // a velocity of 0 would be a note-off
static const double greatest = 127.0; // largest MIDI velocity

// Exponent of `soft` (`hard` takes its inverse): velocity 40 becomes 63, about what keyboards call a light touch.
static const double soft_exponent = 0.6;

enum {
  quote_max = 40,  // characters of the user's text that a message repeats
  number_max = 20, // characters of a number: more digits than any sensible one has
  decimal_base = 10,
};

typedef struct {
  char* text;
  size_t size;
} error_line;

static htz_status refuse(error_line error, const char* format, ...) HTZ_PRINTF(2, 3);

static htz_status refuse(error_line error, const char* format, ...) {
  if (error.text && error.size) {
    va_list args;
    va_start(args, format);
    vsnprintf(error.text, error.size, format, args);
    va_end(args);
  }
  return HTZ_BAD_VALUE;
}

/*
   Read an unsigned decimal number that fills the `length` characters at `text` exactly.

   Not strtod: that obeys the locale and takes hexadecimal, exponents, infinities and leading blanks.
*/
static bool read_number(const char* text, size_t length, bool whole, double* out) {
  double value = 0.0;
  double place = 1.0;
  bool point = false;
  size_t digits = 0;
  if (length > number_max) {
    return false;
  }
  for (size_t i = 0; i < length; ++i) {
    if (text[i] == '.' && !whole && !point && digits > 0) {
      point = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') {
      return false;
    }
    value = value * decimal_base + (text[i] - '0');
    place *= point ? decimal_base : 1;
    ++digits;
  }
  *out = value / place; // both exact for the few digits anyone writes, so the quotient is the nearest double
  return digits > 0 && text[length - 1] != '.';
}

static htz_status parse_fixed(const char* text, htz_velocity_curve* curve, error_line error) {
  double value = 0.0;
  if (!read_number(text, strlen(text), true, &value) || value < least || value > greatest) {
    return refuse(error, "fixed=%.*s: need a whole number from 1 to 127", quote_max, text);
  }
  for (int v = 0; v < HTZ_VELOCITIES; ++v) {
    curve->out[v] = value;
  }
  return HTZ_OK;
}

static void draw_line(htz_velocity_curve* curve, int from, int to, double from_out, double to_out) {
  for (int v = from; v < to; ++v) {
    curve->out[v] = from_out + (to_out - from_out) * (v - from) / (to - from);
  }
}

static htz_status parse_points(const char* text, htz_velocity_curve* curve, error_line error) {
  int last_in = -1;
  double last_out = 0.0;
  while (true) {
    const size_t length = strcspn(text, ",");
    const size_t left = strcspn(text, ":,");
    const int shown = length < quote_max ? (int)length : quote_max;
    double in = 0.0;
    double out = 0.0;
    if (left >= length || !read_number(text, left, true, &in) ||
        !read_number(text + left + 1, length - left - 1, false, &out)) {
      return refuse(error, "curve: \"%.*s\" is not a point IN:OUT", shown, text);
    }
    if (in > greatest || out > greatest) {
      return refuse(error, "curve: \"%.*s\" goes beyond 127", shown, text);
    }
    if (in <= last_in) {
      return refuse(error, "curve: \"%.*s\" does not come after the point at %d", shown, text, last_in);
    }
    if (last_in < 0) {
      draw_line(curve, 0, (int)in, out, out);
    } else {
      draw_line(curve, last_in, (int)in, last_out, out);
    }
    last_in = (int)in;
    last_out = out;
    if (text[length] == '\0') {
      break;
    }
    text += length + 1;
  }
  draw_line(curve, last_in, HTZ_VELOCITIES, last_out, last_out);
  for (int v = 0; v < HTZ_VELOCITIES; ++v) {
    curve->out[v] = curve->out[v] < least ? least : curve->out[v];
  }
  return HTZ_OK;
}

static void bend_curve(htz_velocity_curve* curve, double exponent) {
  const double travel = greatest - least;
  curve->out[0] = least;
  for (int v = 1; v < HTZ_VELOCITIES; ++v) {
    curve->out[v] = least + travel * pow((v - least) / travel, exponent);
  }
}

htz_status htz_velocity_parse(const char* text, htz_velocity_curve* curve, char* error, size_t error_size) {
  static const char fixed[] = "fixed=";
  static const char points[] = "curve=";
  const error_line line = {error, error_size};
  htz_velocity_curve made;
  htz_status status = HTZ_OK;

  if (strcmp(text, "linear") == 0) {
    htz_velocity_linear(&made);
  } else if (strcmp(text, "soft") == 0) {
    bend_curve(&made, soft_exponent);
  } else if (strcmp(text, "hard") == 0) {
    bend_curve(&made, 1.0 / soft_exponent);
  } else if (strncmp(text, fixed, sizeof fixed - 1) == 0) {
    status = parse_fixed(text + sizeof fixed - 1, &made, line);
  } else if (strncmp(text, points, sizeof points - 1) == 0) {
    status = parse_points(text + sizeof points - 1, &made, line);
  } else {
    status = refuse(line, "\"%.*s\" is none of linear, soft, hard, fixed=N, curve=IN:OUT,...", quote_max, text);
  }
  if (!status) {
    *curve = made;
  }
  return status;
}
