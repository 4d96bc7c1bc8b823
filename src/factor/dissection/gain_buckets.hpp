// A queue of vertices by gains.
#pragma once

#include "factor/numbers.hpp"

#include <algorithm>

namespace ddla::factor {

/// Vertices in a list for each gain, in units; the last one that was put there comes first
/// (Fiduccia and Mattheyses).  Gains beyond the lists are in the first or the last one.
/// Cost: a constant for each change.
class gain_buckets {
public:
    /// For vertices 0, …, n - 1, and gains from -192 to 63 units of their own.
    gain_buckets(column_t n, index_t unit)
        : unit_(unit), list_(as_size(n)), next_(as_size(n)), last_(as_size(n))
    {
        std::fill(list_.begin(), list_.end(), none);
        clear();
    }

    void clear()
    {
        for (; top_ >= 0; --top_)
            for (column_t& v = head_[as_size(top_)]; v >= 0; v = next_[as_size(v)])
                list_[as_size(v)] = none;
        head_.fill(-1);
        top_ = -1;
    }
    /// True after the lists without vertices are left behind.
    bool is_empty()
    {
        while (top_ >= 0 && head_[as_size(top_)] < 0) --top_;
        return top_ < 0;
    }
    bool has(column_t v) const { return list_[as_size(v)] != none; }

    void insert(column_t v, index_t gain)
    {
        const index_t units = std::clamp(unit_ == 1 ? gain : gain / unit_, least, most);
        const auto k = static_cast<short>(units - least);
        list_[as_size(v)] = k;
        column_t& head = head_[as_size(k)];
        next_[as_size(v)] = head;
        last_[as_size(v)] = -1;
        if (head >= 0) last_[as_size(head)] = v;
        head = v;
        top_ = std::max(top_, k);
    }
    void erase(column_t v)
    {
        const column_t before = last_[as_size(v)], after = next_[as_size(v)];
        (before >= 0 ? next_[as_size(before)] : head_[as_size(list_[as_size(v)])]) = after;
        if (after >= 0) last_[as_size(after)] = before;
        list_[as_size(v)] = none;
    }
    /// The first of the highest list.  There must be one.
    column_t take()
    {
        is_empty();
        const column_t v = head_[as_size(top_)];
        erase(v);
        return v;
    }

private:
    static constexpr index_t least = -192, most = 63;
    static constexpr short none = -1;

    index_t unit_;
    std::vector<short> list_;  ///< of each vertex
    std::vector<column_t> next_, last_;
    std::array<column_t, static_cast<std::size_t>(most - least + 1)> head_{};
    short top_ = -1;  ///< no list above it has vertices
};

}  // namespace ddla::factor
