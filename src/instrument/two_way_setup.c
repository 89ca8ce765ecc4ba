#include "hertzian/instrument/spec.h"

static bool gain_positive(const htz_spec_board* board) {
  bool positive = board->n_drives > 0;
  for (int key = 0; key < HTZ_KEYS && positive; ++key) {
    positive = htz_table_at(&board->drives[0].gain, key) > 0.0;
  }
  return positive;
}

static const char* one_way_why(const htz_spec* spec) {
  const htz_spec_board* board = &spec->board;
  const bool one_string = spec->n_bodies == 1 && spec->bodies[0].pulls;
  const struct {
    bool cannot;
    const char* why;
  } rules[] = {
      {!board->given, "there is no body that the keys share"},
      {spec->whole != spec && board->n_drives == 0, "one of its objects does not drive the board"},
      {spec->grid != NULL,
       "a grid takes its forces at one instant, the board over a whole step: joined they would make energy, so a grid only "
       "drives the board"},
      {spec->bowed, "strings under a bow only drive the board"},
      {spec->prepared != NULL, "strings with preparations only drive the board"},
      {spec->mallet.stay.given, "a mallet that stays at its key has a string that only drives the board"},
      {spec->mallet.solver != NULL, "a solver other than the house's has a string that only drives the board"},
      {!one_string, "only keys of nothing but strings can feel the board"},
      {spec->n_pickups != 0, "a key that is heard by itself, not through the board alone, cannot feel it"},
      {board->n_drives > 1, "a string that drives the board in several ways cannot feel it"},
      {board->n_drives == 1 && board->drives[0].quantity != HTZ_HEAR_FORCE, "the string has to drive the board by its force"},
      {!gain_positive(board), "the gain of the drive, the ratio of a lever, has to be above 0 at every key"},
  };
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; ++i) {
    if (rules[i].cannot) {
      return rules[i].why;
    }
  }
  return NULL;
}

const char* htz_spec_one_way_why(const htz_spec* spec) {
  const htz_spec* whole = spec->whole;
  const char* why = NULL;
  for (size_t i = 0; i < whole->n_objects && !why; ++i) {
    why = one_way_why(whole->objects[i]);
  }
  return why;
}

bool htz_spec_two_way(const htz_spec* spec) {
  return htz_spec_one_way_why(spec) == NULL;
}
