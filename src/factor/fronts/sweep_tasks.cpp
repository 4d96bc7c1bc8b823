// Lists of tasks of solves, from supernodes alone.
#include "sweep_tasks.hpp"

#include <algorithm>

namespace ddla::factor {

namespace {

template <class Task>
index_t size_of(const std::vector<Task>& tasks)
{
    return static_cast<index_t>(tasks.size());
}

class sweep_lists {
public:
    sweep_lists(const supernodes& s, const sweep_sizes& size)
        : s_(s), size_(size), fronts_(fronts_of(s))
    {
    }

    sweep_tasks run()
    {
        all_.front_begin.resize(as_size(s_.size()));
        all_.front_end.resize(as_size(s_.size()));
        all_.unknowns.reserve(as_size(s_.columns()));
        for (column_t l = 0; l < fronts_.levels(); ++l) {
            sweep_level level;
            level.unknowns.begin = size_of(all_.unknowns);
            fronts_.each(l, [&](column_t first, column_t last) { add_unknowns(first, last); });
            level.unknowns.end = size_of(all_.unknowns);
            for (column_t k = 0; add_step(l, k, level); ++k) {
            }
            all_.levels.push_back(std::move(level));
        }
        return std::move(all_);
    }

private:
    void add_unknowns(column_t first, column_t last)
    {
        const column_t begin = s_.first[as_size(first)], end = s_.first[as_size(last)];
        for (column_t q = first; q < last; ++q) {
            all_.front_begin[as_size(q)] = begin;
            all_.front_end[as_size(q)] = end;
        }
        for (column_t j = begin; j < end; ++j) all_.unknowns.push_back(j);
    }
    /// Whether a front has a k-th panel.
    bool add_step(column_t level, column_t k, sweep_level& to)
    {
        panel_step step;
        step.narrow.begin = size_of(all_.narrow);
        step.wide.begin = size_of(all_.wide);
        step.forward.begin = size_of(all_.forward);
        step.sums.begin = size_of(all_.sums);
        bool has_one = false;
        fronts_.each(level, [&](column_t first, column_t last) {
            const column_t q = first + k;
            if (q >= last) return;
            has_one = true;
            if (q + 1 == last && s_.width(q) <= size_.narrow)
                all_.narrow.push_back(q);
            else
                add_wide(q, last, step);
        });
        step.narrow.end = size_of(all_.narrow);
        step.wide.end = size_of(all_.wide);
        step.forward.end = size_of(all_.forward);
        step.sums.end = size_of(all_.sums);
        all_.most_columns = std::max(all_.most_columns, step.columns);
        if (has_one) to.steps.push_back(step);
        return has_one;
    }
    /// `last`: the end of its front.
    void add_wide(column_t q, column_t last, panel_step& step)
    {
        const column_t in_front = s_.first[as_size(last)] - s_.first[as_size(q) + 1];
        for (column_t row = 0; row == 0 || row < in_front; row += size_.rows)
            all_.forward.push_back({q, row});
        all_.wide.push_back({q, 0, step.columns});
        if (s_.below(q) > 0)
            for (column_t j = 0; j < s_.width(q); j += size_.sums)
                all_.sums.push_back({q, j, step.columns});
        step.columns += s_.width(q);
        step.width = std::max(step.width, s_.width(q));
    }

    const supernodes& s_;
    const sweep_sizes size_;
    const fronts fronts_;
    sweep_tasks all_;
};

}  // namespace

sweep_tasks sweep_tasks_of(const supernodes& s, const sweep_sizes& size)
{
    return sweep_lists(s, size).run();
}

}  // namespace ddla::factor
