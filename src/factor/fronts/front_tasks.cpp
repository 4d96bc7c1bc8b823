// Lists of tasks, from supernodes alone.
#include "front_tasks.hpp"

#include "factor/supernodal/llt_values.hpp"

#include <algorithm>

namespace ddla::factor {

namespace {

class task_lists {
public:
    task_lists(const supernodes& s, const task_sizes& size, triangles what)
        : s_(s), size_(size), what_(what), fronts_(fronts_of(s))
    {
    }

    factor_tasks run()
    {
        all_.bounds_begin.assign(as_size(s_.size()), 0);
        has_small_tiles_.assign(as_size(s_.size()), 0);
        for (column_t l = 0; l < fronts_.levels(); ++l) {
            all_.levels.emplace_back();
            choose_tiles(l);
            add_bounds(l);
            add_gathers(l);
            for (column_t k = 0; add_step(l, k); ++k) {
            }
        }
        return std::move(all_);
    }

private:
    /// f(supernode, the first one of its front)
    template <class Do>
    void each_supernode(column_t level, const Do& f) const
    {
        fronts_.each(level, [&](column_t first, column_t last) {
            for (column_t q = first; q < last; ++q) f(q, first);
        });
    }
    /// Updates of supernode q from outside of a front.
    task_range outside(column_t q, column_t first) const
    {
        return {s_.update_begin[as_size(q)], s_.update_begin[as_size(q) + 1] - (q - first)};
    }
    index_t bounds_of(column_t level) const
    {
        index_t count = 0;
        each_supernode(level, [&](column_t q, column_t first) {
            count += outside(q, first).size() * (units(q) + 1);
        });
        return count;
    }
    /// With those of lower levels, unless that is too much.
    void add_bounds(column_t level)
    {
        const index_t count = bounds_of(level);
        if (level == 0 || bounds_together_ + count > size_.most_bounds) {
            bounds_from_ = as_size(level);
            all_.levels.back().bounds.begin = size_of(all_.bounds);
            bounds_together_ = 0;
        }
        each_supernode(level, [&](column_t q, column_t first) {
            const task_range updates = outside(q, first);
            all_.levels.back().operations += s_.operations(q);
            all_.bounds_begin[as_size(q)] = bounds_together_;
            bounds_together_ += updates.size() * (units(q) + 1);
            for (index_t u = updates.begin; u < updates.end; u += size_.bounded)
                all_.bounds.push_back(
                    {q, static_cast<column_t>(std::min<index_t>(size_.bounded, updates.end - u)),
                     size_of_tiles(q).unit, u});
        });
        all_.levels[bounds_from_].bounds.end = size_of(all_.bounds);
        all_.most_bounds = std::max(all_.most_bounds, bounds_together_);
    }
    void add_gathers(column_t level)
    {
        level_tasks& now = all_.levels.back();
        now.gathers = each_triangle([&](bool is_lower, bool are_small) {
            each_supernode(level, [&](column_t q, column_t first) {
                const task_range updates = outside(q, first);
                if (updates.size() > 0 && has_small_tiles(q) == are_small)
                    add_tiles({q, 0, 0, false, updates.begin, updates.end}, is_lower);
            });
        });
    }
    /// Whether a front has a k-th supernode.
    bool add_step(column_t level, column_t k)
    {
        front_step step;
        step.diagonals = by_size(all_.diagonals, [&](bool are_small) {
            task_range& rows = are_small ? step.rows.small : step.rows.large;
            rows.begin = size_of(all_.rows);
            fronts_.each(level, [&](column_t first, column_t last) {
                if (first + k >= last || is_narrow(first + k) != are_small) return;
                add_panel(first + k);
                step.width = std::max(step.width, s_.width(first + k));
            });
            rows.end = size_of(all_.rows);
        });
        if (step.width == 0) return false;
        step.updates = each_triangle([&](bool is_lower, bool are_small) {
            fronts_.each(level, [&](column_t first, column_t last) {
                const column_t p = first + k;
                for (column_t q = p + 1; q < last; ++q) {
                    const index_t at = s_.update_begin[as_size(q) + 1] - (q - p);
                    if (has_small_tiles(q) == are_small)
                        add_tiles({q, 0, 0, true, at, at + 1}, is_lower);
                }
            });
        });
        all_.levels.back().steps.push_back(step);
        return true;
    }
    bool is_narrow(column_t q) const { return s_.width(q) <= size_.small.columns; }
    const tile_size& size_of_tiles(column_t q) const
    {
        return has_small_tiles(q) ? size_.small : size_.large;
    }
    bool has_small_tiles(column_t q) const { return has_small_tiles_[as_size(q)] != 0; }
    void choose_tiles(column_t level)
    {
        index_t large = 0;
        each_supernode(level, [&](column_t q, column_t first) {
            if (is_narrow(q) || outside(q, first).size() == 0) return;
            const index_t across = (s_.width(q) + size_.large.columns - 1) / size_.large.columns;
            large += across * ((blocks(q) + size_.large.blocks - 1) / size_.large.blocks);
        });
        each_supernode(level, [&](column_t q, column_t) {
            has_small_tiles_[as_size(q)] = is_narrow(q) || large < size_.few ? 1 : 0;
        });
    }
    index_t blocks(column_t q) const { return row_blocks(s_.width(q)) + row_blocks(s_.below(q)); }
    index_t units(column_t q) const
    {
        const column_t unit = size_of_tiles(q).unit;
        return (blocks(q) + unit - 1) / unit;
    }
    void add_panel(column_t p)
    {
        all_.diagonals.push_back(p);
        const auto below = static_cast<column_t>(row_blocks(s_.below(p)));
        const bool follow = what_ == triangles::definite && !is_narrow(p);
        const column_t each = follow ? size_.divided_definite : size_.divided;
        for (column_t b = 0; b < below; b += each) all_.rows.push_back({p, b});
    }
    /// add(are_small) to a list.
    template <class Task, class Add>
    static ranges_by_size by_size(const std::vector<Task>& tasks, const Add& add)
    {
        ranges_by_size r;
        r.small.begin = size_of(tasks);
        add(true);
        r.small.end = r.large.begin = size_of(tasks);
        add(false);
        r.large.end = size_of(tasks);
        return r;
    }
    /// add(is_lower, are_small) for both triangles, if there are two.
    template <class Add>
    update_ranges each_triangle(const Add& add)
    {
        update_ranges ranges;
        ranges.lower = by_size(all_.tiles, [&](bool are_small) { add(true, are_small); });
        if (what_ == triangles::both)
            ranges.upper = by_size(all_.tiles, [&](bool are_small) { add(false, are_small); });
        return ranges;
    }
    /// All tiles of the supernode of a task.
    void add_tiles(tile_task t, bool is_lower)
    {
        const column_t q = t.supernode, w = s_.width(q);
        const tile_size& size = size_of_tiles(q);
        const auto own = static_cast<column_t>(row_blocks(w));
        const index_t end = blocks(q);
        for (t.column = 0; t.column < w; t.column += size.columns) {
            t.block = what_ != triangles::both ? t.column / 8 : is_lower ? 0 : own;
            t.block -= t.block % size.unit;
            for (; t.block < end; t.block += size.blocks) all_.tiles.push_back(t);
        }
    }
    template <class Task>
    static index_t size_of(const std::vector<Task>& tasks)
    {
        return static_cast<index_t>(tasks.size());
    }

    const supernodes& s_;
    const task_sizes size_;
    const triangles what_;
    const fronts fronts_;
    std::vector<char> has_small_tiles_;
    std::size_t bounds_from_ = 0;  ///< the level that has the bounds of these ones, too …
    index_t bounds_together_ = 0;  ///< … and their number
    factor_tasks all_;
};

}  // namespace

factor_tasks tasks_of(const supernodes& s, const task_sizes& size, triangles what)
{
    return task_lists(s, size, what).run();
}

}  // namespace ddla::factor
