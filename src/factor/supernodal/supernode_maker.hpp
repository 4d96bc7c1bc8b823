// A factorisation by supernodes: left-looking, a supernode is updated by lower ones in ascending
// order, in chunks of rows that stay in the second cache.
//
// Chunks do not need each other, and subtrees of the elimination tree neither: threads share both,
// and no sum is ever split.  The rules that fix the bits are in docs/factorisation.md.
#pragma once

#include "llt_values.hpp"

#include "factor/chunks.hpp"
#include "factor/columns.hpp"
#include "factor/first_error.hpp"
#include "factor/unfilled.hpp"

#include <atomic>

namespace ddla::factor {

/// Rows that supernodes are made of: of L, or of U^T.
template <scalar F>
struct supernode_side {
    const sparse_columns<F>& a;    ///< their entries, by columns, in the order of elimination
    llt_values<F>& values;         ///< memory is there
    const llt_values<F>& columns;  ///< what they are multiplied by
    void (*update)(const supernode_product&);
    bool has_diagonal, is_square;  ///< the diagonal block is gathered; also above its diagonal
};

/// What is common to factorisations by supernodes; each says what it does with a diagonal block.
template <scalar F>
class supernode_maker {
public:
    supernode_maker(const supernodes& s, std::vector<supernode_side<F>> sides,
                    const chunk_runner& run, std::atomic<double>& done)
        : s_(s), sides_(std::move(sides)), run_(run), done_(done)
    {
    }
    virtual ~supernode_maker() = default;
    supernode_maker(const supernode_maker&) = delete;
    supernode_maker& operator=(const supernode_maker&) = delete;

    /// The first column without a pivot, or -1.
    column_t run()
    {
        const auto threads = static_cast<std::size_t>(std::max(1, run_.threads()));
        for (std::size_t t = 0; t < threads; ++t) workers_.emplace_back(as_size(s_.columns()));
        if (threads == 1) {
            for (column_t q = 0; q < s_.size() && failed_ < 0; ++q)
                failed_ = make_supernode(q, workers_[0]);
            return failed_;
        }
        find_subtrees(static_cast<double>(threads));
        do_subtrees();
        for (std::size_t k = 0; k < top_.size() && failed_ < 0; ++k) do_by_all(top_[k]);
        return failed_;
    }

protected:
    static constexpr index_t size = doubles_of_line<F>;
    /// What a thread has of its own.
    struct worker {
        explicit worker(std::size_t n) : place_of_row(n) {}
        std::vector<index_t> place_of_row;  ///< in the supernode at work, of its rows
        std::vector<lane_places> place;
        std::vector<index_t> lists;
        unfilled<double> columns;  ///< for set_columns
    };

    /// Returns the first column of the supernode without a pivot, or -1.
    virtual column_t factor_diagonal(column_t q) = 0;
    /// Row-blocks below the diagonal block, once that is factored.
    virtual void divide(column_t q, index_t begin, index_t end) = 0;
    /// Where rows are multiplied by others than are stored.
    virtual void set_columns(const supernode_update&, worker&, supernode_product&) {}

    const supernodes& s_;
    const std::vector<supernode_side<F>> sides_;

private:
    /// Rows, by their place in a supernode: those of its columns, then those below.
    struct chunk {
        index_t begin, end;
    };

    // ---- What threads share --------------------------------------------------------------------

