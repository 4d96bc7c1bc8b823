// What conversions go by that was measured, and differs from backend to backend.  The numbers are
// in the tuning.hpp of each; a call brings those of its backend as `Call::tuned`.
#pragma once

#include "ddla/views.hpp"

namespace ddla::formats {

/// What patterns must be like where nobody has asked for them.
struct pattern_limits {
    index_t rows;            ///< of the matrix, at least
    index_t rows_of_kind;    ///< at least, in the mean, so that rows side by side are of one
    double kinds_of_eight;   ///< at most, in the mean of eight rows side by side
    bool repeated_beside;    ///< also values beside of which other formats read a byte each
    index_t longest_row;     ///< entries, at most
    index_t slots_of_entry;  ///< a lane has the leaves of the longest row: at most so many slots
    index_t rows_if_long;    ///< at least, where rows have more than 32 entries
    index_t sampled_rows;    ///< looked at before all of them are
};

/// What makes `automatic` take tiles in place of slices, and when a list is that of 512 rows.
struct tile_limits {
    index_t rows;               ///< of the matrix, at least
    index_t entries_of_row;     ///< at least, in the mean
    index_t part_in_long_rows;  ///< of the entries, at most one in so many are in long rows
    double entries_of_column;   ///< of a list, at least, in the mean
    index_t sampled_lists;      ///< looked at for that
    double padding;             ///< slots an entry, at most
    index_t lists_to_join;      ///< from so many on, lists of 256 rows may become lists of 512 ...
    index_t columns_to_join;    ///< ... if they have at most so many columns in the mean
};

/// Slices that need no comparison with tiles where vectors are in double.
struct even_slices {
    double padding;  ///< slots an entry, at most
    double far;      ///< part of the slots whose column is far from the lane's before
    int widest;      ///< slots of a lane, at most
};

/// How rows become slices.
struct slice_limits {
    index_t many_rows;      ///< from here on the number of rows does not limit slots of a lane
    index_t rows_of_slot;   ///< below, a lane has at most one slot for so many rows, ...
    int least_slots;        ///< ... but this many in any case
    double alike;           ///< rows are, where the mean length is more of the longest one
    double leaves_of_mean;  ///< of unlike rows, a lane has the leaves of so many mean rows,
    int least_leaves, most_leaves;  ///< within these
    double cost_of_slice;           ///< what each slice takes, in slots
    double worth_more_lanes;  ///< cost an entry, as a part of that with half the lanes, at most
};

/// When the rows of a tile are sorted by length.
struct sorting_limits {
    index_t part;   ///< padding is more than a part of the entries, one in so many, ...
    index_t slots;  ///< ... and so many slots
};

struct tuning {
    pattern_limits patterns;
    tile_limits tiles;
    even_slices even;
    slice_limits slices;
    sorting_limits sorting;
};

}  // namespace ddla::formats
