// Up to 256 row sums of A x by the summation rule, on one thread.
//
// In double-double, short rows are summed eight at a time, one a SIMD lane: adjacent rows if their
// lengths are similar, the others sorted by length.  In double, loads dominate, and short rows are
// summed one by one.  Of longer rows, eight terms are added at a time until eight are left; in
// double-double, these are folded for eight rows together.  The grouping of rows changes no bit.
#pragma once

#include "row_group.hpp"

namespace ddla::host_backend {

template <class T, class V, row_code Code>
class row_tile {
public:
    row_tile(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
        : a_(a), x_(x), ax_(ax), rows_(static_cast<int>(end - begin))
    {
        if (a.row_begin.is_wide())
            copy_offsets(a.row_begin.wide() + begin);
        else
            copy_offsets(a.row_begin.narrow() + begin);
    }

    /// Row begin + i of A x becomes ax_i.
    void sum()
    {
        if constexpr (Code == in_loops)
            sum_one_by_one();
        else if constexpr (words_of<T> == 1)
            for (int i = 0; i < rows_;) i = sum_run(i);
        else
            sum_groups();
    }

private:
    /// The longest short row, in entries.
    static constexpr int longest = tuning::longest_short_row(words_of<T>);
    static_assert(longest >= eight);
    /// Rows with fewer full groups of eight entries have straight-line code for each number.
    static constexpr int straight = tuning::straight_eights;
    /// The kind of a row is its length or, for a long row, `longest` plus the number of full groups
    /// of eight before its last entry, up to any_row.  Rows of one kind run the same code.
    static constexpr index_t any_row = longest + straight;

    template <class I>
    void copy_offsets(const I* offset)
    {
        for (int i = 0; i <= rows_; ++i) entry_[i] = offset[i];
        for (int i = 0; i < rows_; ++i) {
            const index_t n = offset[i + 1] - offset[i];
            kind_[i] =
                static_cast<int>(n <= longest ? n : std::min(longest + (n - 1) / eight, any_row));
        }
        kind_[rows_] = -1;
    }

    void sum_one_by_one()
    {
        for (int i = 0; i < rows_; ++i)
            if (kind_[i] > longest)
                sum_long(i);
            else
                ax_.set(i, kind_[i] > 0 ? short_row(entry_[i], kind_[i]) : T(0));
        if (folded_ > 0) sum_eights();
    }

    /// Sums row i and the following rows of its kind.  Returns the first row after them.
    int sum_run(int i)
    {
        const int kind = kind_[i];
        if (kind > longest) do
                sum_long(i);
            while (kind_[++i] == kind);
        else if (kind > 0)
            with_constant<1, longest>(
                kind, [&](auto n) __attribute__((always_inline)) { i = sum_run<n>(i); });
        else
            do ax_.set(i, T(0));
            while (kind_[++i] == 0);
        return i;
    }
    template <int N>
    int sum_run(int i) const
    {
        const csr<V> a = a_;
        const vec<const T> x = x_;
        index_t first = entry_[i];
        do {
            prefetch_entries(entries<V>(a), first);
            ax_.set(i, alone<N>(a, x, first));
            first += N;
        } while (kind_[++i] == N);
        return i;
    }

    /// Sums rows i ... i+7 as a group if they are short and of similar length; else returns false.
    bool group_neighbours(int i)
    {
        int most = 0, least = tile_size;
        for (int l = 0; l < eight; ++l) {
            most = std::max(most, kind_[i + l]);
            least = std::min(least, kind_[i + l]);
        }
        const index_t work = entry_[i + eight] - entry_[i];
        if (most == 0) {
            for (int l = 0; l < eight; ++l) ax_.set(i + l, T(0));
        } else if (least == 0 || most > longest || 4 * eight * most > 5 * work) {
            return false;
        } else if (least == most) {
            with_constant<1, longest>(
                most, [&](auto n) __attribute__((always_inline)) { sum_alike<n>(i); });
        } else {
            for (int l = 0; l < eight; ++l) row_[grouped_ + l] = i + l;
            grouped_ += eight;
        }
        return true;
    }

    template <int N>
    void sum_alike(int i)
    {
        eight_of<T> sum;
        neighbours<N>(a_, x_, entry_[i], sum);
        assign(sum, ax_, i);
    }

    void put_aside(int i)
    {
        if (kind_[i] > longest) {
            sum_long(i);
        } else {
            other_[others_++] = i;
            ++first_[kind_[i] + 1];
        }
    }

    void sum_groups()
    {
        for (int i = 0; i < rows_; i += eight) {
            const int end = std::min(i + eight, rows_);
            if (end == i + eight) {
                for (index_t k = entry_[i]; k < entry_[end]; k += eight)
                    prefetch_entries(entries<V>(a_), k);
                if (group_neighbours(i)) continue;
            }
            for (int l = i; l < end; ++l) put_aside(l);
        }
        if (others_ > 0) group_others();
        for (int k = 0; k < grouped_; k += eight) sum_group(row_ + k);
        if (folded_ > 0) sum_eights();
    }

    /// Groups the remaining short rows, the shortest first.
    void group_others()
    {
        for (int n = 0; n < longest; ++n) first_[n + 1] += first_[n];
        const int empty = first_[1];
        int sorted[tile_size];
        for (int k = 0; k < others_; ++k) sorted[first_[kind_[other_[k]]]++] = other_[k];
        int k = 0;
        for (; k < empty; ++k) ax_.set(sorted[k], T(0));
        for (; k < others_; ++k) row_[grouped_++] = sorted[k];
        // The last group is filled up by repeating a row.
        while (grouped_ % eight != 0) {
            row_[grouped_] = row_[grouped_ - 1];
            ++grouped_;
        }
    }

    void sum_group(const int* row)
    {
        index_t begin[eight];
        alignas(64) double n[eight];
        index_t last = 0;
        int most = 0;
        for (int l = 0; l < eight; ++l) {
            begin[l] = entry_[row[l]];
            n[l] = kind_[row[l]];
            last = std::max(last, begin[l]);
            most = std::max(most, kind_[row[l]]);
        }
        eight_of<T> sum;
        if (last + most > a_.nonzeros())
            for (int l = 0; l < eight; ++l) sum.set(l, short_row(begin[l], kind_[row[l]]));
        else
            with_constant<1, longest>(
                most, [&](auto m) __attribute__((always_inline)) {
                    side_by_side<m>(a_, x_, begin, n, sum);
                });
        for (int l = 0; l < eight; ++l) ax_.set(row[l], sum.get(l));
    }

    /// 1 entry to those of the longest short row.
    T short_row(index_t begin, int n) const
    {
        T term[longest];
        for (int k = 0; k < n; ++k)
            term[k] = x_.get(a_.column[begin + k]) * a_.value.get(begin + k);
        fold_in_half(term, n);
        return term[0];
    }

    /// More than 8.
    void sum_long(int i)
    {
        const index_t k = entry_[i], n = entry_[i + 1] - k;
        if (n > tile_size) return ax_.set(i, sum_tiles(k, n));
        eight_of<T> left;
        fold(k, n, kind_[i] - longest, left);
        if constexpr (words_of<T> == 1) return ax_.set(i, fold_lanes(left));
        assign(left, eights_, eight * folded_);
        row_of_eights_[folded_++] = i;
        if (folded_ == eight) sum_eights();
    }
    /// More than 8 and up to 256, with `whole` full groups of eight before the last entry.  Called
    /// at one place: all of it is inlined, and is most of the code.
    void fold(index_t k, index_t n, int whole, eight_of<T>& left) const
    {
        if constexpr (Code == straight_line)
            if (k + n + eight <= a_.nonzeros() && whole < straight)
                return with_constant<1, straight - 1>(
                    whole, [&](auto w) __attribute__((always_inline)) {
                        fold_to_eight<w + 1>(a_, x_, k, n, left);
                    });
        fold_in_loops(k, n, left);
    }
    /// The same without code for each number.
    void fold_in_loops(index_t k, index_t n, eight_of<T>& left) const
    {
        if (k + n + eight > a_.nonzeros() || n <= tile_size / 4)
            fold_to_eight(a_, x_, k, n, left);
        else if (n <= tile_size / 2)
            fold_quarters<4>(a_, x_, k, n, left);
        else
            fold_quarters<8>(a_, x_, k, n, left);
    }
    void sum_eights()
    {
        for (int k = eight * folded_; k < eight * eight; ++k) eights_.set(k, T(0));
        eight_of<T> sum;
        fold_eights(eights_, sum);
        for (int l = 0; l < folded_; ++l) ax_.set(row_of_eights_[l], sum.get(l));
        folded_ = 0;
    }

    /// More than 256.
    T sum_tiles(index_t k, index_t n) const
    {
        running_sum<T> sum;
        for (const index_t end = k + n; k < end; k += tile_size) {
            const index_t m = std::min<index_t>(tile_size, end - k);
            sum.add(m > eight ? sum_tile(k, m) : short_row(k, static_cast<int>(m)));
        }
        return sum.sum(T(0));
    }
    T sum_tile(index_t k, index_t n) const
    {
        eight_of<T> left;
        fold_in_loops(k, n, left);
        T term[eight];
        for (int l = 0; l < eight; ++l) term[l] = left.get(l);
        fold_in_half(term, eight);
        return term[0];
    }

    csr<V> a_;
    vec<const T> x_;
    lanes<T>& ax_;
    int rows_;
    index_t entry_[tile_size + 1];
    int kind_[tile_size + 1];     ///< ends with -1
    int row_[tile_size + eight];  ///< in groups of eight
    int grouped_ = 0;
    int other_[tile_size];  ///< short rows unlike their neighbours
    int others_ = 0;
    int first_[longest + 2] = {};     ///< where each length begins in them, sorted
    lanes<T, eight * eight> eights_;  ///< the last eight terms of long rows
    int row_of_eights_[eight];
    int folded_ = 0;
};

}  // namespace ddla::host_backend
