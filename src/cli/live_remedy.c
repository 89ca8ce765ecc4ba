#include "live_remedy.h"

#include "live_session.h"

#include <string.h>

static const double usual_rate_hz = 48000.0;

enum { BUFFER_ENOUGH = 1024 }; // frames: larger ones are felt by whoever plays

/** A string answers the board that it drives, which takes several times the work of one that does not. */
static bool two_way(const htz_session* session, const htz_spec* spec) {
  double board = spec->params[HTZ_PARAM_BOARD];
  for (size_t i = 0; i < session->options->n_settings; i++) {
    const htz_setting* setting = &session->options->settings[i];
    board = setting->param == HTZ_PARAM_BOARD ? setting->value : board;
  }
  return board > 0.0 && htz_spec_two_way(spec);
}

/** Less work, from what costs the ear least. */
static void less_work(const htz_session* session, char* text, size_t size) {
  static const char light[] = "glockenspiel"; // of the installed ones it needs the least
  const htz_orchestra* orchestra = &session->orchestra;
  const htz_spec* spec = orchestra->role[0].spec;
  bool board = false;
  for (size_t i = 0; i < orchestra->n_roles; i++) {
    board = board || (orchestra->role[i].spec && two_way(session, orchestra->role[i].spec));
  }
  if (board) {
    snprintf(text, size, "-s board=one-way needs far less");
  } else if (session->format.rate_hz > usual_rate_hz) {
    snprintf(text, size, "-r %.0f needs less", usual_rate_hz);
  } else if (orchestra->cast[0].n > 1) {
    snprintf(text, size, "one layer less, or -i %s alone, needs less", spec->id);
  } else if (strcmp(spec->id, light) != 0) {
    snprintf(text, size, "fewer notes at once, or a lighter instrument (-i %s); hertzian check -i NAME says which fits", light);
  } else {
    snprintf(text, size, "fewer notes at once; hertzian check says what this machine lacks");
  }
}

const char* htz_remedy(const htz_session* session, bool own, char* text, size_t size) {
  const unsigned frames = session->format.frames;
  if (own) {
    less_work(session, text, size);
  } else if (frames < BUFFER_ENOUGH && strcmp(session->format.api, "jack") == 0) {
    snprintf(text, size, "a JACK server with a period of %u frames gives it more time", 2 * frames);
  } else if (frames < BUFFER_ENOUGH) {
    snprintf(text, size, "-b %u gives it more time; hertzian check says what this machine lacks", 2 * frames);
  } else {
    snprintf(text, size, "hertzian check says what this machine lacks");
  }
  return text;
}