    /// About nanoseconds.
    double work_of(column_t q) const
    {
        constexpr double in_dd = words_of<F> == 1 ? 1 : 8;
        return in_dd * s_.operations(q) / 16 + 20.0 * s_.width(q);
    }
    /// Subtrees of about equal work, the largest first; what is above them is for all.
    void find_subtrees(double threads)
    {
        std::vector<double> work(as_size(s_.size()), 0);
        std::vector<column_t> lowest(as_size(s_.size()));
        double all = 0;
        for (column_t q = 0; q < s_.size(); ++q) lowest[as_size(q)] = q;
        for (column_t q = 0; q < s_.size(); ++q) {
            all += work_of(q);
            work[as_size(q)] += work_of(q);
            const column_t p = s_.parent[as_size(q)];
            if (p < 0) continue;
            work[as_size(p)] += work[as_size(q)];
            lowest[as_size(p)] = std::min(lowest[as_size(p)], lowest[as_size(q)]);
        }
        const double most = all / (16 * threads);
        for (column_t q = 0; q < s_.size(); ++q) {
            const column_t p = s_.parent[as_size(q)];
            if (work[as_size(q)] > most)
                top_.push_back(q);
            else if (p < 0 || work[as_size(p)] > most)
                subtrees_.push_back({lowest[as_size(q)], q, work[as_size(q)]});
        }
        std::stable_sort(subtrees_.begin(), subtrees_.end(),
                         [](const subtree& x, const subtree& y) { return x.work > y.work; });
    }
    void do_subtrees()
    {
        first_error error;
        std::atomic<std::size_t> next{0};
        std::atomic<column_t> failed{s_.columns()};
        run_.each(static_cast<index_t>(workers_.size()), [&](index_t t) {
            error.guard([&] {
                for (std::size_t k; (k = next++) < subtrees_.size() && !error.is_there();)
                    do_subtree(subtrees_[k], workers_[as_size(t)], error, failed);
            });
        });
        error.rethrow();
        if (failed < s_.columns()) failed_ = failed;
    }
    struct subtree {
        column_t first, last;
        double work;
    };
    /// The lowest column that fails is that of one thread.
    void do_subtree(const subtree& t, worker& me, const first_error& error,
                    std::atomic<column_t>& failed)
    {
        for (column_t q = t.first; q <= t.last && s_.first[as_size(q)] < failed; ++q) {
            if (error.is_there()) return;
            const column_t bad = make_supernode(q, me);
            if (bad < 0) continue;
            column_t lowest = failed;
            while (bad < lowest && !failed.compare_exchange_weak(lowest, bad)) {
            }
            return;
        }
    }
    void do_by_all(column_t q)
    {
        const index_t chunks = chunks_of(q, run_.threads());
        const auto threads = static_cast<index_t>(workers_.size());
        first_error error;
        std::atomic<index_t> next{0};
        run_.each(threads, [&](index_t t) {
            error.guard([&] {
                worker& me = workers_[as_size(t)];
                find_places_of_rows(q, me);
                for (index_t c; (c = next++) < chunks && !error.is_there();)
                    gather(q, chunk_of(q, c, chunks), me);
            });
        });
        error.rethrow();
        failed_ = factor_diagonal(q);
        if (failed_ >= 0) return;
        run_.parts(row_blocks(s_.below(q)), 8,
                   [&](index_t begin, index_t end) { divide(q, begin, end); });
        note_done(q);
    }

    // ---- One supernode -------------------------------------------------------------------------

    column_t make_supernode(column_t q, worker& me)
    {
        find_places_of_rows(q, me);
        const index_t chunks = chunks_of(q, 1);
        for (index_t c = 0; c < chunks; ++c) gather(q, chunk_of(q, c, chunks), me);
        const column_t bad = factor_diagonal(q);
        if (bad >= 0) return bad;
        divide(q, 0, row_blocks(s_.below(q)));
        note_done(q);
        return -1;
    }
    void note_done(column_t q) { done_.fetch_add(s_.operations(q)); }

    void find_places_of_rows(column_t q, worker& me)
    {
        const index_t w = s_.width(q), lower = llt_values<F>::lower_offset(w);
        const column_t *const row = s_.rows(q), first = s_.first[as_size(q)];
        for (index_t i = 0; i < w; ++i)
            me.place_of_row[as_size(first + i)] = place_in_block<F>(i, 0, w);
        for (index_t i = 0; i < s_.below(q); ++i)
            me.place_of_row[as_size(row[i])] = lower + place_in_block<F>(i, 0, w);
    }

    /// Of some 256 kB each; a few for each thread.
    index_t chunks_of(column_t q, int threads) const
    {
        constexpr index_t of_chunk = index_t{1} << 15;
        const index_t w = s_.width(q), rows = w + s_.below(q);
        const index_t wanted = std::max(rows * w * words_of<F> / of_chunk,
                                        threads > 1 ? index_t{4} * threads : index_t{1});
        return std::clamp(wanted, index_t{1}, std::max(index_t{1}, rows / 64));
    }
    /// From one row-block to another.
    chunk chunk_of(column_t q, index_t c, index_t count) const
    {
        const index_t w = s_.width(q), rows = w + s_.below(q);
        const auto begin = [&](index_t at) {
            const index_t k = rows * at / count;
            return k < w ? k / 8 * 8 : w + (k - w) / 8 * 8;
        };
        return {begin(c), c + 1 < count ? begin(c + 1) : rows};
    }

