// Factors and preconditioners of ddla._core.
#pragma once

#include "matrices.hpp"

namespace ddla::python {

struct factors {
    std::variant<lu_factors<double>, lu_factors<dd_real>> lu;
};

struct placed_preconditioner {
    std::variant<preconditioner<double>, preconditioner<dd_real>> map;
    std::shared_ptr<const void> matrix = {};  // that a polynomial multiplies by
};

}  // namespace ddla::python
