// The table of kernels, for one instruction set: see lines.hpp.
#pragma once

#include "ldlt_kernels.hpp"
#include "llt_kernels.hpp"
#include "llt_sweeps.hpp"
#include "llt_system_sweeps.hpp"
#include "lu_kernels.hpp"
#include "product_kernels.hpp"

namespace ddla::factor {
namespace {

template <class F>
constexpr factor_kernels<F> factor_of = {update<F, lines_are::of_l>,
                                         update<F, lines_are::of_u>,
                                         factor_definite<F>,
                                         factor_square<F>,
                                         divide_rows<F, lines_are::of_l>,
                                         divide_upper<F>,
                                         factor_symmetric<F>,
                                         divide_symmetric<F>,
                                         times_pivots<F>};
template <class T, class F>
constexpr llt_sweeps<T, F> sweeps_of = {forward<T, F>, backward<T, F>, forward_systems<T, F>,
                                        backward_systems<T, F>};

constexpr kernel_table all_kernels = {factor_of<double>, factor_of<dd_real>,
                                      sweeps_of<double, double>, sweeps_of<dd_real, double>,
                                      sweeps_of<dd_real, dd_real>};

}  // namespace
}  // namespace ddla::factor
