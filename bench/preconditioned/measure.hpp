// All contenders on one system.
#pragma once

#include "contender.hpp"

namespace bench {

struct measure_options {
    std::vector<double> tolerances{1e-12, 1e-20};
    bool fgmres = false;  ///< beside the methods below
    double most_seconds = 60;
    std::int64_t most_iterations = 10'000;
};

/// b is all ones.  Of each contender what it is, its factors and its solves: BiCGStab with ILU(0)
/// and, if A is symmetric, CG with IC(0), or with ILU(0) where it has no IC(0).  What fails has a
/// member "failed" that says why.
json measure_contender(const contender_maker& maker, const ddla::csr_matrix<double>& a,
                       bool symmetric, const measure_options& options);

/// What measure_contender() found, a line for each solve.
void print(const json& contender);

}  // namespace bench
