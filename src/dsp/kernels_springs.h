#ifndef HERTZIAN_SRC_DSP_KERNELS_SPRINGS_H
#define HERTZIAN_SRC_DSP_KERNELS_SPRINGS_H

/*
   Kernels of many springs between many bodies: part of kernels_rt.c, whose helpers they use, and compiled with it for each
   instruction set.
*/

static HTZ_WIDE void couple(size_t n_blocks, const htz_couple_block* blocks, const double* restrict matrix,
                            const double* restrict rise, const double* restrict f, double* restrict x) {
  const double* from = HTZ_ALIGNED(rise);
  double* to = HTZ_ALIGNED(x);
  for (size_t b = 0; b < n_blocks; ++b) {
    const size_t first = blocks[b].first, columns = blocks[b].columns;
    const size_t width = blocks[b].width;
    const double* c = HTZ_ALIGNED(matrix + blocks[b].at);
    for (size_t row = 0; row < columns; row += VD) {
      vd sum[2] = {load(from + first + row), splat(0.0)};
      size_t j = 0;
      for (; j + 2 <= columns; j += 2) {
        sum[0] += f[first + j] * load(c + j * width + row);
        sum[1] += f[first + j + 1] * load(c + (j + 1) * width + row);
      }
      if (j < columns) {
        sum[0] += f[first + j] * load(c + j * width + row);
      }
      store(to + first + row, sum[0] + sum[1]);
    }
  }
}

static HTZ_WIDE double push(size_t n, const double* restrict from, size_t n_rows, const double* const* rows,
                            const double* force, const double* restrict eta, double* restrict to) {
  const double *free = HTZ_ALIGNED(from), *now = HTZ_ALIGNED(eta);
  double* out = HTZ_ALIGNED(to);
  enum { COPIED = 4 }; // vectors that are stored might be laid over what is read in every turn
  const double* row[COPIED];
  double by[COPIED];
  const size_t few = n_rows < COPIED ? n_rows : COPIED;
  for (size_t r = 0; r < few; ++r) {
    row[r] = rows[r];
    by[r] = force[r];
  }
  vd most = load(now);
  for (size_t k = 0; k < n; k += VD) {
    vd s = load(free + k);
    for (size_t r = 0; r < few; ++r) {
      s -= by[r] * load(row[r] + k);
    }
    for (size_t r = few; r < n_rows; ++r) {
      s -= force[r] * load(rows[r] + k);
    }
    store(out + k, s);
    const vd at = load(now + k);
    most = larger(most, larger(at, at + s));
  }
  return lane_largest(most);
}

static HTZ_WIDE void springs(size_t n, const htz_spring_table* t, double inverse_d, const double* restrict s,
                             double* restrict force, double norms[2]) {
  const double *half = HTZ_ALIGNED(t->half), *quarter = HTZ_ALIGNED(t->quarter), *damping = HTZ_ALIGNED(t->damping);
  const double *eta = HTZ_ALIGNED(t->eta), *own = HTZ_ALIGNED(t->own), *by = HTZ_ALIGNED(s);
  double* bears = HTZ_ALIGNED(force);
  vd change = splat(0.0), size = splat(0.0);
  for (size_t k = 0; k < n; k += VD) {
    const vd a = load(eta + k), more = load(by + k), rate = inverse_d * load(damping + k);
    const vd b = a + more, both = a + b, square = a * a + b * b;
    const vd k1 = load(half + k), k3 = load(quarter + k), c = load(own + k), f = load(bears + k);
    const vd slope = k1 + k3 * (square + 2.0 * (b * both)) + rate;
    const vd wanting = both * (k1 + k3 * square) + rate * more - f;
    const vd moved = wanting / (1.0 + c * slope);
    const vd now = f + moved;
    store(bears + k, now);
    change += (c * moved) * (c * moved);
    size += (c * now) * (c * now);
  }
  norms[0] = lane_sum(change);
  norms[1] = lane_sum(size);
}

#endif
