// What stands behind the header of a Harwell-Boeing or Rutherford-Boeing file.
#pragma once

#include "files/market/number_columns.hpp"
#include "hb_header.hpp"

namespace ddla::text {

/// A matrix, or the real form of a complex one.  Throws malformed and too_large, as all here.
template <scalar V>
csr_matrix<V> hb_matrix(characters text, const hb_header& about, sharing how);

/// The right-hand sides, or the columns of guesses or solutions behind them.  V is complex if the
/// matrix is.
template <scalar V>
number_columns<V> hb_columns(characters text, const hb_header& about, sharing how,
                             vector_part part);

template <scalar V>
number_columns<V> rb_columns(characters text, const rb_vectors_header& about, sharing how);

}  // namespace ddla::text
