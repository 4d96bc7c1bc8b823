// Factors of a block diagonal matrix from those of its blocks.
#pragma once

#include "factors_data.hpp"

#include <utility>

namespace ddla::factor {

/// Each block has the order, the scaling and the pivots that it has alone: its part of a solution
/// does not depend on the other blocks.
template <scalar F>
class joined_blocks {
public:
    /// The next block, with a pivot in each column.
    void add(const factors<F>& block)
    {
        const auto first = static_cast<column_t>(data_->about.n);
        append(block.part(factor_part::lower), first, data_->lower);
        append(block.part(factor_part::upper), first, data_->upper);
        append(block.row_of(), first, data_->row_of);
        append(block.column_of(), first, data_->column_of);
        append(block.scaling().row, 0, data_->scaling.row);
        append(block.scaling().column, 0, data_->scaling.column);
        count(block.about());
    }
    /// Of all blocks so far; call once.
    factors<F> all() &&
    {
        data_->pivot_of.resize(data_->row_of.size());
        for (std::size_t k = 0; k < data_->row_of.size(); ++k)
            data_->pivot_of[as_size(data_->row_of[k])] = static_cast<column_t>(k);
        detail::look_at_pivots(*data_);
        return factors<F>::of(std::move(data_));
    }
    const report& about() const { return data_->about; }

private:
    static std::shared_ptr<detail::factors_data<F>> nothing()
    {
        auto data = std::make_shared<detail::factors_data<F>>();
        data->lower.is_lower = true;
        data->upper.is_lower = false;
        return data;
    }
    template <class X>
    static void append(const std::vector<X>& block, X first, std::vector<X>& all)
    {
        for (const X& x : block) all.push_back(x + first);
    }
    static void append(const triangle<F>& block, column_t first, triangle<F>& all)
    {
        const sparse_rows<F>& from = block.off_diagonal;
        sparse_rows<F>& to = all.off_diagonal;
        const index_t before = to.entries();
        for (index_t i = 1; i <= from.rows(); ++i)
            to.begin.push_back(before + from.begin[as_size(i)]);
        for (const column_t j : from.column) to.column.push_back(j + first);
        for (index_t k = 0; k < from.entries(); ++k) to.value.push_back(from.value.get(k));
        for (index_t i = 0; i < block.pivot.size(); ++i) all.pivot.push_back(block.pivot.get(i));
    }
    void count(const report& block)
    {
        report& r = data_->about;
        r.n += block.n;
        r.rank += block.rank;
        r.structural_rank = r.n;
        r.entries += block.entries;
        r.operations += block.operations;
        r.bytes += block.bytes;
        r.making_bytes = std::max(r.making_bytes, block.making_bytes);
        r.growth = std::max(r.growth, block.growth);
        r.seconds += block.seconds;
        r.nonzeros += block.nonzeros;
        r.ordering = block.ordering;
    }

    std::shared_ptr<detail::factors_data<F>> data_ = nothing();
};

}  // namespace ddla::factor
