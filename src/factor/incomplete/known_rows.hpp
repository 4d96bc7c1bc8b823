// Incomplete factors of a known pattern: rows in order by one thread, or level by level by several.
//
// A row needs rows of earlier levels alone, so its bits depend on no order.  What is told of the
// first row with a bad pivot, or of the row that passes a limit, needs all rows before that row
// only; so later ones are left out once it is known, and counts stop there.
#pragma once

#include "row_factors.hpp"

#include "factor/first_error.hpp"

#include <mutex>

namespace ddla::factor::detail {

/// What a row comes to, but for its entries.
template <scalar F>
struct row_end {
    F pivot;
    double largest = 0;  ///< tiny pivots are so beside it
    double bad_part_of = 0, bad_part_to = 0;
    index_t operations = 0;
    bool is_finite = true;  ///< the entries

    double bad_part() const { return bad_part_to > 0 ? bad_part_of / bad_part_to : 0; }
};

/// Row: row_end<F> of (row, working_row), which writes the entries, whose places are known.
template <scalar F, class Row>
class known_rows {
public:
    known_rows(const Row& row, bool has_long_rows, const incomplete_options& o, row_factors<F>& f)
        : row_(row), o_(o), f_(f), n_(f.lower.rows()), elements_of_work_(has_long_rows ? n_ : 0)
    {
        index_t row_within = 0;
        for (index_t more = n_; row_within < more;) {
            const index_t middle = (row_within + more) / 2;
            if (f_.bytes_until(middle) > o.most_bytes)
                more = middle;
            else
                row_within = middle + 1;
        }
        memory_row_ = row_within;
    }

    void in_order()
    {
        working_row<F> work(elements_of_work_);
        each_row(n_, [&](column_t i) {
            const row_end<F> r = row_(i, work);
            f_.operations += static_cast<double>(r.operations);
            f_.is_finite &= r.is_finite;
            return finish(i, r);
        });
    }

    void by_levels(const level_sets& levels)
    {
        operations_.assign(as_size(n_), 0);
        const index_t entries = f_.lower.entries() + f_.upper.entries() + n_;
        const index_t least = std::max<index_t>(1, o_.run.work() * n_ / entries);
        std::vector<working_row<F>> work(as_size(workers()), working_row<F>(elements_of_work_));
        last_ = std::min(memory_row_, n_ - 1);
        index_t done = 0;
        for (index_t l = 0; l < levels.levels(); ++l) {
            const column_t* const rows = levels.row.data() + levels.begin[as_size(l)];
            const column_t* const end = levels.row.data() + levels.begin[as_size(l) + 1];
            const index_t count =
                last_ < n_ - 1 ? std::upper_bound(rows, end, last_) - rows : end - rows;
            do_level(rows, count, least, work);
            last_ = std::min(last_, failed_.load() / 2);
            leave_out_work_beyond_limit();
            if (!look(done, done + count)) return;
            done += count;
        }
        tell();
    }

private:
    static constexpr index_t none = std::numeric_limits<index_t>::max();

    bool finish(column_t i, const row_end<F>& r)
    {
        if (!isfinite(r.pivot)) return f_.end_at(i, factor_end::not_finite, false);
        const kept_pivot<F> kept(r.pivot, r.largest, o_);
        if (kept.is_bad) {
            if (f_.bad_row < 0) {
                f_.bad_row = i;
                f_.bad_part = r.bad_part();
            }
            if (o_.pivots == bad_pivots::refuse) return f_.end_at(i, factor_end::bad_pivot, false);
            ++f_.shifts;
        }
        f_.pivot.set(i, kept.value);
        if (f_.operations > o_.most_operations) return f_.end_at(i, factor_end::over_work, true);
        if (i == memory_row_) return f_.end_at(i, factor_end::over_memory, true);
        if (!goes_on(o_, f_.steps_before + i + 1, f_.steps_before + n_))
            return f_.end_at(i, factor_end::stopped, true);
        return true;
    }

