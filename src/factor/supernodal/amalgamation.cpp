// Merges supernodes with their parents.
#include "amalgamation.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>

namespace ddla::factor {

namespace {

/// Entries of so many columns, the triangle included, with so many rows below them.
double entries_of(double width, double below)
{
    return width * (width + 1) / 2 + width * below;
}

/// Where fundamental supernodes begin: column j goes on with the one before if that has j as its
/// parent, no other child has, and j has its rows.
std::vector<column_t> fundamental(const elimination_counts& c)
{
    const auto n = static_cast<column_t>(c.order.size());
    std::vector<column_t> children(as_size(n), 0), first;
    for (const column_t p : c.parent)
        if (p >= 0) ++children[as_size(p)];
    for (column_t j = 0; j < n; ++j) {
        const bool goes_on = j > 0 && c.parent[as_size(j) - 1] == j &&
                             c.count[as_size(j) - 1] == c.count[as_size(j)] + 1 &&
                             children[as_size(j)] == 1;
        if (!goes_on) first.push_back(j);
    }
    first.push_back(n);
    return first;
}

class merger {
public:
    merger(const elimination_counts& counts, const relaxation& relax)
        : counts_(counts), relax_(relax), first_(fundamental(counts)), size_(first_.size() - 1)
    {
        width_.resize(size_);
        below_.resize(size_);
        zeros_.resize(size_, 0);
        parent_.resize(size_, -1);
        child_.resize(size_, -1);
        sibling_.resize(size_, -1);
        is_merged_.resize(size_, 0);
        next_piece_.resize(size_, -1);
        last_piece_.resize(size_);
        find_tree();
    }

    supernode_columns run()
    {
        for (std::size_t p = 0; p < size_; ++p) merge_children(static_cast<column_t>(p));
        return renumbered();
    }

private:
    void find_tree()
    {
        std::vector<column_t> of(counts_.order.size());
        for (std::size_t s = 0; s < size_; ++s) {
            for (column_t j = first_[s]; j < first_[s + 1]; ++j)
                of[as_size(j)] = static_cast<column_t>(s);
            width_[s] = first_[s + 1] - first_[s];
            below_[s] = counts_.count[as_size(first_[s + 1]) - 1] - 1;
            last_piece_[s] = static_cast<column_t>(s);
        }
        for (std::size_t s = size_; s-- > 0;) {
            const column_t p = counts_.parent[as_size(first_[s + 1]) - 1];
            if (p >= 0) add_child(of[as_size(p)], static_cast<column_t>(s));
        }
    }
    void add_child(column_t p, column_t c)
    {
        parent_[as_size(c)] = p;
        sibling_[as_size(c)] = child_[as_size(p)];
        child_[as_size(p)] = c;
    }

    /// Zeros that c brings into p: c's columns get p's rows.
    double zeros_of_merging(column_t c, column_t p) const
    {
        const double wc = width_[as_size(c)], wp = width_[as_size(p)], bp = below_[as_size(p)];
        return entries_of(wc + wp, bp) - entries_of(wc, below_[as_size(c)]) - entries_of(wp, bp);
    }
    bool may_merge(column_t c, column_t p, double zeros) const
    {
        const column_t w = width_[as_size(c)] + width_[as_size(p)];
        const double allowed = relax_.zeros[w <= relax_.widths[0]   ? 0
                                            : w <= relax_.widths[1] ? 1
                                                                    : 2];
        return w <= relax_.always || zeros <= allowed * entries_of(w, below_[as_size(p)]);
    }

    void merge_children(column_t p)
    {
        candidates_.clear();
        for (column_t c = child_[as_size(p)]; c >= 0; c = sibling_[as_size(c)])
            candidates_.push_back({zeros_of_merging(c, p), c});
        count_work(10 * static_cast<std::int64_t>(candidates_.size() + 1));
        std::sort(candidates_.begin(), candidates_.end());
        stays_.clear();
        for (const auto& [_, c] : candidates_) {
            const double zeros = zeros_[as_size(c)] + zeros_[as_size(p)] + zeros_of_merging(c, p);
            if (may_merge(c, p, zeros))
                merge(c, p, zeros);
            else
                stays_.push_back(c);
        }
        child_[as_size(p)] = -1;
        for (std::size_t k = stays_.size(); k-- > 0;) add_child(p, stays_[k]);
    }
    void merge(column_t c, column_t p, double zeros)
    {
        width_[as_size(p)] += width_[as_size(c)];
        zeros_[as_size(p)] = zeros;
        is_merged_[as_size(c)] = 1;
        next_piece_[as_size(last_piece_[as_size(p)])] = c;
        last_piece_[as_size(p)] = last_piece_[as_size(c)];
        for (column_t g = child_[as_size(c)]; g >= 0; g = sibling_[as_size(g)]) stays_.push_back(g);
    }

    /// Children before their parents; the pieces of a supernode ascending.
    supernode_columns renumbered()
    {
        supernode_columns all;
        all.order.reserve(counts_.order.size());
        std::vector<column_t> open;
        for (std::size_t r = 0; r < size_; ++r) {
            if (is_merged_[r] != 0 || parent_[r] >= 0) continue;
            open.push_back(static_cast<column_t>(r));
            while (!open.empty()) {
                const column_t s = open.back(), c = child_[as_size(s)];
                if (c >= 0) {
                    child_[as_size(s)] = sibling_[as_size(c)];
                    open.push_back(c);
                    continue;
                }
                open.pop_back();
                add_supernode(s, all);
            }
        }
        return all;
    }
    void add_supernode(column_t s, supernode_columns& all)
    {
        pieces_.clear();
        for (column_t q = s; q >= 0; q = next_piece_[as_size(q)]) pieces_.push_back(q);
        count_work(10 * width_[as_size(s)]);
        std::sort(pieces_.begin(), pieces_.end());
        for (const column_t q : pieces_)
            for (column_t j = first_[as_size(q)]; j < first_[as_size(q) + 1]; ++j)
                all.order.push_back(counts_.order[as_size(j)]);
        all.first.push_back(static_cast<column_t>(all.order.size()));
        all.below.push_back(below_[as_size(s)]);
    }

    const elimination_counts& counts_;
    const relaxation& relax_;
    const std::vector<column_t> first_;
    const std::size_t size_;
    std::vector<column_t> width_, below_;
    std::vector<double> zeros_;  ///< that are stored in each
    std::vector<column_t> parent_, child_, sibling_;
    std::vector<char> is_merged_;
    std::vector<column_t> next_piece_, last_piece_;  ///< what was merged into each, a list
    std::vector<std::pair<double, column_t>> candidates_;
    std::vector<column_t> stays_, pieces_;
};

}  // namespace

supernode_columns merged_supernodes(const elimination_counts& counts, const relaxation& relax)
{
    return merger(counts, relax).run();
}

}  // namespace ddla::factor
