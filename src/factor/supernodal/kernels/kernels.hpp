// The loops over lines of a supernodal factorisation, for the instruction set at hand.
//
// A block of w columns is cut into row-blocks of eight rows; a row-block is w lines, line k the
// eight numbers of column k.  A line of double is eight doubles, one of double-double eight high
// words and eight low ones.  So a row-block is contiguous by columns, which is the order of pivots:
// nothing is packed, and a solve reads in order.
#pragma once

#include "ddla/views.hpp"

#include <limits>

namespace ddla::factor {

constexpr column_t rows_of_block = 8;
template <scalar F>
inline constexpr index_t doubles_of_line = rows_of_block* words_of<F>;

constexpr index_t row_blocks(index_t rows)
{
    return (rows + rows_of_block - 1) / rows_of_block;
}
/// Where row i, column k of a block of this width has its high word.
template <scalar F>
constexpr index_t place_in_block(index_t i, index_t k, index_t width)
{
    return (i / rows_of_block * width + k) * doubles_of_line<F> + i % rows_of_block;
}

/// Where the rows of a row-block are in the supernode that they update, from its first column on:
/// lane i at first + i, or at second + i, or at index[i].
struct lane_places {
    const index_t* index = nullptr;  ///< null: in two runs
    index_t first = 0, second = 0;
    unsigned of_first = 0, of_second = 0;  ///< lanes, as bits; `index`: of_first
};

/// target -= rows columns^T, for rows of a lower supernode: pivots one after the other.  L of LU is
/// updated by rows of L and columns of U, U^T by rows of U^T and columns of L^T, L of L L^T by its
/// own rows alone, L of L D L^T by rows of L and of L D.
struct supernode_product {
    const double* rows;        ///< below the lower one, from its row-block 0
    const double* columns;     ///< likewise, from row-block `columns_block`
    column_t pivots;           ///< its columns
    column_t first, last;      ///< row-blocks that update
    column_t begin, end;       ///< rows that are columns of the target
    bool is_square;            ///< also above the diagonal of the target
    const column_t* row;       ///< its rows
    column_t first_column;     ///< of the target
    double* target;            ///< its diagonal block, which its other rows follow
    const lane_places* place;  ///< of row-block `first` on
    column_t columns_block = 0;
};

/// Systems that go through the factors together.
constexpr int systems_at_once = 4;
/// Of one unknown of them: high words of all systems, then low ones.
template <scalar T>
inline constexpr index_t doubles_of_systems = systems_at_once* words_of<T>;

/// Which pivots a diagonal block of LU takes.
struct pivot_rule {
    /// The diagonal if it is this part of the largest candidate, else the first of the largest.
    double preferred = 0.1;
    double negligible = 0;  ///< a pivot of this magnitude at most …
    double instead = 0;     ///< … becomes this, with its sign
};

/// A diagonal block of LU: rows as gathered in `lower`; then L there, its diagonal 1, and U^T in
/// `upper`.
struct square_block {
    double *lower, *upper;
    column_t width;
    /// The row that became row j of the block; in the beginning j.
    column_t* row;
    pivot_rule rule;
    unsigned char* was_replaced = nullptr;  ///< 1 for each pivot that was; null: not asked
};

/// D of L D L^T from one pivot on, by words: its diagonal, and what pairs a pivot with the next
/// one, or 0.
struct pivot_numbers {
    double *diagonal[2], *beside[2];
};

/// A diagonal block of L D L^T: in its lower triangle rows as gathered; then L, its diagonal 1.
struct symmetric_block {
    double* lower;
    column_t width;
    pivot_numbers pivots;
    /// The row, and column, that became row j of the block; in the beginning j.
    column_t* row;
    pivot_rule rule;  ///< `preferred` does not count: Bunch and Kaufman's rule
};

/// Rows below a diagonal block of L D L^T, before they are divided.
struct symmetric_rows {
    const double* diagonal;  ///< L of the block
    pivot_numbers pivots;
    column_t width;
    const column_t* column;  ///< column j takes the place of column[j]; null: of itself
    double* rows;
    index_t blocks;
    double* scratch;  ///< as large as the diagonal block
};

/// L by supernodes, and the right-hand side, or what has become of it.
struct llt_sweep {
    const double* value;       ///< of L: see llt_values
    const index_t* begin;      ///< of each supernode in it
    const column_t* first;     ///< column of each
    const index_t* row_begin;  ///< of the rows below each
    const column_t* row;
    double *high, *low;  ///< words of all unknowns; several systems: from `high` on alone
    /// Forwards: the rows below that are updated, and whether the pivots are divided first.
    column_t rows_begin = 0, rows_end = std::numeric_limits<column_t>::max();
    bool divides = true;
    /// The same by places in the list of rows of one supernode; the first is a multiple of 8.
    column_t places_begin = 0, places_end = std::numeric_limits<column_t>::max();
    /// Backwards, of one supernode, whose sums over the rows below are here, eight numbers a
    /// column: those of columns_begin, …, columns_end - 1 are made; or, without such columns, are
    /// taken.
    double* sums = nullptr;
    column_t columns_begin = 0, columns_end = 0;
};

template <scalar F>
struct factor_kernels {
    void (*update)(const supernode_product&) = nullptr;        ///< of L
    void (*update_upper)(const supernode_product&) = nullptr;  ///< of U^T
    /// L of L L^T of the diagonal block, in its place; returns the first column whose pivot is not
    /// a positive number, or -1.
    column_t (*factor_definite)(double* diagonal, column_t width) = nullptr;
    /// L and U of the diagonal block; returns how many pivots were replaced, or -1 where one is not
    /// finite.
    column_t (*factor_square)(const square_block&) = nullptr;
    /// X of X L^T = rows, or of X U = rows, in their place; diagonal: L, or U^T.
    void (*divide_rows)(const double* diagonal, column_t width, double* rows,
                        index_t blocks) = nullptr;
    /// X of X L^T = rows, L with a diagonal of 1; first column j takes the place of column[j],
    /// unless that is null.
    void (*divide_upper)(const double* diagonal, column_t width, const column_t* column,
                         double* rows, index_t blocks) = nullptr;
    /// L and D of the diagonal block; returns how many pivots were replaced, or -1 where one is not
    /// finite.
    column_t (*factor_symmetric)(const symmetric_block&) = nullptr;
    /// X of X D L^T = rows, in their place.
    void (*divide_symmetric)(const symmetric_rows&) = nullptr;
    /// L D of row-blocks of L.
    void (*times_pivots)(const double* rows, column_t width, const pivot_numbers&, index_t blocks,
                         double* products) = nullptr;
};
/// Unknowns in T.
template <scalar T, scalar F>
struct llt_sweeps {
    /// Supernodes from, …, to - 1.
    void (*forward)(const llt_sweep&, column_t from, column_t to);
    /// Supernodes to - 1, …, from.
    void (*backward)(const llt_sweep&, column_t from, column_t to);
    /// The same with doubles_of_systems<T> an unknown.
    void (*forward_systems)(const llt_sweep&, column_t from, column_t to);
    void (*backward_systems)(const llt_sweep&, column_t from, column_t to);
};

struct kernel_table {
    factor_kernels<double> in_double;
    factor_kernels<dd_real> in_dd;
    llt_sweeps<double, double> sweeps_in_double;
    llt_sweeps<dd_real, double> sweeps_in_dd_by_double;
    llt_sweeps<dd_real, dd_real> sweeps_in_dd;

