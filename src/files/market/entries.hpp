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

/// Calls put(entry) for each entry and its mirror image.
template <scalar V, class Put>
void with_mirror_images(std::span<const placed_entry<V>> entries, symmetry symmetry, Put put)
{
    const bool mirror = symmetry != symmetry::general;
    const bool negate = symmetry == symmetry::skew_symmetric;  // no real matrix is hermitian
    for (const placed_entry<V>& entry : entries) {
        put(entry);
        if (mirror && entry.row != entry.column)
            put({entry.column, entry.row, negate ? -entry.value : entry.value});
    }
}

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

/// What a part of the entries holds; whether that fits, only who has all parts can tell.
struct parsed_part {
    index_t count = 0;
    read_losses lost = {};
    bool is_malformed = false;                  ///< a line is; the entries behind it may be missing
    bool has_below = false, has_above = false;  ///< the diagonal; of a file with one triangle
};

/// The entries of a part of the data that begins and ends with lines.  Throws std::bad_alloc.
template <scalar V>
parsed_part parse_part(characters part, const header& about, sharing how,
                       const piece_sink<V>& sink);

}  // namespace ddla::text
