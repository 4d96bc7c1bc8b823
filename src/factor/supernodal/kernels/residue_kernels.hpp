// Kernels of residues, for one instruction set: see lines.hpp.
#pragma once

#include "lu_kernels.hpp"
#include "residue_lines.hpp"

namespace ddla::factor {
namespace {

constexpr factor_kernels<double> residue_kernels = {
    .update = update<residues, lines_are::of_l>,
    .update_upper = update<residues, lines_are::of_u>,
    .factor_square = factor_square<residues>,
    .divide_rows = divide_rows<residues, lines_are::of_l>,
    .divide_upper = divide_upper<residues>};

}  // namespace
}  // namespace ddla::factor
