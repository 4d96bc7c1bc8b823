// Diagonal systems of two rows, whose solutions and errors are known by hand.
#pragma once

#include "support/shapes.hpp"

#include "refine/refinement.hpp"

#include <utility>

namespace test {

/// diag(first, second) x = (b0, b1), with its solution.
struct diagonal_system {
    ddla::csr_matrix<double> a;
    ddla::vector<ddla::dd_real> b, x;
    ddla::refine::host_system<double> system;

    diagonal_system(double first, double second, ddla::dd_real b0 = 1, ddla::dd_real b1 = 1)
        : a(matrix_of({{first, 0}, {0, second}})), b{b0, b1}, x{b0 / first, b1 / second},
          system(a.view(), std::as_const(b).view())
    {
    }
    /// A^-1 r.
    ddla::refine::correction exact() const
    {
        return [this](ddla::vec<const ddla::dd_real> r, ddla::vec<ddla::dd_real> d) {
            for (ddla::index_t i = 0; i < 2; ++i) d.set(i, r.get(i) / a.view().value.get(i));
        };
    }
};

}  // namespace test
