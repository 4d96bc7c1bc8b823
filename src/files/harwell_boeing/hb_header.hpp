// The first lines of Harwell-Boeing and Rutherford-Boeing files, and of the files of vectors that
// go with the latter.
//
// Duff, Grimes, Lewis, Users' Guide for the Harwell-Boeing Sparse Matrix Collection (1992), and The
// Rutherford-Boeing Sparse Matrix Collection (1997).
#pragma once

#include "ddla/matrix_market.hpp"
#include "files/market/header.hpp"
#include "fortran_format.hpp"

namespace ddla::text {

/// The right-hand sides, in full columns or as sparse ones, and full columns of guesses and
/// solutions behind them.
struct hb_sides {
    index_t count = 0;    ///< columns; 0: none
    bool sparse = false;  ///< with so many entries:
    index_t entries = 0;
    bool has_guess = false, has_solution = false;
    fortran_format format;
};

struct hb_header {
    header shape;  ///< the matrix as coordinates; `sizes` is the line of its type
    fortran_format pointers, indices, values;
    hb_sides sides;
};

/// Whether the text looks like one: integers in its second line, a type in its third.
bool is_harwell_boeing(characters text);
hb_header parse_hb_header(characters text);

/// A file of vectors that goes with a Rutherford-Boeing matrix: rhs, sln, est.
struct rb_vectors_header {
    index_t rows = 0, columns = 0;
    bool is_complex = false, sparse = false;
    index_t entries = 0;
    fortran_format pointers, indices, values;
    const char* kind = nullptr;  ///< where it stands
    const char* data = nullptr;
};

bool is_rb_vectors(characters text);
rb_vectors_header parse_rb_vectors_header(characters text);

}  // namespace ddla::text
