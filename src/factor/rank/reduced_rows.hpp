// Small systems modulo a prime: the determinant and the null vectors of a square matrix.
#pragma once

#include "residue_arithmetic.hpp"

#include <utility>

namespace ddla::factor {

/// A square matrix by rows, and what Gauss and Jordan make of it.
template <std::int64_t Prime>
class reduced_rows {
    using mod = residue_arithmetic<Prime>;

public:
    using number = typename mod::number;
    using matrix = std::vector<std::vector<number>>;

    explicit reduced_rows(matrix a) : row_(std::move(a))
    {
        for (std::size_t c = 0; c < row_.size(); ++c) eliminate(c);
        if (!free_.empty()) determinant_ = 0;
    }

    number determinant() const { return determinant_; }
    /// Columns that depend on those before them, ascending.
    const std::vector<std::size_t>& free() const { return free_; }
    /// x of A x = 0 with 1 at free()[k] and 0 at the other free ones.
    std::vector<number> null_vector(std::size_t k) const
    {
        std::vector<number> x(row_.size(), 0);
        x[free_[k]] = 1;
        for (std::size_t i = 0; i < with_pivot_.size(); ++i)
            x[with_pivot_[i]] = mod::minus(0, row_[i][free_[k]]);
        return x;
    }

private:
    void eliminate(std::size_t c)
    {
        const std::size_t own = with_pivot_.size();
        std::size_t pivot = own;
        while (pivot < row_.size() && row_[pivot][c] == 0) ++pivot;
        if (pivot == row_.size()) return free_.push_back(c);
        if (pivot != own) determinant_ = mod::minus(0, determinant_);
        std::swap(row_[pivot], row_[own]);
        determinant_ = mod::times(determinant_, row_[own][c]);
        const number inverse = mod::inverse(row_[own][c]);
        for (number& x : row_[own]) x = mod::times(x, inverse);
        for (std::size_t i = 0; i < row_.size(); ++i)
            if (i != own) subtract(row_[own], row_[i][c], row_[i]);
        with_pivot_.push_back(c);
    }
    /// to -= factor times the row.
    static void subtract(const std::vector<number>& row, number factor, std::vector<number>& to)
    {
        for (std::size_t j = 0; j < row.size(); ++j)
            to[j] = mod::minus(to[j], mod::times(factor, row[j]));
    }

    matrix row_;
    std::vector<std::size_t> with_pivot_, free_;
    number determinant_ = 1;
};

/// A^T.
template <class Number>
std::vector<std::vector<Number>> transposed_rows(const std::vector<std::vector<Number>>& a)
{
    std::vector<std::vector<Number>> t(a.size(), std::vector<Number>(a.size()));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < a.size(); ++j) t[j][i] = a[i][j];
    return t;
}

}  // namespace ddla::factor
