#include "hertzian/instrument/spec.h"

bool htz_spec_two_way(const htz_spec* spec) {
  const htz_spec_board* board = &spec->board;
  // A contact that is not the house's is solved on the string alone.
  if (!board->given || board->n_drives != 1 || spec->n_bodies != 1 || spec->n_pickups != 0 || spec->mallet.solver ||
      spec->bowed || spec->prepared || spec->mallet.stay.given) {
    return false;
  }
  const htz_spec_drive* drive = &board->drives[0];
  if (drive->quantity != HTZ_HEAR_FORCE || !spec->bodies[0].pulls) {
    return false;
  }
  for (int key = 0; key < HTZ_KEYS; ++key) {
    if (!(htz_table_at(&drive->gain, key) > 0.0)) {
      return false;
    }
  }
  return true;
}
