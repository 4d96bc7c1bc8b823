// What the examples of the headers take for given.
#pragma once

#include "ddla/ddla.hpp"
#include "ddla/format.hpp"

#if __has_include(<Eigen/LU>)
#include <Eigen/LU>
#endif
#include <algorithm>
#include <iostream>
#include <ranges>
#include <unordered_set>
#include <vector>

extern ddla::index_t n;
extern ddla::csr_matrix<double> a;
extern ddla::vector<ddla::dd_real> b, x, y, z;
extern double *high, *low;  // n numbers each
// of the stream's example
extern double *x_high, *x_low, *y_high, *y_low;
extern ddla::dd_real* result;
extern void* cuda_stream;
extern ddla::dd_pair* theirs;  // stands for cuda::fp64mp2*
void stencil(ddla::vec<const ddla::dd_real> from, ddla::vec<ddla::dd_real> to);
