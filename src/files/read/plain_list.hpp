// Numbers without a header: one or several on a line, blanks or a comma between them.
#pragma once

#include "files/market/header.hpp"
#include "files/market/number_columns.hpp"

namespace ddla::text {

/// All numbers in their order as one column.  Lines may be empty; what follows # or % is a comment.
/// Throws malformed.
template <scalar V>
number_columns<V> plain_list(characters text, sharing how);

}  // namespace ddla::text
