// Fortran's formats, as far as Harwell-Boeing files have them: (10I8), (1P,4D20.12),
// (2(E15.7,1X)).
#pragma once

#include <string_view>
#include <vector>

namespace ddla::text {

/// Where a number stands in a line.
struct format_field {
    int offset;
    int width;
};

/// The numbers of one line; each line has the same.
struct fortran_format {
    std::string_view text;
    std::vector<format_field> fields;
    int decimals = 0;  ///< the most of any field: digits behind the point that is not written
    int scale = 0;     ///< of 1P: 1
    bool is_integer = true;
};

/// Throws malformed for a format that is wrong, has more than 10,000 numbers a line, or has parts
/// that the files need not have: T, /, A, a group that repeats alone.
fortran_format parse_format(std::string_view text);

}  // namespace ddla::text
