#include "hertzian/instrument/spec_link.h"

size_t htz_spec_joined_drive(const htz_spec* spec) {
  const htz_spec_board* board = &spec->board;
  size_t d = 0;
  while (d < board->n_drives && (board->drives[d].from != 0 || board->drives[d].quantity != HTZ_HEAR_FORCE)) {
    ++d;
  }
  return d;
}

static bool gain_positive(const htz_spec_drive* drive) {
  bool positive = true;
  for (int key = 0; key < HTZ_KEYS && positive; ++key) {
    positive = htz_table_at(&drive->gain, key) > 0.0;
  }
  return positive;
}

bool htz_spec_hears_reaction(const htz_spec* spec) {
  bool any = false;
  for (size_t p = 0; p < spec->n_pickups; ++p) {
    any = any || spec->pickups[p].quantity == HTZ_HEAR_REACTION;
  }
  for (size_t d = 0; d < spec->board.n_drives; ++d) {
    any = any || spec->board.drives[d].quantity == HTZ_HEAR_REACTION;
  }
  return any;
}

const char* htz_spec_apart_why(const htz_spec* spec) {
  const htz_spec_board* board = &spec->board;
  const size_t joined = htz_spec_joined_drive(spec);
  const struct {
    bool cannot;
    const char* why;
  } rules[] = {
      {!board->given, "there is no body that the keys share"},
      {spec->grid != NULL,
       "a grid takes its forces at one instant, the board over a whole step: joined they would make energy, so a grid only "
       "drives the board"},
      {spec->mallet.solver != NULL,
       "another solver steps string and hammer by a scheme of its own, in which no support moves between two samples"},
      {spec->n_bodies == 0 || !spec->bodies[0].has_end_force,
       "what is struck has no end that pulls on the board, as a string has: bars and plates are free at their edges, and go "
       "with a shared "
       "body both ways by `links`"},
      {joined == board->n_drives, "what is struck has to drive the board by the force of its end"},
      {joined < board->n_drives && !gain_positive(&board->drives[joined]),
       "the gain of the drive, the ratio of a lever, has to be above 0 at every key"},
      {spec->whole->clock_hz > 0.0, "keys that run on a clock of their own only drive the board"},
      {htz_spec_hears_reaction(spec),
       "a reaction is the force on supports that stand still: it is heard of strings that only drive the board"},
      {htz_spec_object_linked(spec),
       "keys that are linked to each other or to a shared body take their steps together, those on a board each with the "
       "board: "
       "such keys only drive it; a shared body that `links` join to the strings goes with them both ways"},
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
  const char* why = htz_spec_apart_why(whole->n_objects ? whole->objects[0] : whole);
  for (size_t i = 1; i < whole->n_objects && why; ++i) {
    why = htz_spec_apart_why(whole->objects[i]) ? why : NULL;
  }
  return why;
}

bool htz_spec_two_way(const htz_spec* spec) {
  return htz_spec_one_way_why(spec) == NULL;
}
