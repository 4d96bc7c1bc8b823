// Sums on device 0 in parts; the backend needs nvcc.
#pragma once

#include "support/split_sums.hpp"

namespace test {

template <class T>
dots_in_parts<T> dots_on_device(const ddla::vector<T>& x, const ddla::vector<T>& y,
                                const std::vector<ddla::index_t>& first);

}  // namespace test