    /// Working rows take no more memory than the factors.
    index_t workers() const
    {
        constexpr index_t chunks_of_thread = 4;
        if (elements_of_work_ == 0) return chunks_of_thread * o_.run.threads();
        const auto bytes = static_cast<std::int64_t>(sizeof(F) + sizeof(column_t)) * n_;
        return std::clamp<index_t>(f_.bytes() / bytes, 1, o_.run.threads());
    }
    void do_level(const column_t* rows, index_t count, index_t least,
                  std::vector<working_row<F>>& work)
    {
        const index_t chunks =
            std::clamp<index_t>(count / least, 1, static_cast<index_t>(work.size()));
        o_.run.each(chunks, [&](index_t c) {
            index_t operations = 0;
            const auto part = [&](index_t begin, index_t end) {
                for (index_t k = begin; k < end; ++k)
                    operations += do_row(rows[k], work[as_size(c)]);
            };
            problem_.guard([&] {  // a watch of the caller may throw: its thread does chunks, too
                host_backend::in_isa_with_fma(part, count * c / chunks, count * (c + 1) / chunks);
            });
            done_operations_ += operations;
        });
        problem_.rethrow();
    }
    index_t do_row(column_t i, working_row<F>& work)
    {
        const row_end<F> r = row_(i, work);
        operations_[as_size(i)] = r.operations;
        if (!r.is_finite) is_finite_ = false;
        if (!isfinite(r.pivot)) {
            fail(2 * index_t{i});
            return r.operations;
        }
        const kept_pivot<F> kept(r.pivot, r.largest, o_);
        if (kept.is_bad) {
            note_bad(i, r.bad_part());
            if (o_.pivots == bad_pivots::refuse) fail(2 * index_t{i} + 1);
            operations_[as_size(i)] = -1 - r.operations;
        }
        f_.pivot.set(i, kept.value);
        return r.operations;
    }
    /// The first row that fails: twice its number, and 1 for a bad pivot.
    void fail(index_t row_and_why)
    {
        for (index_t first = failed_;
             row_and_why < first && !failed_.compare_exchange_weak(first, row_and_why);) {
        }
    }
    void note_bad(column_t i, double part)
    {
        const std::lock_guard lock(bad_guard_);
        if (bad_row_ >= 0 && bad_row_ < i) return;
        bad_row_ = i;
        bad_part_ = part;
    }
    index_t operations_of(index_t i) const
    {
        return operations_[as_size(i)] < 0 ? -1 - operations_[as_size(i)] : operations_[as_size(i)];
    }
    /// Rows behind the one that passes the limit for sure.
    void leave_out_work_beyond_limit()
    {
        constexpr double worth_a_look = 1.25;
        const auto done = static_cast<double>(done_operations_.load());
        if (!(done > o_.most_operations) || done <= worth_a_look * looked_at_) return;
        double sum = 0;
        index_t i = 0;
        while (i < last_ && (sum += static_cast<double>(operations_of(i))) <= o_.most_operations)
            ++i;
        last_ = i;
        looked_at_ = sum;
        done_operations_ = static_cast<index_t>(sum);
    }
    bool look(index_t before, index_t done)
    {
        constexpr index_t rows_between_looks = 256;
        if (!o_.watch || before / rows_between_looks == done / rows_between_looks) return true;
        if (o_.watch(static_cast<double>(f_.steps_before + done) /
                     static_cast<double>(f_.steps_before + n_)))
            return true;
        return f_.end_at(0, factor_end::stopped, false);
    }
    /// What the rows would have told one after the other.
    void tell()
    {
        f_.is_finite = is_finite_;
        index_t i = 0;
        for (bool goes = true; goes && i < n_; ++i) goes = tell_row(i);
        if (bad_row_ >= 0 && bad_row_ < i) {
            f_.bad_row = bad_row_;
            f_.bad_part = bad_part_;
        }
    }
    bool tell_row(index_t i)
    {
        f_.operations += static_cast<double>(operations_of(i));
        if (i == failed_ / 2)
            return f_.end_at(i, failed_ % 2 ? factor_end::bad_pivot : factor_end::not_finite,
                             false);
        f_.shifts += operations_[as_size(i)] < 0;
        if (f_.operations > o_.most_operations) return f_.end_at(i, factor_end::over_work, true);
        if (i == memory_row_) return f_.end_at(i, factor_end::over_memory, true);
        return true;
    }

    const Row& row_;
    const incomplete_options& o_;
    row_factors<F>& f_;
    index_t n_, elements_of_work_;
    index_t memory_row_ = 0;  ///< the first that passes the limit of memory
    // By levels:
    index_t last_ = 0;                 ///< rows behind it are left out
    std::vector<index_t> operations_;  ///< of each row; of one with a bad pivot -1 minus that
    std::atomic<index_t> done_operations_ = 0, failed_ = none;
    std::atomic<bool> is_finite_ = true;
    double looked_at_ = 0;
    std::mutex bad_guard_;
    first_error problem_;
    column_t bad_row_ = -1;
    double bad_part_ = 0;
};

/// Levels of both halves of a square pattern; `lower` and `upper` say where rows of the halves
/// begin.
template <class Offsets>
half_levels levels_of_halves(index_t n, const Offsets& begin, const column_t* column,
                             const unfilled<index_t>& lower, const unfilled<index_t>& upper,
                             const chunk_runner& run)
{
    std::array<std::vector<column_t>, 2> level = {std::vector<column_t>(as_size(n)),
                                                  std::vector<column_t>(as_size(n))};
    std::array<column_t, 2> levels = {0, 0};
    run.each(2, [&](index_t half) {
        const bool is_lower = half == 0;
        std::vector<column_t>& mine = level[as_size(half)];
        for (index_t step = 0; step < n; ++step) {
            const index_t i = is_lower ? step : n - 1 - step;
            const index_t first =
                is_lower ? begin[i] : begin[i + 1] - (upper[as_size(i) + 1] - upper[as_size(i)]);
            const index_t last =
                is_lower ? begin[i] + lower[as_size(i) + 1] - lower[as_size(i)] : begin[i + 1];
            column_t l = 0;
            for (index_t k = first; k < last; ++k) l = std::max(l, mine[as_size(column[k])] + 1);
            mine[as_size(i)] = l;
            levels[as_size(half)] = std::max(levels[as_size(half)], l + 1);
        }
    });
    half_levels sets;
    const std::array<level_sets*, 2> both = {&sets.lower, &sets.upper};
    std::array<std::vector<index_t>, 2> next;
    for (std::size_t half = 0; half < 2; ++half) {
        both[half]->begin.assign(as_size(levels[half]) + 1, 0);
        both[half]->row.resize(as_size(n));
        next[half].resize(as_size(levels[half]) + 1);
    }
    run.each(2, [&](index_t half) {
        level_sets& mine = *both[as_size(half)];
        for (const column_t l : level[as_size(half)]) ++mine.begin[as_size(l) + 1];
        std::partial_sum(mine.begin.begin(), mine.begin.end(), mine.begin.begin());
        std::copy(mine.begin.begin(), mine.begin.end(), next[as_size(half)].begin());
        for (index_t i = 0; i < n; ++i)
            mine.row[as_size(next[as_size(half)][as_size(level[as_size(half)][as_size(i)])]++)] =
                static_cast<column_t>(i);
    });
    return sets;
}

}  // namespace ddla::factor::detail
