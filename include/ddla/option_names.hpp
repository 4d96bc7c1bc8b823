// The names of values of options, as the command, Python and reports have them.  Those of methods:
// method.hpp.
//
//     for (const auto& [name, ordering] : ddla::ordering_names) std::cout << name << "\n";
#pragma once

#include "solve.hpp"

#include <string_view>

namespace ddla {

template <class E>
struct named {
    std::string_view name;
    E value;
};

inline constexpr named<preconditioning> preconditioning_names[] = {
    {"none", preconditioning::none},
    {"jacobi", preconditioning::jacobi},
    {"lu", preconditioning::lu},
    {"ilu", preconditioning::ilu},
    {"ilut", preconditioning::ilut},
    {"ic", preconditioning::ic},
    {"block_jacobi", preconditioning::block_jacobi},
    {"polynomial", preconditioning::polynomial},
};
inline constexpr named<factor_precision> factor_precision_names[] = {
    {"auto", factor_precision::automatic},
    {"double", factor_precision::in_double},
    {"dd", factor_precision::in_double_double},
};
inline constexpr named<column_ordering> ordering_names[] = {
    {"auto", column_ordering::automatic}, {"natural", column_ordering::natural},
    {"amd", column_ordering::amd},        {"colamd", column_ordering::colamd},
    {"rcm", column_ordering::rcm},        {"multicolour", column_ordering::multicolour},
};

}  // namespace ddla
