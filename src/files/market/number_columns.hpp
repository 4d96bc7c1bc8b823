// Columns of numbers as readers of vectors find them, before they become vectors or real forms.
#pragma once

#include <vector>

namespace ddla::text {

/// All of one size.
template <class V>
using number_columns = std::vector<std::vector<V>>;

}  // namespace ddla::text