    template <scalar F>
    const factor_kernels<F>& factor() const
    {
        if constexpr (words_of<F> == 1)
            return in_double;
        else
            return in_dd;
    }
    template <scalar T, scalar F>
    const llt_sweeps<T, F>& sweeps() const
    {
        if constexpr (words_of<T> == 1)
            return sweeps_in_double;
        else if constexpr (words_of<F> == 1)
            return sweeps_in_dd_by_double;
        else
            return sweeps_in_dd;
    }
};

struct residue_kernel_table {
    factor_kernels<double> of_first, of_second;
};

/// For current_isa(): the same bits from all.
const kernel_table& current_kernels();
/// Of each (p - 1) / 2 is a prime, too, and 2 generates all residues.
constexpr std::int64_t first_residue_prime = (std::int64_t{1} << 50) - 1877;
constexpr std::int64_t second_residue_prime = (std::int64_t{1} << 50) - 3221;

/// L and U modulo one of the primes: whole numbers, each a double; of U the diagonal is stored as
/// its inverse, `negligible` is 0, and a pivot of 0 becomes `instead`.
template <std::int64_t Prime>
const factor_kernels<double>& current_residue_kernels();

/// x of x a = 1 modulo the prime, |x| < p / 2; a is not 0.  By Euclid.
template <std::int64_t Prime>
constexpr std::int64_t inverse_residue(std::int64_t a)
{
    std::int64_t r = Prime, s = a < 0 ? a + Prime : a, x = 0, y = 1;
    while (s != 0) {
        const std::int64_t q = r / s, rest = r - q * s, next = x - q * y;
        r = s;
        s = rest;
        x = y;
        y = next;
    }
    return 2 * x > Prime ? x - Prime : 2 * x < -Prime ? x + Prime : x;
}

// One a unit, compiled for the set.
const kernel_table& kernels_in_baseline();
const kernel_table& kernels_in_avx2();
const kernel_table& kernels_in_avx512();
const residue_kernel_table& residue_kernels_in_baseline();
const residue_kernel_table& residue_kernels_in_avx2();
const residue_kernel_table& residue_kernels_in_avx512();

}  // namespace ddla::factor
