// What L D L^T stores.
#include "ldlt.hpp"

namespace ddla::factor {

namespace {

/// The graph of blocks: the later neighbours of each, in any order, some twice.
struct block_graph {
    std::vector<index_t> begin;
    std::vector<column_t> later;
};

block_graph graph_of(const pattern& a, const pivot_blocks& blocks)
{
    const std::size_t count = blocks.size() - 1;
    std::vector<column_t> block_of(as_size(a.columns));
    for (std::size_t b = 0; b < count; ++b)
        for (column_t k = blocks[b]; k < blocks[b + 1]; ++k)
            block_of[as_size(k)] = static_cast<column_t>(b);
    const auto each_edge = [&](const auto& see) {
        for (index_t j = 0; j < a.columns; ++j)
            for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e) {
                const column_t x = block_of[as_size(a.row[as_size(e)])], y = block_of[as_size(j)];
                if (x != y) see(std::min(x, y), std::max(x, y));
            }
    };
    block_graph g;
    g.begin.assign(count + 1, 0);
    each_edge([&](column_t x, column_t) { ++g.begin[as_size(x) + 1]; });
    std::partial_sum(g.begin.begin(), g.begin.end(), g.begin.begin());
    g.later.resize(as_size(g.begin.back()));
    std::vector<index_t> next(g.begin.begin(), g.begin.end() - 1);
    each_edge([&](column_t x, column_t y) { g.later[as_size(next[as_size(x)]++)] = y; });
    return g;
}

class symbolic {
public:
    symbolic(const pattern& a, const pivot_blocks& blocks, double most_operations,
             std::int64_t most_bytes, std::int64_t bytes_of_value)
        : graph_(graph_of(a, blocks)), blocks_(blocks), most_operations_(most_operations),
          most_bytes_(most_bytes), bytes_of_entry_(bytes_of_value + index_t{sizeof(column_t)}),
          rows_(blocks.size() - 1), children_(blocks.size() - 1), seen_(blocks.size() - 1, -1),
          updates_(blocks.size() - 1, 0)
    {
        p_.blocks = blocks;
        p_.pair.assign(as_size(a.columns), 0);
        p_.supernode_of.resize(as_size(a.columns));
        p_.value_begin = {0};
    }

    ldlt_pattern run()
    {
        const auto count = static_cast<column_t>(rows_.size());
        for (column_t b = 0; b < count; ++b) {
            find_rows(b);
            if (!joins_last(b)) {
                close_supernode();
                p_.first_column.push_back(blocks_[as_size(b)]);
            }
            add_columns(b);
            if (p_.operations > most_operations_ || p_.bytes > most_bytes_) return std::move(p_);
        }
        close_supernode();
        p_.first_column.push_back(blocks_.back());
        set_value_begins();
        p_.most_updates =
            updates_.empty() ? 0 : *std::max_element(updates_.begin(), updates_.end());
        p_.complete = true;
        return std::move(p_);
    }

private:
    column_t width(column_t b) const { return blocks_[as_size(b) + 1] - blocks_[as_size(b)]; }

    /// The blocks below b: its later neighbours and the rows of its children, but for b.
    void find_rows(column_t b)
    {
        std::vector<column_t>& mine = rows_[as_size(b)];
        const auto add = [&](column_t i) {
            if (i == b || seen_[as_size(i)] == b) return;
            seen_[as_size(i)] = b;
            mine.push_back(i);
        };
        for (index_t e = graph_.begin[as_size(b)]; e < graph_.begin[as_size(b) + 1]; ++e)
            add(graph_.later[as_size(e)]);
        for (const column_t c : children_[as_size(b)]) {
            count_work(5 * static_cast<std::int64_t>(rows_[as_size(c)].size()));
            for (const column_t i : rows_[as_size(c)]) add(i);
            if (c != b - 1) rows_[as_size(c)] = {};
        }
        std::sort(mine.begin(), mine.end());
        if (!mine.empty()) children_[as_size(mine.front())].push_back(b);
    }

    /// Whether b has the rows of the block before it, but for b itself.
    bool joins_last(column_t b) const
    {
        if (b == 0) return false;
        const std::vector<column_t>& before = rows_[as_size(b - 1)];
        return !before.empty() && before.front() == b &&
               before.size() == rows_[as_size(b)].size() + 1;
    }

    void add_columns(column_t b)
    {
        index_t below = 0;
        for (const column_t i : rows_[as_size(b)]) {
            below += width(i);
            updates_[as_size(i)] += width(b);
        }
        const auto w = static_cast<index_t>(width(b));
        const auto under = static_cast<double>(below);
        p_.operations += static_cast<double>(w) * under * (under + 1) / 2;
        p_.entries += w * below + w * (w + 1) / 2;
        p_.bytes = 2 * p_.entries * bytes_of_entry_;
        if (w == 2) p_.pair[as_size(blocks_[as_size(b)])] = 1;
        for (column_t k = blocks_[as_size(b)]; k < blocks_[as_size(b) + 1]; ++k)
            p_.supernode_of[as_size(k)] = static_cast<column_t>(p_.first_column.size() - 1);
        newest_ = b;
    }

    /// The rows below the last supernode are those of its last block.
    void close_supernode()
    {
        if (p_.first_column.empty()) return;
        for (const column_t i : rows_[as_size(newest_)])
            for (column_t k = blocks_[as_size(i)]; k < blocks_[as_size(i) + 1]; ++k)
                p_.row.push_back(k);
        p_.row_begin.push_back(static_cast<index_t>(p_.row.size()));
    }

    void set_value_begins()
    {
        for (std::size_t s = 0; s < as_size(p_.supernodes()); ++s)
            for (column_t k = p_.first_column[s]; k < p_.first_column[s + 1]; ++k)
                p_.value_begin.push_back(p_.value_begin.back() + (p_.last_column(s) - k) +
                                         p_.rows_below(s));
    }

    const block_graph graph_;
    const pivot_blocks& blocks_;
    const double most_operations_;
    const std::int64_t most_bytes_, bytes_of_entry_;
    std::vector<std::vector<column_t>> rows_, children_;
    std::vector<column_t> seen_;
    std::vector<index_t> updates_;  ///< columns before a block that have its rows
    column_t newest_ = 0;
    ldlt_pattern p_;
};

}  // namespace

ldlt_pattern pattern_of_ldlt(const pattern& a, const pivot_blocks& blocks, double most_operations,
                             std::int64_t most_bytes, std::int64_t bytes_of_value)
{
    return symbolic(a, blocks, most_operations, most_bytes, bytes_of_value).run();
}

}  // namespace ddla::factor
