// Rows of A times a vector, summed by the rule, on one thread.
//
// Eight rows of similar length run side by side in lanes, term k of row l at k * 8 + l: the fold
// over k is then one straight loop over neighbours.  Rows that are long, or too different from
// their neighbours, are summed one by one.
#pragma once

#include "tile.hpp"

namespace ddla::host_backend {

/// Rows summed in T.
template <class T, class V>
class row_sums {
public:
    using results = lanes<T>;

    row_sums(const csr<V>& a, vec<const T> x) : a_(a), x_(x) {}

    /// Rows begin … end-1 (at most 256) of A x.
    void operator()(index_t begin, index_t end, results& ax) const
    {
        index_t i = begin;
        for (; i + group <= end; i += group) {
            const shape s = shape_of(i);
            if (s.longest <= longest_in_lanes && group * s.longest <= 2 * s.entries + group)
                together(i, s, ax, i - begin);
            else
                for (index_t l = 0; l < group; ++l) ax.set(i + l - begin, one(i + l));
        }
        for (; i < end; ++i) ax.set(i - begin, one(i));
    }

private:
    static constexpr int group = 8;
    static constexpr int longest_in_lanes = 32;

    using terms = lanes<T, group * longest_in_lanes>;
    struct shape {
        index_t longest, shortest, entries;
    };

    shape shape_of(index_t first) const
    {
        index_t longest = 0, shortest = tile_size;
        for (index_t l = 0; l < group; ++l) {
            const index_t n = a_.row_length(first + l);
            longest = std::max(longest, n);
            shortest = std::min(shortest, n);
        }
        return {longest, shortest, a_.row_begin[first + group] - a_.row_begin[first]};
    }

    T product(index_t k) const { return x_.get(a_.column[k]) * a_.value.get(k); }

    void together(index_t first, const shape& s, results& ax, index_t at) const
    {
        terms term;
        alignas(64) double length[group];
        load(first, s, term, length);
        if (s.longest == s.shortest)
            term.fold(s.longest, group);
        else
            fold_unequal(term, s.longest, length);
        for (int l = 0; l < group; ++l) ax.set(at + l, length[l] > 0 ? term.get(l) : T(0));
    }

    void load(index_t first, const shape& s, terms& term, double* length) const
    {
        for (index_t l = 0; l < group; ++l) {
            const index_t begin = a_.row_begin[first + l], n = a_.row_length(first + l);
            for (index_t k = 0; k < n; ++k) term.set(k * group + l, product(begin + k));
            for (index_t k = n; k < s.longest; ++k) term.set(k * group + l, T(0));
            length[l] = static_cast<double>(n);
        }
    }

    /// As terms::fold, adding only where the row has such a term.
    static void fold_unequal(terms& term, index_t n, const double* length)
    {
        for (index_t h = longest_in_lanes / 2; h > 0; h /= 2) {
            const index_t steps = std::min(h, n - h);
            for (index_t k = 0; k < steps; ++k)
#pragma GCC ivdep
                for (index_t l = 0; l < group; ++l) {
                    const T old = term.get(k * group + l);
                    const T sum = old + term.get((k + h) * group + l);
                    term.set(k * group + l, static_cast<double>(k + h) < length[l] ? sum : old);
                }
            if (steps > 0) n = h;
        }
    }

    /// A row of any length.
    T one(index_t i) const
    {
        index_t k = a_.row_begin[i];
        const index_t n = a_.row_length(i);
        if (n == 0) return T(0);
        if (n <= tile_size) return short_sum(k, n);
        running_sum<T> sum;
        for (const index_t end = k + n; k < end; k += tile_size)
            sum.add(short_sum(k, std::min<index_t>(tile_size, end - k)));
        return sum.sum(T(0));
    }

    T short_sum(index_t begin, index_t n) const
    {
        lanes<T> term;
        for (index_t k = 0; k < n; ++k) term.set(k, product(begin + k));
        term.fold(n);
        return term.get(0);
    }

    csr<V> a_;
    vec<const T> x_;
};

/// Rows whose terms are not numbers of type T, one after the other.
template <class Terms, class T, class V>
class other_row_sums {
public:
    using results = tile<typename Terms::value>;

    other_row_sums(const Terms& terms, const csr<V>& a, vec<const T> x)
        : terms_(terms), a_(a), x_(x)
    {
    }

    void operator()(index_t begin, index_t end, results& ax) const
    {
        for (index_t i = begin; i < end; ++i) ax.set(i - begin, one(i));
    }

private:
    typename Terms::value one(index_t i) const
    {
        running_sum<typename Terms::value> sum;
        for (index_t k = a_.row_begin[i]; k < a_.row_begin[i + 1]; ++k)
            sum.add(terms_(x_.get(a_.column[k]), a_.value.get(k)));
        return sum.sum(Terms::none());
    }

    Terms terms_;
    csr<V> a_;
    vec<const T> x_;
};

}  // namespace ddla::host_backend
