// The numbers of L by supernodes.
#pragma once

#include "kernels/kernels.hpp"
#include "supernodes.hpp"

#include "factor/numbers.hpp"
#include "factor/unfilled.hpp"

#include "ddla/watched_scope.hpp"

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>

namespace ddla::factor {

/// Numbers that stay where they were made until somebody asks for them.
struct numbers_elsewhere {
    std::function<void(double*)> fetch;  ///< all of them; throws resource_error
    std::vector<double> diagonal;        ///< magnitudes of the diagonal
    double largest = 0;                  ///< see llt_values
};

/// L of L L^T: of each supernode its diagonal block, of which the lower triangle counts, and the
/// rows below, in row-blocks (kernels.hpp).
template <scalar F>
class llt_values {
public:
    explicit llt_values(const supernodes& s) : begin_(as_size(s.size()) + 1, 0)
    {
        for (column_t q = 0; q < s.size(); ++q)
            begin_[as_size(q) + 1] =
                begin_[as_size(q)] + index_t{s.width(q)} * doubles_of_line<F> *
                                         (row_blocks(s.width(q)) + row_blocks(s.below(q)));
    }
    /// Memory, without values: whoever writes a supernode first clears it.  What the analysis has
    /// freed goes back to the system before.
    void allocate()
    {
        there_.reset();
        return_freed_memory(bytes());
        require_memory(bytes(), needed_by::factors);
        value_.resize(as_size(begin_.back()));
    }

    /// They are elsewhere; no memory here until a const member reads one.
    void leave(numbers_elsewhere there) { there_ = std::make_unique<left>(std::move(there)); }

    /// They are here from now on.
    void settle()
    {
        data();
        there_.reset();
    }

    double* diagonal(column_t q) { return value_.data() + begin_[as_size(q)]; }
    const double* diagonal(column_t q) const { return data() + begin_[as_size(q)]; }
    /// Where the rows below begin, from the diagonal block on.
    static index_t lower_offset(index_t width)
    {
        return width * doubles_of_line<F> * row_blocks(width);
    }
    const double* data() const
    {
        if (there_ && !there_->are_here)
            std::call_once(there_->fetched, [this] {
                unfilled<double> all(as_size(begin_.back()));
                there_->numbers.fetch(all.data());
                value_.swap(all);
                there_->are_here = true;
            });
        return value_.data();
    }
    /// Of each supernode in data(), and the end.
    const index_t* begins() const { return begin_.data(); }
    std::int64_t bytes() const
    {
        return begin_.back() * static_cast<std::int64_t>(sizeof(double)) +
               static_cast<std::int64_t>(begin_.size() * sizeof(index_t));
    }

    /// The largest magnitude of high words of all that is stored, which must be zero behind the
    /// last row of a block; infinity if one is not finite.
    double largest() const
    {
        if (there_) return there_->numbers.largest;
        constexpr std::size_t line = static_cast<std::size_t>(doubles_of_line<F>);
        double most = 0;
        bool is_finite = true;
        for (std::size_t at = 0; at < value_.size(); at += line) {
            if (at % (std::size_t{1} << 16) == 0) count_work(1 << 14);
            for (std::size_t k = 0; k < as_size(rows_of_block); ++k) {
                const double m = std::fabs(value_[at + k]);
                most = m > most ? m : most;
                is_finite &= m <= std::numeric_limits<double>::max();
            }
        }
        return is_finite ? most : std::numeric_limits<double>::infinity();
    }

    /// The magnitude of column j of supernode q on the diagonal.
    double pivot_size(const supernodes& s, column_t q, index_t j) const
    {
        return there_ ? there_->numbers.diagonal[as_size(s.first[as_size(q)] + j)]
                      : magnitude(get(s, q, j, j));
    }
    /// l_ij of supernode q: column j from its first on, row i likewise, those below behind it.
    F get(const supernodes& s, column_t q, index_t i, index_t j) const
    {
        const index_t w = s.width(q);
        const double* const block = diagonal(q) + (i < w ? 0 : lower_offset(w));
        const double* const p = block + place_in_block<F>(i < w ? i : i - w, j, w);
        if constexpr (words_of<F> == 1)
            return *p;
        else
            return {p[0], p[rows_of_block]};
    }

private:
    struct left {
        explicit left(numbers_elsewhere n) : numbers(std::move(n)) {}

        const numbers_elsewhere numbers;
        std::once_flag fetched;
        std::atomic<bool> are_here{false};
    };

    std::vector<index_t> begin_;
    mutable unfilled<double> value_;
    std::unique_ptr<left> there_;
};

}  // namespace ddla::factor
