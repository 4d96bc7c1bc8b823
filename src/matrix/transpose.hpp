// The transpose that a matrix keeps.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace ddla::api {

/// A^T at the place of A: made the first time, and kept with A and its copies.
template <scalar V>
std::shared_ptr<const csr_matrix<V>> transposed_once(const csr_matrix<V>& a);

}  // namespace ddla::api
