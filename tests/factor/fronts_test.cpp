// Fronts and their tasks: followed in their order, each entry takes all of its updates, one after
// the other, by columns that are complete.
#include "catch.hpp"
#include "definite_systems.hpp"

#include "factor/fronts/front_tasks.hpp"
#include "factor/fronts/sweep_tasks.hpp"
#include "factor/supernodal/kernels/kernels.hpp"

#include <map>
#include <numeric>

using namespace ddla::factor;
using ddla::column_t;
using ddla::index_t;

namespace {

supernodes in_natural_order(const ddla::test::edges& e)
{
    std::vector<column_t> order(e.rows.size());
    std::iota(order.begin(), order.end(), 0);
    return supernodes_of(e.graph(), order);
}

std::vector<supernodes> many_kinds()
{
    using namespace ddla::test;
    std::vector<supernodes> all;
    for (const edges& e : {grid(9, 8, 1), grid(6, 5, 4), grid(4, 4, 3, true, 3), star(40), path(60),
                           complete(300), with_dense_column(90), test::full_parts(), edges(5)})
        all.push_back(in_natural_order(e));
    return all;
}

using tile_place = std::tuple<column_t, column_t, column_t>;  // supernode, row-block, column

/// One triangle, and which updates each of its tiles has taken.
class triangle_at_work {
public:
    triangle_at_work(const supernodes& s, const task_sizes& size) : s_(s), size_(size) {}

    void take(const factor_tasks& tasks, const ranges_by_size& some,
              const std::vector<char>& complete)
    {
        take(tasks, some.small, true, complete);
        take(tasks, some.large, false, complete);
    }
    void take(const factor_tasks& tasks, const task_range& some, bool are_small,
              const std::vector<char>& complete)
    {
        for (index_t k = some.begin; k < some.end; ++k) {
            const tile_task& t = tasks.tiles[as_size(k)];
            auto [taken, is_new] = taken_.try_emplace({t.supernode, t.block, t.column},
                                                      s_.update_begin[as_size(t.supernode)]);
            wrong += t.begin != taken->second || t.end <= t.begin ? 1 : 0;
            taken->second = t.end;
            const bool before = small_.try_emplace(t.supernode, are_small).first->second;
            wrong += are_small == before && (are_small || s_.width(t.supernode) > 8) ? 0 : 1;
            for (index_t u = t.begin; u < t.end; ++u)
                wrong += complete[as_size(s_.updates[as_size(u)].from)] != 0 ? 0 : 1;
        }
    }
    /// Whether rows from row-block `first_block` on have taken all, but those above their column.
    bool is_updated(column_t q, column_t first_block, bool above)
    {
        const index_t begin = s_.update_begin[as_size(q)], end = s_.update_begin[as_size(q) + 1];
        const auto blocks =
            static_cast<column_t>(row_blocks(s_.width(q)) + row_blocks(s_.below(q)));
        for (column_t c = 0; c < s_.width(q); ++c)
            for (column_t b = above ? first_block : std::max(first_block, c / 8); b < blocks; ++b)
                if (begin < end && last_update(q, b, c) != end) return false;
        return true;
    }

    int wrong = 0;

private:
    index_t last_update(column_t q, column_t block, column_t column) const
    {
        for (const auto& [place, end] : taken_) {
            const auto [supernode, b, c] = place;
            const tile_size& size = small_.at(q) ? size_.small : size_.large;
            if (supernode == q && b <= block && block < b + size.blocks && c <= column &&
                column < c + size.columns)
                return end;
        }
        return -1;
    }

    const supernodes& s_;
    const task_sizes size_;
    std::map<tile_place, index_t> taken_;
    std::map<column_t, bool> small_;
};

/// What goes wrong when the tasks are done in their order.
int faults_of(const supernodes& s, triangles what)
{
    const task_sizes size{{1, 8, 1}, {2, 16, 2}, 3, 4, 2, 3, 40};
    const factor_tasks tasks = tasks_of(s, size, what);
    triangle_at_work lower(s, size), upper(s, size);
    std::vector<char> complete(as_size(s.size()), 0);
    const auto update = [&](const update_ranges& u) {
        lower.take(tasks, u.lower, complete);
        upper.take(tasks, u.upper, complete);
    };
    const bool both = what == triangles::both;
    int wrong = 0;
    for (const level_tasks& level : tasks.levels) {
        update(level.gathers);
        for (const front_step& step : level.steps) {
            std::vector<column_t> rows(as_size(s.size()), 0);
            for (index_t k = step.rows.small.begin; k < step.rows.large.end; ++k) {
                const rows_task& r = tasks.rows[as_size(k)];
                const bool is_wide = s.width(r.supernode) > size.small.columns;
                wrong += (k < step.rows.small.end) == is_wide ? 1 : 0;
                wrong += r.block == rows[as_size(r.supernode)] ? 0 : 1;
                rows[as_size(r.supernode)] +=
                    is_wide && what == triangles::definite ? size.divided_definite : size.divided;
            }
            for (index_t k = step.diagonals.small.begin; k < step.diagonals.large.end; ++k) {
                const column_t q = tasks.diagonals[as_size(k)];
                const auto own = static_cast<column_t>(row_blocks(s.width(q)));
                wrong += complete[as_size(q)] != 0 || s.width(q) > step.width ? 1 : 0;
                wrong += (k < step.diagonals.small.end) == (s.width(q) <= 8) ? 0 : 1;
                wrong += lower.is_updated(q, 0, both) ? 0 : 1;
                wrong += !both || upper.is_updated(q, own, true) ? 0 : 1;
                wrong += rows[as_size(q)] >= row_blocks(s.below(q)) ? 0 : 1;
                complete[as_size(q)] = 1;
            }
            update(step.updates);
        }
    }
    wrong += static_cast<int>(std::count(complete.begin(), complete.end(), 0));
    return wrong + lower.wrong + upper.wrong;
}

/// Which unknowns a solve has found, as its tasks are followed in their order.
class solve_at_work {
public:
    solve_at_work(const supernodes& s, const sweep_sizes& size)
        : s_(s), size_(size), tasks_(sweep_tasks_of(s, size)), found_(as_size(s.size()), 0),
          taken_(as_size(s.columns()))
    {
    }

