// What residue_factors keep, and what they find with it.
#pragma once

#include "reduced_rows.hpp"
#include "residue_factors.hpp"
#include "residue_solves.hpp"

#include "ddla/error.hpp"

namespace ddla::factor::detail {

class residue_data {
public:
    residue_report about;

    virtual ~residue_data() = default;
    virtual bool is_consistent(vec<const dd_real> b) const = 0;
    virtual std::vector<bool> zeros_of_solution(vec<const dd_real> b) const = 0;
    virtual std::vector<column_t> null_support(index_t k, bool of_columns) const = 0;
};

/// 1 or -1.
template <std::int64_t Prime>
std::uint64_t sign_of(const std::vector<column_t>& permutation)
{
    std::uint64_t sign = 1;
    std::vector<char> seen(permutation.size(), 0);
    for (std::size_t k = 0; k < seen.size(); ++k)
        for (std::size_t j = k; seen[j] == 0; j = as_size(permutation[j])) {
            seen[j] = 1;
            if (j != k) sign = residue_arithmetic<Prime>::minus(0, sign);
        }
    return sign;
}

/// What pivots of 0 become.
constexpr std::uint64_t instead_of_zero = 0x2c9277b5e1a3d;

template <std::int64_t Prime>
class residue_data_modulo final : public residue_data {
    using mod = residue_arithmetic<Prime>;
    using numbers = std::vector<std::uint64_t>;

public:
    /// The rows of A that are the diagonal of its columns.
    residue_data_modulo(supernodes parts, std::vector<column_t> diagonal)
        : s_(std::move(parts)), diagonal_(std::move(diagonal)), f_(s_)
    {
        f_.was_replaced.assign(diagonal_.size(), 0);
    }
    residue_data_modulo(const residue_data_modulo&) = delete;
    residue_data_modulo& operator=(const residue_data_modulo&) = delete;

    const supernodes& parts() const { return s_; }
    const std::vector<column_t>& diagonal() const { return diagonal_; }
    static_lu<double>& factors() { return f_; }
    std::int64_t bytes() const
    {
        return f_.l.bytes() + f_.u.bytes() + s_.bytes() +
               index_t{sizeof(column_t)} * std::ssize(s_.row);
    }

    /// Rank and determinant, once L and U are there.
    void find_rank()
    {
        lower_rows_ = rows_by_pivots(s_, f_);
        about.without = f_.replaced;
        if (f_.replaced > most_pivots_of_zero) return;
        for (column_t k = 0; k < s_.columns(); ++k)
            if (f_.was_replaced[as_size(k)] != 0) zero_.push_back(k);
        find_small_system();
        const reduced_rows<Prime> right(small_);
        const number share = mod::times(determinant_of_pivots(), right.determinant());
        about.determinant = static_cast<std::int64_t>(mod::times(sign_of<Prime>(diagonal_), share));
        about.rank = about.n - std::ssize(right.free());
        const reduced_rows<Prime> left(transposed_rows(small_));
        keep_null_vectors(right, column_null_, about.dependent_columns, true);
        keep_null_vectors(left, row_null_, about.dependent_rows, false);
    }

    bool is_consistent(vec<const dd_real> b) const override
    {
        numbers x = in_order_of_pivots(b);
        if (*about.rank == about.n) return true;
        solver().solve(x);
        return std::all_of(row_null_.begin(), row_null_.end(), [&](const numbers& w) {
            number sum = 0;
            for (std::size_t k = 0; k < w.size(); ++k)
                sum = mod::plus(sum, mod::times(w[k], x[as_size(zero_[k])]));
            return sum == 0;
        });
    }

    std::vector<bool> zeros_of_solution(vec<const dd_real> b) const override
    {
        numbers x = in_order_of_pivots(b), right = x;
        if (*about.rank != about.n)
            throw input_error("zeros of the solution of a singular system: there are many");
        if (!zero_.empty()) {
            solver().solve(right);
            add(share_of_zero_pivots(right), x);
        }
        solver().solve(x);
        std::vector<bool> is_zero(x.size());
        for (std::size_t k = 0; k < x.size(); ++k) is_zero[as_size(s_.order[k])] = x[k] == 0;
        return is_zero;
    }

