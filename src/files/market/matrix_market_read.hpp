// What stands behind the header of a Matrix Market file, and in Lis's forms of it.
#pragma once

#include "ddla/matrix_market.hpp"
#include "header.hpp"
#include "number_columns.hpp"

#include <vector>

namespace ddla::text {

/// A matrix, or the real form of a complex one.  Throws malformed and too_large, as all here.
template <scalar V>
csr_matrix<V> market_matrix(characters text, const header& about, sharing how);

/// The columns with their zeros, or their real forms.
template <scalar T>
std::vector<vector<T>> market_columns(characters text, const header& about, sharing how);

four_word_vector market_four_words(characters text, const header& about, sharing how);

/// Whether b and x are read by lis_column().
inline bool has_lis_vectors(const header& about)
{
    return about.layout == layout::indexed || about.has_b || about.has_x;
}
/// One column: a vector of indexed lines, or the b or x of an extended file.
template <scalar V>
number_columns<V> lis_column(characters text, const header& about, sharing how, vector_part part);

/// The lines of an extended file; b and x are null where it has none.
struct lis_parts {
    characters matrix, b, x;
};
lis_parts lis_sections(characters text, const header& about);

/// Throws malformed unless the file of these sizes has one column.
void require_column(index_t columns, const header& about);

}  // namespace ddla::text