    int faults()
    {
        for (const sweep_level& level : tasks_.levels) {
            gather(level.unknowns);
            for (const panel_step& step : level.steps) forwards(step);
        }
        wrong_ += static_cast<int>(std::count(found_.begin(), found_.end(), 0));
        for (auto level = tasks_.levels.rbegin(); level != tasks_.levels.rend(); ++level)
            for (auto step = level->steps.rbegin(); step != level->steps.rend(); ++step)
                backwards(*step);
        wrong_ += static_cast<int>(std::count(found_.begin(), found_.end(), 1));
        return wrong_;
    }

private:
    /// Supernodes with row i, ascending, that are outside of its front.
    std::vector<column_t> outside(column_t i) const
    {
        const column_t q = s_.of_column[as_size(i)];
        std::vector<column_t> from;
        for (index_t u = s_.update_begin[as_size(q)]; u < s_.update_begin[as_size(q) + 1]; ++u) {
            const supernode_update& update = s_.updates[as_size(u)];
            const column_t* const rows = s_.rows(update.from);
            if (s_.first[as_size(update.from)] < tasks_.front_begin[as_size(q)] &&
                std::binary_search(rows + update.begin, rows + update.end, i))
                from.push_back(update.from);
        }
        return from;
    }
    void gather(const task_range& unknowns)
    {
        for (index_t k = unknowns.begin; k < unknowns.end; ++k) {
            const column_t i = tasks_.unknowns[as_size(k)];
            wrong_ += taken_[as_size(i)].empty() ? 0 : 1;
            taken_[as_size(i)] = outside(i);
            for (const column_t q : taken_[as_size(i)]) wrong_ += found_[as_size(q)] ? 0 : 1;
        }
    }
    /// All supernodes with row i, in their order, have updated it.
    bool is_updated(column_t i) const
    {
        std::vector<column_t> all;
        for (column_t q = 0; q < s_.of_column[as_size(i)]; ++q)
            if (std::binary_search(s_.rows(q), s_.rows(q) + s_.below(q), i)) all.push_back(q);
        return taken_[as_size(i)] == all;
    }
    void find(column_t q)
    {
        wrong_ += found_[as_size(q)] ? 1 : 0;
        for (column_t i = s_.first[as_size(q)]; i < s_.first[as_size(q) + 1]; ++i)
            wrong_ += is_updated(i) ? 0 : 1;
        found_[as_size(q)] = 1;
    }
    void forwards(const panel_step& step)
    {
        for (index_t k = step.narrow.begin; k < step.narrow.end; ++k) {
            const column_t q = tasks_.narrow[as_size(k)];
            wrong_ += s_.width(q) <= size_.narrow ? 0 : 1;
            wrong_ += tasks_.front_end[as_size(q)] == s_.first[as_size(q) + 1] ? 0 : 1;
            find(q);
        }
        // Its blocks read unknowns of its panels: none of them updates one.
        for (index_t k = step.forward.begin; k < step.forward.end; ++k)
            if (tasks_.forward[as_size(k)].first == 0) find(tasks_.forward[as_size(k)].supernode);
        for (index_t k = step.forward.begin; k < step.forward.end; ++k) update(k);
    }
    void update(index_t task)
    {
        const forward_task& t = tasks_.forward[as_size(task)];
        const column_t end = std::min(t.first + size_.rows, in_front(t.supernode));
        for (column_t r = t.first; r < end; ++r) {
            const column_t i = s_.rows(t.supernode)[r];
            wrong_ += found_[as_size(s_.of_column[as_size(i)])] ? 1 : 0;
            taken_[as_size(i)].push_back(t.supernode);
        }
    }
    column_t in_front(column_t q) const
    {
        return tasks_.front_end[as_size(q)] - s_.first[as_size(q) + 1];
    }
    void backwards(const panel_step& step)
    {
        std::vector<column_t> summed(as_size(step.columns), 0);
        for (index_t k = step.sums.begin; k < step.sums.end; ++k) {
            const sums_task& t = tasks_.sums[as_size(k)];
            check_rows(t.supernode);
            for (column_t j = t.column; j < std::min(t.column + size_.sums, s_.width(t.supernode));
                 ++j)
                ++summed[as_size(t.at + j)];
        }
        for (index_t k = step.wide.begin; k < step.wide.end; ++k) {
            const auto [q, column, at] = tasks_.wide[as_size(k)];
            for (column_t j = 0; j < s_.width(q); ++j)
                wrong_ += summed[as_size(at + j)] == (s_.below(q) > 0 ? 1 : 0) ? 0 : 1;
            wrong_ += column == 0 && s_.width(q) <= step.width ? 0 : 1;
            wrong_ += found_[as_size(q)] == 1 ? 0 : 1;
        }
        for (index_t k = step.narrow.begin; k < step.narrow.end; ++k)
            check_rows(tasks_.narrow[as_size(k)]);
        for (index_t k = step.wide.begin; k < step.wide.end; ++k)
            found_[as_size(tasks_.wide[as_size(k)].supernode)] = 2;
        for (index_t k = step.narrow.begin; k < step.narrow.end; ++k)
            found_[as_size(tasks_.narrow[as_size(k)])] = 2;
        wrong_ += step.columns <= tasks_.most_columns ? 0 : 1;
    }
    /// The unknowns of rows below have been found.
    void check_rows(column_t q)
    {
        for (column_t k = 0; k < s_.below(q); ++k)
            wrong_ += found_[as_size(s_.of_column[as_size(s_.rows(q)[k])])] == 2 ? 0 : 1;
    }

