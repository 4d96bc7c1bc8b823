// Incomplete factors of a square matrix on the host: preconditioners.
//
//     const auto k = ddla::factor::incomplete_factors<double>::make(a.view(), {.fill = 2});
//     if (k.about().end == ddla::factor::factor_end::complete)
//         k.triangles().solve<dd_real>(r.view(), z.view());
//
// docs/preconditioners.md has the rules that fix every bit.
#pragma once

#include "factor/chunks.hpp"
#include "factor/lu/factors.hpp"

#include "ddla/preconditioner_options.hpp"

#include <functional>

namespace ddla::factor {

enum class incomplete_kind {
    ilu,   ///< by levels of fill: Saad, Iterative Methods for Sparse Linear Systems, 10.3
    ilut,  ///< by magnitudes: Saad, Numer. Linear Algebra Appl. 1(4), 1994
    ic,    ///< Cholesky without fill: Meijerink, van der Vorst, Math. Comp. 31, 1977
};

/// What is done with a pivot that is zero, or tiny beside the largest entry of its row in A.  IC
/// shifts the whole diagonal and makes the factors anew.
using bad_pivots = bad_pivot;

struct incomplete_options {
    incomplete_kind kind = incomplete_kind::ilu;
    int fill = 0;        ///< ILU: levels; ILUT: entries of each half of a row beyond those of A
    double drop = 1e-3;  ///< ILUT: entries below this part of the row's largest are left out
    ordering order = ordering::automatic;
    bool scale = true;
    match_rows match = match_rows::automatic;  ///< not with IC
    bad_pivots pivots = bad_pivots::shift;
    double tiny = 0x1p-33;     ///< … at most this part of the row's largest entry
    double shifted = 0x1p-17;  ///< and becomes this part of it
    /// Of the factors; and a matching that looks at more entries is left out.
    double most_operations = std::numeric_limits<double>::infinity();
    std::int64_t most_bytes = std::numeric_limits<std::int64_t>::max();
    /// Sees the part of the rows that is done, every so often; false stops the making.
    std::function<bool(double)> watch = {};
    /// How loops are shared among threads, which changes no bit and nothing in the report but the
    /// time.  The watch is called by the thread that calls make().
    chunk_runner run = {};
};

/// Of factorisation_report entries are of both triangles and the pivots, of IC of one triangle;
/// bytes are of the triangles by rows.
struct incomplete_report : ended_report {
    index_t shifts = 0;    ///< pivots shifted; IC: how often all were
    index_t bad_row = -1;  ///< the row of the first zero or tiny pivot
    /// That pivot over the largest entry of its row; IC: of what it would be the root.
    double bad_part = 0;
    double diagonal_shift = 0;  ///< IC: of A + shift diag(A), whose factors these are
    bool matched = false;
};

/// P R A C Q ~ L U, or L L^T, values in F.  Copies share the factors.
template <scalar F>
class incomplete_factors {
public:
    /// Wider values are rounded to F.  A limit that is passed, a refused pivot and entries that are
    /// not finite end it early: see about().end.  Throws input_error unless A is square, and for IC
    /// unless it is symmetric.
    template <scalar V>
    static incomplete_factors make(const csr<V>& a, const incomplete_options& options);

    const incomplete_report& about() const { return about_; }
    /// To solve with, once complete.
    const factors<F>& triangles() const { return triangles_; }

private:
    /// Of the watch only what asks it itself.
    template <scalar V>
    static incomplete_factors made_unwatched(const csr<V>& a, const incomplete_options& options);

    incomplete_report about_;
    factors<F> triangles_;
};

}  // namespace ddla::factor
