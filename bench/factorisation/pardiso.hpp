// MKL PARDISO, where its library is: libmkl_rt.so of the PyPI package mkl, whose file the
// environment variable DDLA_BENCH_MKL names.  Threads: MKL_NUM_THREADS.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace bench {

enum class pardiso_kind { definite = 2, symmetric = -2, unsymmetric = 11 };

/// Seconds of analysis and factorisation, by the clock on the wall, with the better of minimum
/// degree and METIS; infinity where the library is not there, or fails.
double pardiso_seconds(const ddla::csr_matrix<double>& a, pardiso_kind kind);

}  // namespace bench