    void gather(column_t q, const chunk& c, worker& me)
    {
        for (const supernode_side<F>& side : sides_) gather(side, q, c, me);
    }
    /// The entries of A in a chunk of rows, less the updates by lower supernodes.
    void gather(const supernode_side<F>& side, column_t q, const chunk& c, worker& me)
    {
        const index_t w = s_.width(q), rows = w + s_.below(q);
        double* const target = side.values.diagonal(q);
        const auto row_at = [&](index_t k) {
            return k < w      ? static_cast<column_t>(s_.first[as_size(q)] + k)
                   : k < rows ? s_.rows(q)[k - w]
                              : s_.columns();
        };
        const auto place_at = [&](index_t k) {
            return k < w ? k / 8 * w * size
                         : llt_values<F>::lower_offset(w) + row_blocks(k - w) * w * size;
        };
        std::fill(target + place_at(c.begin), target + place_at(c.end), 0.0);
        const index_t begin = side.has_diagonal ? c.begin : std::max(c.begin, w);
        if (begin >= c.end) return;
        const column_t from = row_at(begin), to = row_at(c.end);
        add_entries(side.a, q, from, to, target, me);
        const bool is_whole = c.begin == 0 && c.end == rows;
        for (index_t k = s_.update_begin[as_size(q)]; k < s_.update_begin[as_size(q) + 1]; ++k) {
            const supernode_update& u = s_.updates[as_size(k)];
            const column_t *const row = s_.rows(u.from), *const end = row + s_.below(u.from);
            const column_t* b = row + (side.has_diagonal ? u.begin : u.end);
            const column_t* e = end;
            if (!is_whole) {
                b = std::lower_bound(b, end, from);
                e = std::lower_bound(b, end, to);
            }
            if (b < e)
                apply(side, u, static_cast<column_t>(b - row), static_cast<column_t>(e - row), q,
                      me);
        }
    }
    void add_entries(const sparse_columns<F>& a, column_t q, column_t from, column_t to,
                     double* target, const worker& me)
    {
        for (column_t j = s_.first[as_size(q)]; j < s_.first[as_size(q) + 1]; ++j) {
            double* const column = target + (j - s_.first[as_size(q)]) * size;
            for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e) {
                const column_t i = a.row[as_size(e)];
                if (i < from || i >= to) continue;
                double* const p = column + me.place_of_row[as_size(i)];
                for (int word = 0; word < words_of<F>; ++word)
                    p[word * rows_of_block] = a.value.view().word(word)[e];
            }
        }
    }
    /// Rows begin to end of a lower supernode.
    void apply(const supernode_side<F>& side, const supernode_update& u, column_t begin,
               column_t end, column_t q, worker& me)
    {
        const column_t first = begin / 8, last = (end - 1) / 8, w = s_.width(u.from);
        count_work(static_cast<std::int64_t>(static_cast<double>(end - begin) * (u.end - u.begin) *
                                             w * (words_of<F> == 1 ? 1 : 8) / 16) +
                   50);
        find_lanes(s_.rows(u.from), begin, end, me);
        const index_t below = llt_values<F>::lower_offset(w);
        const llt_values<F>& values = side.values;
        supernode_product product{values.diagonal(u.from) + below,
                                  side.columns.diagonal(u.from) + below,
                                  w,
                                  first,
                                  last,
                                  u.begin,
                                  u.end,
                                  side.is_square,
                                  s_.rows(u.from),
                                  s_.first[as_size(q)],
                                  side.values.diagonal(q),
                                  me.place.data()};
        set_columns(u, me, product);
        side.update(product);
    }
    /// Where the rows begin to end of the list are, by row-blocks of the list.
    void find_lanes(const column_t* row, column_t begin, column_t end, worker& me)
    {
        const column_t first = begin / 8, last = (end - 1) / 8;
        me.place.resize(as_size(last - first) + 1);
        me.lists.resize(std::max(me.lists.size(), 8 * me.place.size()));
        for (column_t k = first; k <= last; ++k) {
            const column_t low = std::max(begin - 8 * k, 0), high = std::min(end - 8 * k, 8);
            index_t* const at = &me.lists[8 * as_size(k - first)];
            for (column_t i = 0; i < 8; ++i) at[i] = me.place_of_row[as_size(row[8 * k + i])];
            me.place[as_size(k - first)] = places_of(at, low, high);
        }
    }
    static lane_places places_of(const index_t* at, column_t low, column_t high)
    {
        const unsigned valid = (0xffu << low) & (0xffu >> (8 - high));
        lane_places p{nullptr, at[low] - low, at[low] - low, valid, 0};
        column_t breaks = 0, second = 0;
        for (column_t i = low + 1; i < high; ++i)
            if (at[i] != at[i - 1] + 1) {
                second = i;
                ++breaks;
            }
        if (breaks > 1) p.index = at;
        if (breaks != 1) return p;
        p.second = at[second] - second;
        p.of_first = valid & ((1u << second) - 1);
        p.of_second = valid & ~p.of_first;
        return p;
    }

    const chunk_runner& run_;
    std::atomic<double>& done_;
    std::vector<worker> workers_;
    std::vector<subtree> subtrees_;
    std::vector<column_t> top_;
    column_t failed_ = -1;
};

}  // namespace ddla::factor