    std::vector<column_t> null_support(index_t k, bool of_columns) const override
    {
        if (!about.rank || k < 0 || k >= about.n - *about.rank)
            throw input_error("null vector " + std::to_string(k) + " of a matrix of rank " +
                              (about.rank ? std::to_string(*about.rank) : "that is not known") +
                              " with " + std::to_string(about.n) + " rows");
        numbers x(as_size(about.n), 0);
        add((of_columns ? column_null_ : row_null_)[as_size(k)], x);
        of_columns ? solver().solve(x) : solver().solve_transposed(x);
        std::vector<column_t> where;
        for (column_t i = 0; i < s_.columns(); ++i)
            if (x[as_size(i)] != 0) where.push_back(number_in_a(i, of_columns));
        std::sort(where.begin(), where.end());
        return where;
    }

private:
    using number = std::uint64_t;

    residue_solver<Prime> solver() const { return {s_, lower_rows_, f_}; }
    /// The column of A of pivot k, or its row.
    column_t number_in_a(column_t k, bool of_columns) const
    {
        return of_columns ? s_.order[as_size(k)]
                          : diagonal_[as_size(s_.order[as_size(f_.row[as_size(k)])])];
    }

    /// Of L U, but for the rows that were the diagonal.
    number determinant_of_pivots() const
    {
        number inverse = 1;
        for (column_t q = 0; q < s_.size(); ++q)
            for (column_t k = 0; k < s_.width(q); ++k)
                inverse = mod::times(inverse, mod::of_kept(f_.u.get(s_, q, k, k)));
        return mod::times(sign_of<Prime>(f_.row), mod::inverse(inverse));
    }
    /// S.
    void find_small_system()
    {
        small_.assign(zero_.size(), numbers(zero_.size()));
        for (std::size_t k = 0; k < zero_.size(); ++k) {
            numbers x(as_size(about.n), 0);
            x[as_size(zero_[k])] = 1;
            solver().solve(x, s_.of_column[as_size(zero_[k])]);
            about.done += 2 * static_cast<double>(about.entries);
            for (std::size_t i = 0; i < zero_.size(); ++i)
                small_[i][k] =
                    mod::minus(i == k ? 1 : 0, mod::times(instead_of_zero, x[as_size(zero_[i])]));
        }
    }
    /// In the order of the columns of A, or rows, that depend on others.
    void keep_null_vectors(const reduced_rows<Prime>& of, std::vector<numbers>& null,
                           std::vector<column_t>& dependent, bool of_columns)
    {
        std::vector<std::pair<column_t, std::size_t>> all;
        for (std::size_t k = 0; k < of.free().size(); ++k)
            all.emplace_back(number_in_a(zero_[of.free()[k]], of_columns), k);
        std::sort(all.begin(), all.end());
        for (const auto& [column, k] : all) {
            dependent.push_back(column);
            null.push_back(of.null_vector(k));
        }
    }

    /// b modulo the prime.
    numbers in_order_of_pivots(vec<const dd_real> b) const
    {
        if (!about.rank) throw input_error("the rank modulo the prime is not known");
        if (b.size != about.n)
            throw input_error("b has " + std::to_string(b.size) + " elements, and A " +
                              std::to_string(about.n) + " rows");
        numbers y(as_size(b.size));
        for (column_t k = 0; k < s_.columns(); ++k) {
            const index_t i = number_in_a(k, false);
            if (!isfinite(b.get(i)))
                throw input_error("element " + std::to_string(i) + " of b is Inf or NaN");
            y[as_size(k)] = mod::of(b.get(i));
        }
        return y;
    }
    /// z = E^T x of A x = b, from (L U)^-1 b: S z = E^T (L U)^-1 b.
    numbers share_of_zero_pivots(const numbers& solved) const
    {
        // [S, t] with a last row of zeros has the null vector (z, -1).
        auto with_right = small_;
        for (std::size_t k = 0; k < zero_.size(); ++k)
            with_right[k].push_back(solved[as_size(zero_[k])]);
        with_right.emplace_back(zero_.size() + 1, 0);
        numbers z = reduced_rows<Prime>(std::move(with_right)).null_vector(0);
        z.pop_back();
        for (number& x : z) x = mod::minus(0, x);
        return z;
    }
    /// x += g E z.
    void add(const numbers& z, numbers& x) const
    {
        for (std::size_t k = 0; k < zero_.size(); ++k) {
            number& to = x[as_size(zero_[k])];
            to = mod::plus(to, mod::times(instead_of_zero, z[k]));
        }
    }

    const supernodes s_;
    const std::vector<column_t> diagonal_;
    static_lu<double> f_;
    std::vector<column_t> lower_rows_, zero_;      ///< zero_: pivots of 0, ascending
    std::vector<numbers> small_;                   ///< S, by rows
    std::vector<numbers> column_null_, row_null_;  ///< w of S w = 0, and of S^T w = 0
};

}  // namespace ddla::factor::detail
