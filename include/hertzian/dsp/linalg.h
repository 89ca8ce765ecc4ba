#ifndef HERTZIAN_DSP_LINALG_H
#define HERTZIAN_DSP_LINALG_H

#include "hertzian/base/rt.h"
#include "hertzian/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/**
   Generalised symmetric eigenproblem K x = lambda M x, both [n][n] row-major, M positive definite.

   @param lambda [n] ascending
   @param vectors [n][n], row i the eigenvector of lambda[i], normalised to x' M x = 1
   @return HTZ_OK, HTZ_BAD_VALUE when M is not positive definite, HTZ_NO_MEMORY. Set-up thread.
*/
htz_status htz_eigen_symmetric(size_t n, const double* k, const double* m, double* lambda, double* vectors);

/**
   Solve the dense n x n system a x = b in place by elimination with partial pivoting; `a` [n][stride] is destroyed, b becomes x.

   Audio thread; n^3/3 multiply-adds. @return false when the matrix is singular to working precision.
*/
HTZ_RT bool htz_solve_dense(size_t n, size_t stride, double* a, double* b);

/** Nodes and weights of n-point Gauss-Legendre quadrature on [-1, 1]. Set-up thread. */
void htz_gauss_legendre(size_t n, double* nodes, double* weights);

#endif
