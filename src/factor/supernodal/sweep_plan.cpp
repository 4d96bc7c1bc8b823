// What threads share of a solve with L and L^T.
#include "sweep_plan.hpp"

#include "factor/numbers.hpp"

#include <algorithm>
#include <numeric>
#include <span>

namespace ddla::factor {
namespace {

/// Of a sweep: the numbers of a supernode, and what it takes besides.
double work_of(const supernodes& s, column_t q)
{
    return static_cast<double>(s.width(q) + 8) * (s.width(q) + s.below(q) + 8);
}

void append(std::vector<supernode_range>& ranges, column_t q)
{
    if (!ranges.empty() && ranges.back().end == q)
        ++ranges.back().end;
    else
        ranges.push_back({q, q + 1});
}

class planner {
public:
    planner(const supernodes& s, double most, int parts)
        : s_(s), most_(most), parts_(parts), above_(as_size(s.columns()), -1)
    {
    }

    sweep_plan run()
    {
        find_subtrees();
        for (const supernode_range& t : top_)
            for (column_t i = s_.first[as_size(t.begin)]; i < s_.first[as_size(t.end)]; ++i) {
                above_[as_size(i)] = static_cast<column_t>(columns_.size());
                columns_.push_back(i);
            }
        auto subtree = plan_.subtrees.begin();
        for (const supernode_range& t : top_) {
            const auto first = subtree;
            while (subtree != plan_.subtrees.end() && subtree->end <= t.begin) ++subtree;
            plan_.steps.push_back({.top = t});
            share_rows({first, subtree}, plan_.steps.back());
        }
        return std::move(plan_);
    }

private:
    /// Subtrees of at most this work, the largest of them, and what is above.
    void find_subtrees()
    {
        std::vector<double> work(as_size(s_.size()), 0);
        std::vector<column_t> lowest(as_size(s_.size()));
        for (column_t q = 0; q < s_.size(); ++q) lowest[as_size(q)] = q;
        for (column_t q = 0; q < s_.size(); ++q) {
            work[as_size(q)] += work_of(s_, q);
            const column_t p = s_.parent[as_size(q)];
            if (p < 0) continue;
            work[as_size(p)] += work[as_size(q)];
            lowest[as_size(p)] = std::min(lowest[as_size(p)], lowest[as_size(q)]);
        }
        for (column_t q = 0; q < s_.size(); ++q) {
            const column_t p = s_.parent[as_size(q)];
            if (work[as_size(q)] > most_)
                append(top_, q);
            else if (p < 0 || work[as_size(p)] > most_)
                plan_.subtrees.push_back({lowest[as_size(q)], q + 1});
        }
    }

    bool is_first_of_supernode(column_t i) const
    {
        return s_.first[as_size(s_.of_column[as_size(i)])] == i;
    }
    /// The supernodes of these subtrees with rows above, and parts of these rows: whole supernodes,
    /// within which rows of L can be exchanged.
    void share_rows(std::span<const supernode_range> subtrees, sweep_step& step) const
    {
        std::vector<double> work(columns_.size(), 0);
        for (const supernode_range& t : subtrees)
            for (column_t q = t.begin; q < t.end; ++q) {
                const column_t* const row = s_.rows(q);
                const column_t below = s_.below(q), end = s_.first[as_size(t.end)];
                if (below == 0 || row[below - 1] < end) continue;
                append(step.outside, q);
                for (column_t i = below; i-- > 0 && row[i] >= end;)
                    work[as_size(above_[as_size(row[i])])] += s_.width(q) + 8;
            }
        cut_rows(work, step);
    }
    /// A part begins with a supernode above the subtrees of the step.
    void cut_rows(const std::vector<double>& work, sweep_step& step) const
    {
        const double all = std::accumulate(work.begin(), work.end(), 0.0);
        double sum = 0;
        for (std::size_t i = 0; i < work.size();) {
            const std::size_t begin = i;
            double mine = 0;
            do mine += work[i++];
            while (i < work.size() && !is_first_of_supernode(columns_[i]));
            if (mine > 0 && sum * parts_ >= all * static_cast<double>(step.rows.size()))
                step.rows.push_back(columns_[begin]);
            sum += mine;
        }
        if (!step.rows.empty()) step.rows.push_back(s_.columns());
    }

    const supernodes& s_;
    const double most_;
    const int parts_;
    sweep_plan plan_;
    std::vector<supernode_range> top_;
    std::vector<column_t> above_, columns_;  ///< places of columns above subtrees among these
};

}  // namespace

sweep_plan plan_of_sweeps(const supernodes& s, const chunk_runner& run)
{
    constexpr int subtrees_of_thread = 6;
    constexpr index_t least_entries = 64;  // for each element that a loop is worth
    if (run.threads() < 2 || s.entries < least_entries * run.work()) return {};
    double all = 0;
    for (column_t q = 0; q < s.size(); ++q) all += work_of(s, q);
    return planner(s, all / (subtrees_of_thread * run.threads()), run.threads()).run();
}

}  // namespace ddla::factor
