// The table of kernels, for one instruction set: see lines.hpp.
#pragma once

#include "llt_kernels.hpp"
#include "llt_sweeps.hpp"
#include "llt_system_sweeps.hpp"

namespace ddla::factor {
namespace {

template <class F>
constexpr llt_kernels<F> llt_of = {update<F>, factor_diagonal<F>, divide_rows<F>};
template <class T, class F>
constexpr llt_sweeps<T, F> sweeps_of = {forward<T, F>, backward<T, F>, forward_systems<T, F>,
                                        backward_systems<T, F>};

constexpr kernel_table all_kernels = {llt_of<double>, llt_of<dd_real>, sweeps_of<double, double>,
                                      sweeps_of<dd_real, double>, sweeps_of<dd_real, dd_real>};

}  // namespace
}  // namespace ddla::factor
