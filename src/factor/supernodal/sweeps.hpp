// A solve with two triangles, shared by threads: sweep_plan.hpp says how, and why the bits are
// those of one thread.
#pragma once

#include "sweep_plan.hpp"

#include "kernels/kernels.hpp"

#include "factor/first_error.hpp"
#include "factor/unfilled.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>
#include <vector>

namespace ddla::factor {

/// Down through the first triangle, up through the second, in place.
class sweeps {
public:
    using loop = void (*)(const llt_sweep&, column_t from, column_t to);

    /// `words`: of an unknown, those of all systems together.
    sweeps(const supernodes& s, const sweep_plan& plan, const chunk_runner& run, index_t words,
           const llt_sweep& down, loop forward, const llt_sweep& up, loop backward)
        : s_(s), plan_(plan), run_(run), words_(words), forward_(forward), backward_(backward),
          down_(down), up_(up)
    {
    }

    void down() const
    {
        if (!plan_.is_parallel()) return forwards(down_, {0, s_.size()});
        each(plan_.subtrees.size(), [&](std::size_t t) {
            llt_sweep own = down_;
            own.rows_end = s_.first[as_size(plan_.subtrees[t].end)];
            forwards(own, plan_.subtrees[t]);
        });
        for (const sweep_step& step : plan_.steps) {
            each(step.parts(), [&](std::size_t k) { update_rows(step, k); });
            for (const supernode_range& r : pieces_of(step.top))
                is_shared(r) ? share_forwards(r.begin) : forwards(down_, r);
        }
    }
    void up() const
    {
        if (!plan_.is_parallel()) return backwards({0, s_.size()});
        for (auto step = plan_.steps.rbegin(); step != plan_.steps.rend(); ++step) {
            const std::vector<supernode_range> pieces = pieces_of(step->top);
            for (auto r = pieces.rbegin(); r != pieces.rend(); ++r)
                is_shared(*r) ? share_backwards(r->begin) : backwards(*r);
        }
        each(plan_.subtrees.size(), [&](std::size_t t) { backwards(plan_.subtrees[t]); });
    }

private:
    /// Those of part k, by all that is outside of them.
    void update_rows(const sweep_step& step, std::size_t k) const
    {
        llt_sweep above = down_;
        above.rows_begin = step.rows[k];
        above.rows_end = step.rows[k + 1];
        above.divides = false;
        for (const supernode_range& r : step.outside) forward_(above, r.begin, r.end);
    }

    template <class Part>
    void each(std::size_t parts, const Part& part) const
    {
        first_error error;
        run_.each(static_cast<index_t>(parts), [&](index_t k) {
            if (!error.is_there()) error.guard([&] { part(as_size(k)); });
        });
        error.rethrow();
    }
    void forwards(const llt_sweep& of, supernode_range r) const
    {
        for (column_t q = r.begin; q < r.end;) {
            const column_t begin = q;
            q = end_of_piece(begin, r.end);
            forward_(of, begin, q);
        }
    }
    void backwards(supernode_range r) const
    {
        std::vector<column_t> pieces = {r.begin};
        while (pieces.back() < r.end) pieces.push_back(end_of_piece(pieces.back(), r.end));
        for (std::size_t k = pieces.size() - 1; k-- > 0;) backward_(up_, pieces[k], pieces[k + 1]);
    }
    /// The end of some milliseconds of work from supernode q on, which is counted.
    column_t end_of_piece(column_t q, column_t end) const
    {
        index_t work = 0;
        for (; q < end && work < operations_between_looks; ++q) work += work_of(q);
        count_work(work);
        return q;
    }
    index_t work_of(column_t q) const
    {
        return 50 + words_ * s_.width(q) * (s_.width(q) + s_.below(q)) / 4;
    }

    // Supernodes above subtrees that are worth all threads: one by one.
    /// Into how many parts its rows below are cut.
    index_t parts_of(column_t q) const
    {
        const index_t least = 16 * run_.work();  // numbers of a part: a dozen microseconds
        const index_t numbers = words_ * s_.width(q) * s_.below(q);
        return std::min<index_t>({numbers / least, run_.threads(), s_.width(q) / 8});
    }
    bool is_shared(supernode_range r) const
    {
        return r.end == r.begin + 1 && parts_of(r.begin) > 1;
    }
    /// Shared ones apart from the others.
    std::vector<supernode_range> pieces_of(supernode_range top) const
    {
        std::vector<supernode_range> pieces;
        bool goes_on = false;
        for (column_t q = top.begin; q < top.end; ++q) {
            const bool shared = parts_of(q) > 1;
            if (goes_on && !shared)
                ++pieces.back().end;
            else
                pieces.push_back({q, q + 1});
            goes_on = !shared;
        }
        return pieces;
    }
    /// Its own rows, then parts of those below.
    void share_forwards(column_t q) const
    {
        count_work(work_of(q));
        llt_sweep own = down_;
        own.places_end = 0;
        forward_(own, q, q + 1);
        const index_t parts = parts_of(q), blocks = row_blocks(s_.below(q));
        each(as_size(parts), [&](std::size_t k) {
            llt_sweep below = down_;
            below.divides = false;
            below.places_begin = place(blocks, parts, k);
            below.places_end = place(blocks, parts, k + 1);
            forward_(below, q, q + 1);
        });
    }
    static column_t place(index_t blocks, index_t parts, std::size_t k)
    {
        return static_cast<column_t>(blocks * static_cast<index_t>(k) / parts * rows_of_block);
    }
    /// Sums over the rows below of parts of its columns, then the rest.
    void share_backwards(column_t q) const
    {
        count_work(work_of(q));
        const index_t parts = parts_of(q), width = s_.width(q);
        unfilled<double> sums(as_size(width * most_doubles_of_sum));
        llt_sweep rest = up_;
        rest.sums = sums.data();
        each(as_size(parts), [&](std::size_t k) {
            llt_sweep mine = rest;
            mine.columns_begin = static_cast<column_t>(width * static_cast<index_t>(k) / parts);
            mine.columns_end = static_cast<column_t>(width * static_cast<index_t>(k + 1) / parts);
            backward_(mine, q, q + 1);
        });
        backward_(rest, q, q + 1);
    }
    static constexpr index_t most_doubles_of_sum = rows_of_block * doubles_of_systems<dd_real>;

    const supernodes& s_;
    const sweep_plan& plan_;
    const chunk_runner& run_;
    const index_t words_;
    const loop forward_, backward_;
    const llt_sweep down_, up_;
};

}  // namespace ddla::factor
