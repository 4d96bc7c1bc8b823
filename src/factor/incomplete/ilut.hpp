// ILUT: what is kept of a row is decided by magnitudes.
//
// Row i is updated by rows p < i in ascending order, as in ILU.  l_ip below drop times the largest
// entry of row i of A is left out, and updates nothing.  Of the finished row, entries below that
// are left out; of each half the largest stay, as many as A has there and `fill` more, of equal
// ones those of lower columns.
#pragma once

#include "row_factors.hpp"
#include "scaled_rows.hpp"

#include <queue>

namespace ddla::factor::detail {

template <scalar F>
class ilut {
public:
    ilut(const scaled_rows<F>& a, const incomplete_options& o) : a_(a), o_(o), w_(a.rows()) {}

    row_factors<F> run()
    {
        each_row(a_.rows(), [&](column_t i) {
            take_row(i);
            eliminate(i);
            store(lower_, in_lower_, f_.lower);
            store(upper_, in_upper_, f_.upper);
            return f_.finish_row(w_[i], largest_, a_.rows(), o_);
        });
        f_.is_finite = all_finite(f_.lower) && all_finite(f_.upper);
        return std::move(f_);
    }

private:
    static bool all_finite(const sparse_rows<F>& a)
    {
        for (index_t k = 0; k < a.entries(); ++k)
            if (!isfinite(a.value.get(k))) return false;
        return true;
    }

    using queue = std::priority_queue<column_t, std::vector<column_t>, std::greater<>>;

    void take_row(column_t i)
    {
        w_.start(i);
        lower_.clear();
        upper_.clear();
        largest_ = largest_of_row(a_, i);
        least_ = o_.drop * largest_;
        for (index_t k = a_.begin(i); k < a_.end(i); ++k) meet(a_.column(k), i, a_.value(i, k));
        if (!w_.has(i)) w_.add(i, F(0));
        in_lower_ = static_cast<index_t>(waiting_.size());
        in_upper_ = static_cast<index_t>(upper_.size());
    }
    void meet(column_t j, column_t i, const F& value)
    {
        w_.add(j, value);
        if (j < i)
            waiting_.push(j);
        else if (j > i)
            upper_.push_back(j);
    }
    void eliminate(column_t i)
    {
        while (!waiting_.empty()) {
            const column_t k = waiting_.top();
            waiting_.pop();
            const F l = divide_by_pivot(w_, k, f_);
            if (magnitude(l) < least_) continue;
            lower_.push_back(k);
            count_work(tuning::nanoseconds_of_incomplete<F> *
                       (f_.upper.begin[as_size(k) + 1] - f_.upper.begin[as_size(k)]));
            for (index_t e = f_.upper.begin[as_size(k)]; e < f_.upper.begin[as_size(k) + 1]; ++e) {
                const column_t j = f_.upper.column[as_size(e)];
                if (!w_.has(j)) meet(j, i, F(0));
                w_[j] = w_[j] - l * f_.upper.value.get(e);
                ++f_.operations;
            }
        }
    }
    void store(std::vector<column_t>& columns, index_t in_a, sparse_rows<F>& to)
    {
        std::erase_if(columns, [&](column_t j) {
            const double m = magnitude(w_[j]);
            return m < least_ || m == 0;
        });
        const auto most = as_size(in_a + o_.fill);
        if (columns.size() > most) {
            const auto end = columns.begin() + static_cast<std::ptrdiff_t>(most);
            std::nth_element(columns.begin(), end, columns.end(), [&](column_t x, column_t y) {
                const double mx = magnitude(w_[x]), my = magnitude(w_[y]);
                return mx != my ? mx > my : x < y;
            });
            columns.erase(end, columns.end());
        }
        std::sort(columns.begin(), columns.end());
        for (const column_t j : columns) append(to, j, w_[j]);
    }

    const scaled_rows<F>& a_;
    const incomplete_options& o_;
    working_row<F> w_;
    std::vector<column_t> lower_, upper_;
    index_t in_lower_ = 0, in_upper_ = 0;  ///< entries of A in the halves of the row
    double largest_ = 0, least_ = 0;
    queue waiting_;
    row_factors<F> f_;
};

}  // namespace ddla::factor::detail
