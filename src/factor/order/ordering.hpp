// The order in which columns are eliminated, and whether the diagonal is preferred as pivot.
#pragma once

#include "column_counts.hpp"
#include "factor/chunks.hpp"
#include "matching.hpp"

#include "ddla/factorisation.hpp"

#include <memory>
#include <optional>

namespace ddla::factor {

/// AMD: of A + A^T; COLAMD: of the columns of A; the others: graph_orders.hpp.
using ordering = column_ordering;

/// A pattern by columns.
struct pattern {
    index_t rows = 0, columns = 0;
    const std::vector<index_t>& begin;
    const std::vector<column_t>& row;
};

template <class F>
pattern pattern_of(const sparse_columns<F>& a)
{
    return {a.rows, a.columns, a.begin, a.row};
}

struct symmetry_counts {
    index_t off_diagonal = 0;  ///< entries
    index_t matched = 0;       ///< … whose mirror image is an entry, too
    index_t diagonal = 0;      ///< entries
};

/// With row preferred[j] as the diagonal of column j; empty: row j.  Cost: one pass, one more
/// pattern.
symmetry_counts count_symmetry(const pattern& a, const std::vector<column_t>& preferred);

/// The graph of an order, and what it makes; both null where nothing was counted.
struct counted_graph {
    std::shared_ptr<const adjacency> graph;
    std::shared_ptr<const elimination_counts> counts;
};

struct elimination_order {
    ordering used = ordering::natural;
    std::vector<column_t> column;     ///< columns in the order of elimination
    std::vector<column_t> preferred;  ///< the row preferred as pivot of a column; empty: none
    double operations = 0;            ///< of L L^T of the pattern, where they were counted
    bool is_matched = false;          ///< the preferred rows are those of a matching
    counted_graph counted = {};       ///< of the pattern with its preferred diagonal
};

/// Whether AMD with a preferred diagonal is expected to fill in less than COLAMD: at least half of
/// the entries off the diagonal have their mirror image, a quarter if the diagonal is that of a
/// matching, and at least 0.9 of the diagonal is there.
bool suits_amd(const symmetry_counts& counts, index_t columns, bool is_matched);

/// For a square pattern; `wanted` is not automatic.  All but COLAMD prefer the diagonal.
/// `diagonal`: rows that take the place of the diagonal (of a matching), or empty. Integers only:
/// the same on every machine with the same version of SuiteSparse. Throws internal_error if
/// SuiteSparse refuses the pattern.
elimination_order order_columns(const pattern& a, ordering wanted,
                                const std::vector<column_t>& diagonal,
                                const chunk_runner& run = {});

struct known_orders;

/// How an order is chosen by counted operations.
struct order_choice {
    /// Of a multiplication with a subtraction in L L^T of the pattern, about nanoseconds: 1 in
    /// double, 10 in double-double as most_work counts them, and twice that for LU.
    double work_of_operation = 1;
    chunk_runner run = {};
    known_orders* known = nullptr;  ///< where orders are kept; changes none
};

/// Of L L^T of the pattern with the preferred diagonal.  Cost: about six passes over the entries.
double operations_of(const pattern& a, const elimination_order& order);

/// AMD, whose operations are counted.  Where they are work of 10^8 at least, and a third of them,
/// which is what nested dissection can be expected to save, is more than it costs, the order of
/// both that takes fewer operations.
elimination_order order_by_counts(const pattern& a, const std::vector<column_t>& diagonal,
                                  const order_choice& choice);

/// Orders of the last pattern, with its diagonal, for whoever chooses among them again.
struct known_orders {
    std::vector<index_t> begin = {};
    std::vector<column_t> row = {};
    std::shared_ptr<const adjacency> graph = {};
    elimination_order amd = {};
    std::optional<double> cost = {};  ///< of dissection
    std::optional<elimination_order> dissection = {};
};

}  // namespace ddla::factor
