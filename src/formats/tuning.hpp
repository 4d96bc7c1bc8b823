// Measured limits of conversions, which differ from backend to backend.  Their values are in the
// tuning.hpp of each backend; `Call::tuned` are those of the backend of the call.
#pragma once

#include "ddla/views.hpp"

namespace ddla::formats {

/// When `automatic` takes patterns.
struct pattern_limits {
    index_t rows;            ///< of the matrix, at least
    index_t rows_of_kind;    ///< mean rows of a pattern, at least, so that neighbours share one
    double kinds_of_eight;   ///< mean patterns among eight adjacent rows, at most
    bool repeated_beside;    ///< also with separate values that other formats store as a byte
    index_t longest_row;     ///< entries, at most
    index_t slots_of_entry;  ///< slots per entry, at most: each row has the longest row's leaves
    index_t rows_if_long;    ///< at least, where rows have more than 32 entries
    index_t sampled_rows;    ///< rows of the sample that is looked at first
};

/// When `automatic` takes tiles instead of slices, and when a list has 512 rows.
struct tile_limits {
    index_t rows;               ///< of the matrix, at least
    index_t entries_of_row;     ///< mean, at least
    index_t part_in_long_rows;  ///< at most one in so many entries is in a long row
    double entries_of_column;   ///< mean entries per column of a list, at least
    index_t sampled_lists;      ///< lists of the sample for that
    double padding;             ///< slots per entry, at most
    index_t lists_to_join;      ///< from so many on, lists of 256 rows are joined in pairs, ...
    index_t columns_to_join;    ///< ... if they have at most so many columns, mean
};

/// Slices that `automatic` takes for double vectors without trying tiles.
struct even_slices {
    double padding;  ///< slots per entry, at most
    double far;      ///< fraction of slots far from the previous lane's column, at most
    int widest;      ///< slots of a lane, at most
};

/// How rows are arranged in slices.
struct slice_limits {
    index_t many_rows;      ///< from here on, the number of rows does not limit the slots of a lane
    index_t rows_of_slot;   ///< below, a lane has at most one slot per so many rows, ...
    int least_slots;        ///< ... but at least this many
    double alike;           ///< rows are alike if mean / longest length is above this
    double leaves_of_mean;  ///< for unlike rows: leaves of a lane / leaves of the mean row,
    int least_leaves, most_leaves;  ///< within these
    double cost_of_slice;           ///< overhead of a slice, in slots
    double worth_more_lanes;  ///< lanes are doubled if that costs less than this part, per entry
};

/// When the rows of a tile are sorted by length: if padding exceeds entries / part + slots.
struct sorting_limits {
    index_t part;   ///< see above
    index_t slots;  ///< see above
};

struct tuning {
    pattern_limits patterns;
    tile_limits tiles;
    even_slices even;
    slice_limits slices;
    sorting_limits sorting;
};

}  // namespace ddla::formats
