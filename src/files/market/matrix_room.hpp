// What the matrix of a file takes of memory at least, known from its sizes and the length of its
// text.
#pragma once

#include "entries.hpp"
#include "memory_limit.hpp"

#include <algorithm>

namespace ddla::text {

inline std::string sizes_of(const header& about)
{
    return "the sizes " + std::to_string(about.rows) + " x " + std::to_string(about.columns);
}

/// Entries of A at least: as many as the text can hold of those that are declared, and their mirror
/// images.  Of a complex one, those that are not 0 have two in the real form or four.
inline double least_entries(characters text, const header& about)
{
    const index_t in_text = std::min<index_t>(about.entries, most_entries(text, about));
    const index_t on_diagonal = about.symmetry == symmetry::skew_symmetric
                                    ? 0
                                    : std::min({about.rows, about.columns, in_text});
    const index_t mirrored = about.symmetry == symmetry::general ? 0 : in_text - on_diagonal;
    return static_cast<double>(in_text + mirrored) * (about.field == field::complex ? 2 : 1);
}

/// Of an array only the values are known now; those that are not 0 are counted before A is made.
template <scalar V>
void require_room_for_matrix(characters text, const header& about, sharing how)
{
    const bool complex = about.field == field::complex;
    const double rows = static_cast<double>(about.rows) * (complex ? 2 : 1);
    const double values = static_cast<double>(std::min(about.entries, most_entries(text, about)));
    if (about.layout == layout::array)
        return require_room(about, how, sizes_of(about),
                            rows * sizeof(index_t) + values * sizeof(V) * (complex ? 2 : 1));
    require_room(about, how, sizes_of(about) + " and " + std::to_string(about.entries) + " entries",
                 rows * sizeof(index_t) + least_entries(text, about) * bytes_of_entry<V>);
}

}  // namespace ddla::text
