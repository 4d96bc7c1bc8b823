// The entries of a Matrix Market file in the order of the file, parsed in parallel.
//
// The text is cut into pieces at ends of lines.  Each piece is passed on with its number, so that
// results do not depend on the number of threads.
#pragma once

#include "header.hpp"

#include <functional>
#include <span>

namespace ddla::text {

/// Row and column count from 0, and are not set for an array file.
template <scalar V>
struct placed_entry {
    column_t row;
    column_t column;
    V value;
};

/// While A is made each entry is there as it was read and as it is in A.
template <scalar V>
inline constexpr double bytes_of_entry = sizeof(placed_entry<V>) + sizeof(column_t) + sizeof(V);

/// Receives the entries of one piece, in the order of the file; they are valid during the call
/// only.  Calls with different workers run at the same time.
template <scalar V>
using piece_sink =
    std::function<void(int worker, std::size_t piece, std::span<const placed_entry<V>> entries)>;

/// Entries, or values, that the text has room for, as many as are declared or not.
index_t most_entries(characters text, const header& about);

std::size_t piece_count(characters text, const header& about, sharing how);

/// Throws malformed; std::bad_alloc.
template <scalar V>
void parse_entries(characters text, const header& about, sharing how, const piece_sink<V>& sink);

}  // namespace ddla::text
