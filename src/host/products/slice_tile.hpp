// A tile of row sums of A x on one thread, from slices with one lane a row: eight lanes at a time.
#pragma once

#include "rows.hpp"
#include "slice_slots.hpp"

namespace ddla::host_backend {

/// `Numbered`: values are indices into the distinct ones.
template <class T, class V, bool Numbered>
class slice_tile {
public:
    slice_tile(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax)
        : a_(a), list_(a.storage->slices), x_(x), begin_(begin), end_(end), ax_(ax)
    {
    }

    /// Row begin + i of A x becomes ax_i.
    void sum()
    {
        constexpr index_t each = formats::lanes_of_slice;
        for (index_t k = begin_ / each; k * each < end_; ++k) sum_slice(list_.of[k]);
    }

private:
    using leaf_of_slice = formats::leaf_of_slice;

    /// The lengths of eight rows; rows that are summed elsewhere count as empty.
    struct group {
        alignas(64) double n[eight];
        int least, most;
        std::uint8_t kind;  ///< formats::eight_lanes
    };

    group group_at(const formats::slice& s, int lane) const
    {
        group g;
        g.kind = s.eights[lane / eight];
        if (s.full || g.kind == formats::a_run) {
            g.least = g.most = list_.length(s, lane);
            fill(g.most, g.n);
            return g;
        }
        using eight_lengths [[gnu::vector_size(16)]] = std::uint16_t;
        eight_lengths n;
        std::memcpy(&n, list_.code + s.lengths_at() + 2 * lane, sizeof n);
        n &= (eight_lengths)(n != formats::left_out);
        vector_at(g.n) = __builtin_convertvector(n, vector_of_doubles);
        g.least = g.most = n[0];
        for (int l = 1; l < eight; ++l) {
            g.least = std::min<int>(g.least, n[l]);
            g.most = std::max<int>(g.most, n[l]);
        }
        return g;
    }

    void sum_slice(const formats::slice& s)
    {
        const leaf_of_slice first = leaf_of_slice::at(s, 0, s.leaves_at());
        for (int lane = 0; lane < s.rows; lane += eight) {
            const group g = group_at(s, lane);
            eight_of<T> sum;
            if (s.log2_leaves > 0)
                sum_leaves(s, lane, g, sum);
            else if (g.most > 0)
                sum_leaf(first, lane, g, sum);
            if (g.least > 0 && s.row_bytes == 0)
                assign_anywhere(sum, ax_, s.first + lane - begin_);
            else
                scatter(s, lane, sum);
        }
    }
    void scatter(const formats::slice& s, int lane, const eight_of<T>& sum)
    {
        for (int l = 0; l < std::min(eight, s.rows - lane); ++l) {
            const index_t i = list_.row(s, lane + l);
            const int length = list_.length(s, lane + l);
            if (length == formats::left_out)
                ax_.set(i - begin_, sum_row(a_, x_, i));
            else
                ax_.set(i - begin_, length == 0 ? T(0) : sum.get(l));
        }
    }

    /// Walks the tree like a binary counter: two sums of one level are added as soon as both are
    /// known.
    void sum_leaves(const formats::slice& s, int lane, const group& g, eight_of<T>& sum) const
    {
        constexpr int levels = 6;  // 1 ... 32 leaves
        eight_of<T> left[levels];
        index_t begin = s.leaves_at();
        for (int c = 0; c < 1 << s.log2_leaves; ++c) {
            const leaf_of_slice leaf = leaf_of_slice::at(s, c, begin);
            begin = leaf.end();
            if (leaf.first < g.most) sum_leaf(leaf, lane, g, sum);
            int level = 0;
            for (; c >> level & 1; ++level) {
                // If the right part has no terms, the left one is the sum.
                add_slots_from(s.first_of_leaf(c >> level << level), g, left[level], sum);
                assign(left[level], sum);
            }
            assign(sum, left[level]);
        }
    }
    void sum_leaf(const leaf_of_slice& leaf, int lane, const group& g, eight_of<T>& sum) const
    {
        const eight_of_leaf<V> a(list_, leaf, lane);
        const int slots = (g.most - leaf.first + leaf.apart - 1) / leaf.apart;
        if (g.kind == formats::a_run)
            return with_constant<1, formats::slots_of_leaf>(
                slots, [&](auto n) __attribute__((always_inline)) { sum_run<n>(a, sum); });
        eight_of<T> term[formats::slots_of_leaf];
        if (g.kind == formats::of_any_kind)
            multiply_any<Numbered>(a, x_, slots, term);
        else
            multiply_run_but<Numbered>(a, x_, g.kind - formats::run_but_for, slots, term);
        with_constant<1, formats::slots_of_leaf>(
            slots, [&](auto n) __attribute__((always_inline)) { fold<n>(leaf, g, term, sum); });
    }
    /// Straight-line code that keeps all terms in registers.
    template <int N>
    [[gnu::always_inline]] void sum_run(const eight_of_leaf<V>& a, eight_of<T>& sum) const
    {
        const vec<const T> x = x_;
        index_t first[N];
        a.first_columns(first);
        eight_of<T> term[N];
        unrolled<N>([&](auto k) __attribute__((always_inline)) {
            multiply_run<Numbered>(a, x, k, first[k], term[k]);
        });
        fold_unrolled<N, formats::slots_of_leaf / 2>([&](
            int i, int j) __attribute__((always_inline)) { add(term[i], term[j]); });
        assign(term[0], sum);
    }

    template <int N>
    [[gnu::always_inline]] static void fold(const leaf_of_slice& leaf, const group& g,
                                            eight_of<T>* term, eight_of<T>& sum)
    {
        fold_unrolled<N, formats::slots_of_leaf / 2>([&](int i, int j) __attribute__((
            always_inline)) { add_slots_from(leaf.first + j * leaf.apart, g, term[i], term[j]); });
        assign(term[0], sum);
    }
    /// Adds `term` in rows that are longer than `slot`.
    [[gnu::always_inline]] static void add_slots_from(int slot, const group& g, eight_of<T>& sum,
                                                      const eight_of<T>& term)
    {
        if (slot < g.least) return add(sum, term);
        if (slot >= g.most) return;
        alignas(64) double k[eight];
        fill(slot, k);
        add_where_less(k, g.n, sum, term);
    }

    csr<V> a_;
    formats::slice_list<V> list_;
    vec<const T> x_;
    index_t begin_, end_;
    lanes<T>& ax_;
};

}  // namespace ddla::host_backend
