// Levels of triangles, cut into spans that a device solves with a kernel each.
#pragma once

#include "solving_order.hpp"

namespace ddla::api {

/// The spans that take the least time by a count of levels and packets: a level is in a narrow span
/// or in a wide one, and each span costs a kernel.  Cost: a pass over the levels.
std::vector<level_span> spans_of(const solving_order& order);

/// Columns of rows of narrow spans whose unknowns may be on their way when the entries are loaded
/// become ~narrow_span::place() of their rows.  Cost: a pass over all rows, with 4 bytes each, and
/// one over the entries of those spans.
void name_kept_rows(const solving_order& order, const std::vector<level_span>& spans,
                    const factor::chunk_runner& run, column_t* column);

}  // namespace ddla::api