    const supernodes& s_;
    const sweep_sizes size_;
    const sweep_tasks tasks_;
    std::vector<int> found_;  ///< 1: forwards, 2: backwards
    std::vector<std::vector<column_t>> taken_;
    int wrong_ = 0;
};

}  // namespace

TEST_CASE("tasks of solves find every unknown once, after what it needs", "[factor][fronts]")
{
    int wide = 0, narrow = 0, chains = 0;
    for (const supernodes& s : many_kinds()) {
        CAPTURE(s.columns());
        const sweep_sizes size{8, 16, 8};
        CHECK(solve_at_work(s, size).faults() == 0);
        CHECK(solve_at_work(s, {most_panel_columns, 16, 8}).faults() == 0);
        const sweep_tasks tasks = sweep_tasks_of(s, size);
        wide += tasks.wide.empty() ? 0 : 1;
        narrow += tasks.narrow.empty() ? 0 : 1;
        for (const sweep_level& level : tasks.levels) chains += level.steps.size() > 1 ? 1 : 0;
    }
    CHECK(wide > 2);
    CHECK(narrow > 4);
    CHECK(chains >= 2);
}

TEST_CASE("tasks of fronts update every entry in order", "[factor][fronts]")
{
    int wide = 0;
    for (const supernodes& s : many_kinds()) {
        CAPTURE(s.columns());
        CHECK(faults_of(s, triangles::definite) == 0);
        CHECK(faults_of(s, triangles::symmetric) == 0);
        CHECK(faults_of(s, triangles::both) == 0);
        wide += fronts_of(s).first.size() - 1 < as_size(s.size()) ? 1 : 0;
    }
    CHECK(wide == 2);  // fronts of several supernodes: the complete graph, and full parts
}

TEST_CASE("a front is a chain, and levels rise along the tree", "[factor][fronts]")
{
    for (const supernodes& s : many_kinds()) {
        const fronts f = fronts_of(s);
        std::vector<column_t> level(f.first.size() - 1, -1), front(as_size(s.size()));
        for (column_t l = 0; l < f.levels(); ++l)
            for (column_t k = f.level_begin[as_size(l)]; k < f.level_begin[as_size(l) + 1]; ++k)
                level[as_size(f.by_level[as_size(k)])] = l;
        CHECK(std::count(level.begin(), level.end(), -1) == 0);
        for (std::size_t k = 0; k + 1 < f.first.size(); ++k)
            for (column_t q = f.first[k]; q < f.first[k + 1]; ++q) {
                front[as_size(q)] = static_cast<column_t>(k);
                if (q + 1 == f.first[k + 1]) continue;
                const std::vector<column_t> mine(s.rows(q), s.rows(q) + s.below(q));
                std::vector<column_t> next(as_size(s.width(q + 1)));
                std::iota(next.begin(), next.end(), s.first[as_size(q) + 1]);
                next.insert(next.end(), s.rows(q + 1), s.rows(q + 1) + s.below(q + 1));
                CHECK(mine == next);
            }
        for (column_t q = 0; q < s.size(); ++q)
            for (index_t u = s.update_begin[as_size(q)]; u < s.update_begin[as_size(q) + 1]; ++u) {
                const column_t from = front[as_size(s.updates[as_size(u)].from)];
                if (from != front[as_size(q)])
                    CHECK(level[as_size(from)] < level[as_size(front[as_size(q)])]);
            }
    }
}
