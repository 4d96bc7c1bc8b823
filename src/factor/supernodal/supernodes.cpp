// Rows of supernodes, panels, and which updates which.
#include "supernodes.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <numeric>

namespace ddla::factor {

namespace {

/// Rows below supernodes, from the graph and from the children.
class row_finder {
public:
    row_finder(const adjacency& a, supernode_columns columns, const std::vector<char>& starts_pair)
        : graph_(a), columns_(std::move(columns)), starts_pair_(starts_pair),
          size_(columns_.below.size()), place_(columns_.order.size()),
          seen_(columns_.order.size(), -1), of_(columns_.order.size()), rows_(size_),
          child_(size_, -1), sibling_(size_, -1)
    {
        for (std::size_t k = 0; k < place_.size(); ++k)
            place_[as_size(columns_.order[k])] = static_cast<column_t>(k);
        for (std::size_t s = 0; s < size_; ++s)
            for (column_t j = columns_.first[s]; j < columns_.first[s + 1]; ++j)
                of_[as_size(j)] = static_cast<column_t>(s);
    }

    supernodes run()
    {
        all_.of_column.resize(place_.size());
        all_.first = {0};
        for (std::size_t s = 0; s < size_; ++s) {
            find_rows(static_cast<column_t>(s));
            add_panels(static_cast<column_t>(s));
        }
        add_parents();
        all_.order = std::move(columns_.order);
        all_.row.resize(all_.row.size() + 8, 0);
        all_.row.shrink_to_fit();  // kept as long as the factors
        return std::move(all_);
    }

private:
    void find_rows(column_t s)
    {
        std::vector<column_t>& mine = rows_[as_size(s)];
        const column_t end = columns_.first[as_size(s) + 1];
        mine.reserve(as_size(columns_.below[as_size(s)]));
        const auto add = [&](column_t i) {
            if (i < end || seen_[as_size(i)] == s) return;
            seen_[as_size(i)] = s;
            mine.push_back(i);
        };
        for (column_t j = columns_.first[as_size(s)]; j < end; ++j)
            for (const column_t u : graph_.of(columns_.order[as_size(j)])) add(place_[as_size(u)]);
        for (column_t c = child_[as_size(s)]; c >= 0; c = sibling_[as_size(c)]) {
            for (const column_t i : rows_[as_size(c)]) add(i);
            rows_[as_size(c)] = {};
        }
        count_work(20 * static_cast<std::int64_t>(mine.size() + 1));
        std::sort(mine.begin(), mine.end());
        if (mine.empty()) return;
        const column_t p = of_[as_size(mine.front())];
        sibling_[as_size(s)] = child_[as_size(p)];
        child_[as_size(p)] = s;
    }

    /// Of equal widths but for the last, multiples of eight; one less where that would cut a pair.
    void add_panels(column_t s)
    {
        const std::vector<column_t>& below = rows_[as_size(s)];
        const column_t begin = columns_.first[as_size(s)], end = columns_.first[as_size(s) + 1];
        const column_t width = end - begin;
        const column_t panels = (width + most_panel_columns - 1) / most_panel_columns;
        const column_t step = panels == 1 ? width : (width + panels * 8 - 1) / (panels * 8) * 8;
        const column_t first = all_.size();
        for (column_t c = begin, last; c < end; c = last) {
            first_panel_.push_back(first);
            last = std::min(c + step, end);
            if (last < end && starts_pair(last - 1)) --last;
            for (column_t j = c; j < last; ++j) all_.of_column[as_size(j)] = all_.size();
            for (column_t j = last; j < end; ++j) all_.row.push_back(j);
            all_.row.insert(all_.row.end(), below.begin(), below.end());
            all_.row_begin.push_back(static_cast<index_t>(all_.row.size()));
            all_.first.push_back(last);
        }
    }

    bool starts_pair(column_t k) const
    {
        return !starts_pair_.empty() && starts_pair_[as_size(columns_.order[as_size(k)])] != 0;
    }

    /// Columns that wait for a panel in the middle come before the first one, too.
    void add_parents()
    {
        for (column_t d = 0; d < all_.size(); ++d) {
            const column_t p = all_.below(d) > 0 ? all_.of_column[as_size(all_.rows(d)[0])] : -1;
            const bool is_next = p >= 0 && first_panel_[as_size(p)] == first_panel_[as_size(d)];
            all_.parent.push_back(p < 0 || is_next ? p : first_panel_[as_size(p)]);
        }
    }

    const adjacency& graph_;
    supernode_columns columns_;
    const std::vector<char>& starts_pair_;
    const std::size_t size_;
    std::vector<column_t> place_, seen_, of_;
    std::vector<std::vector<column_t>> rows_;
    std::vector<column_t> child_, sibling_, first_panel_;
    supernodes all_;
};

/// see(to, update) for the updates of each supernode, by rising numbers of `from`.
template <class See>
void each_update(const supernodes& s, const See& see)
{
    for (column_t d = 0; d < s.size(); ++d) {
        const column_t *const row = s.rows(d), below = s.below(d);
        count_work(2 * below);
        for (column_t b = 0, e; b < below; b = e) {
            const column_t to = s.of_column[as_size(row[b])];
            for (e = b; e < below && row[e] < s.first[as_size(to) + 1]; ++e) {
            }
            see(to, supernode_update{d, b, e});
        }
    }
}

void add_updates(supernodes& s)
{
    s.update_begin.assign(as_size(s.size()) + 1, 0);
    each_update(s,
                [&](column_t to, const supernode_update&) { ++s.update_begin[as_size(to) + 1]; });
    std::partial_sum(s.update_begin.begin(), s.update_begin.end(), s.update_begin.begin());
    s.updates.resize(as_size(s.update_begin.back()));
    std::vector<index_t> next(s.update_begin.begin(), s.update_begin.end() - 1);
    each_update(s, [&](column_t to, const supernode_update& u) {
        s.updates[as_size(next[as_size(to)]++)] = u;
    });
}

supernodes find_supernodes(const adjacency& a, const elimination_counts& counts,
                           const relaxation& relax, const std::vector<char>& starts_pair)
{
    supernodes s = row_finder(a, merged_supernodes(counts, relax), starts_pair).run();
    s.exact_entries = counts.entries;
    s.exact_operations = counts.operations;
    add_updates(s);
    for (column_t d = 0; d < s.size(); ++d) {
        const index_t w = s.width(d);
        s.entries += w * (w + 1) / 2 + w * s.below(d);
    }
    return s;
}

}  // namespace

supernodes supernodes_of(const adjacency& a, const std::vector<column_t>& order,
                         const relaxation& relax)
{
    return find_supernodes(a, count_elimination(a, order), relax, {});
}

supernodes supernodes_of(const adjacency& a, const elimination_counts& counts)
{
    return find_supernodes(a, counts, {}, {});
}

supernodes supernodes_of_pivots(const pattern& a, const symmetric_order& order)
{
    if (const counted_graph& known = order.counted; known.counts)
        return supernodes_of(*known.graph, *known.counts);
    const auto [graph, starts_pair] = graph_of_pivots(a, order);
    return find_supernodes(graph, count_elimination(graph, order.row), {}, starts_pair);
}

}  // namespace ddla::factor
