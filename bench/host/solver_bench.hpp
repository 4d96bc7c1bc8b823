// The parts of bench_solvers.
#pragma once

#include "workbench.hpp"

#include <cstdint>
#include <vector>

namespace bench {

struct solver_options {
    std::vector<int> cubes{64, 128};                    ///< points a side of 7-point grids
    std::vector<int> sizes{1 << 20, 1 << 22, 1 << 24};  ///< elements of vectors
    std::vector<int> threads{1, 2};
    int rounds = 9;
    double turn = 0.03;  ///< seconds
};

/// Seconds an iteration of BiCGStab and CG in double and double-double and in Lis quad.  Prints a
/// line and adds a record for each.  Returns how many solutions disagree.
int measure_solvers(const solver_options& o, json& results);

/// DOT, AXPY and NRM2 in double-double beside Lis quad and loops over QD's numbers, and copies of
/// as many elements.  Likewise.
int measure_vectors(const solver_options& o, json& results);

/// The median over rounds of f(round).
template <class F>
double median_of_rounds(int rounds, const F& f)
{
    std::vector<double> all;
    for (int k = 0; k < rounds; ++k) all.push_back(f(static_cast<std::size_t>(k)));
    return median(all);
}

}  // namespace bench
