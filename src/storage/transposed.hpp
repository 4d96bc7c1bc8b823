// The transpose of rows that are at the host, whoever owns them.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace ddla {

/// A^T, rows sorted by column.  `a` at the host.  Cost: one pass, one more matrix.
template <scalar V>
csr_matrix<V> transposed(const csr<V>& a);

}  // namespace ddla
