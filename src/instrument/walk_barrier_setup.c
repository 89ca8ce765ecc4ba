#include "walk.h"

#include "hertzian/instrument/spec_barrier.h"

#include <math.h>

// What lies along a string, of a stretch of a grid or of a link.

static void walk_parabola(walk* w, const tree_node* node, htz_spec_barrier* b) {
  walk_block in;
  b->profile = HTZ_PROFILE_PARABOLA;
  if (htz_walk_block(w, node, "parabola", HTZ_BLOCK_PARABOLA, HTZ_ANY_CHOICE, &in)) {
    htz_walk_row_table(w, &in, HTZ_ROW_PARABOLA_APEX, &b->apex);
    htz_walk_row_table(w, &in, HTZ_ROW_PARABOLA_CURVATURE, &b->curvature);
  }
}

static void walk_profile(walk* w, const tree_node* node, htz_spec_barrier* b) {
  const htz_range at_range = htz_walk_range_of(HTZ_ROW_CONTACT_FROM), gap_range = htz_walk_range_of(HTZ_ROW_CONTACT_GAP);
  double last = -1.0;
  b->profile = HTZ_PROFILE_POINTS;
  if (!htz_walk_row_list(w, node, HTZ_ROW_CONTACT_PROFILE)) {
    return;
  }
  for (const tree_node* item = node->first; item; item = item->next) {
    double* point = b->point[b->n_points];
    if (item->type != TREE_LIST || item->n != 2) {
      htz_walk_fault(w, item, "profile: a list of points [x, gap], such as [[0, 0.001], [0.1, 0]]");
      return;
    }
    const bool good =
        htz_walk_number(w, item->first, &at_range, &point[0]) && htz_walk_number(w, item->first->next, &gap_range, &point[1]);
    if (good && !(point[0] > last)) {
      htz_walk_fault(w, item, "profile: its points go from x = 0 to 1");
    }
    last = good ? point[0] : last;
    ++b->n_points;
  }
}

static void walk_frets(walk* w, const tree_node* node, htz_spec_barrier* b) {
  const htz_range range = htz_walk_range_of(HTZ_ROW_CONTACT_FRETS);
  if (!htz_walk_table(w, node, &range, &b->frets)) {
    return;
  }
  for (size_t i = 0; i < b->frets.n; ++i) {
    if (b->frets.value[i] != floor(b->frets.value[i])) {
      htz_walk_fault(w, node, "frets: %g is not a whole number", b->frets.value[i]);
      return;
    }
  }
}

void htz_walk_barrier(walk* w, const tree_node* node, const char* what, const tree_node* profile, const tree_node* parabola,
                      const tree_node* frets, htz_spec_barrier* b) {
  if (profile && parabola) {
    htz_walk_fault(w, node, "%s: give one of `profile` and `parabola`", what);
  } else if (profile) {
    walk_profile(w, profile, b);
  } else if (parabola) {
    walk_parabola(w, parabola, b);
  }
  if (frets) {
    walk_frets(w, frets, b);
  }
}

void htz_walk_stretch_ends(walk* w, const tree_node* node, const htz_table* from, const htz_table* to) {
  for (int key = w->spec->key_low; w->keyed && from->n && to->n && key <= w->spec->key_high; ++key) {
    const double begin = htz_table_at(from, key), end = htz_table_at(to, key);
    if (!(begin < end)) {
      htz_walk_fault(w, node, "from: must be below `to`; at key %d they are %g and %g", key, begin, end);
      return;
    }
  }
}
