// Kernels of residues, for one instruction set: see lines.hpp.
#pragma once

#include "lu_kernels.hpp"
#include "residue_lines.hpp"

namespace ddla::factor {
namespace {

template <std::int64_t Prime>
constexpr factor_kernels<double> residue_kernels = {
    .update = update<residues<Prime>, lines_are::of_l>,
    .update_upper = update<residues<Prime>, lines_are::of_u>,
    .factor_square = factor_square<residues<Prime>>,
    .divide_rows = divide_rows<residues<Prime>, lines_are::of_l>,
    .divide_upper = divide_upper<residues<Prime>>};

constexpr residue_kernel_table residue_kernels_here = {residue_kernels<first_residue_prime>,
                                                       residue_kernels<second_residue_prime>};

}  // namespace
}  // namespace ddla::factor
