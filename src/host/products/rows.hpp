// Row sums of A x by the summation rule, on one thread, up to 256 rows at a time.
#pragma once

#include "host/simd/tile.hpp"

namespace ddla::host_backend {

/// Rows begin ... end-1 (at most 256) of A x.
template <class T, class V>
void sum_rows(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax);

/// The same from patterns; `begin` is a multiple of 256.
template <class T, class V>
void sum_patterns(const csr<V>& a, vec<const T> x, index_t begin, index_t end, lanes<T>& ax);

/// Whether the two above are there for T: it is code for each combination of precisions.  Rows of
/// other numbers are summed one after the other.
template <class T>
inline constexpr bool has_simd_rows = words_of<T> <= 2;

/// Up to eight vectors of one size, interleaved: of[c] has element c of all of them.
template <class T>
struct interleaved {
    const lanes<T, 8>* of;
    int count;
    vec<const T> column[8];  ///< the vectors as they are
};

/// Rows begin ... end-1 (at most 256) of A times these vectors.
template <class T, class V>
void sum_rows_of_eight(const csr<V>& a, const interleaved<T>& x, index_t begin, index_t end,
                       lanes<T, 8>* ax);

/// One row of A x.
template <class T, class V>
T sum_row(const csr<V>& a, vec<const T> x, index_t i)
{
    lanes<T> one;
    sum_rows(a, x, i, i + 1, one);
    return one.get(0);
}

/// Rows summed in T; Sum: one of the two above.
template <class T, class V, auto Sum>
class rows_by {
public:
    using results = lanes<T>;

    rows_by(const csr<V>& a, vec<const T> x) : a_(a), x_(x) {}

    void operator()(index_t begin, index_t end, results& ax) const { Sum(a_, x_, begin, end, ax); }

private:
    csr<V> a_;
    vec<const T> x_;
};
template <class T, class V>
using row_sums = rows_by<T, V, sum_rows<T, V>>;
template <class T, class V>
using pattern_sums = rows_by<T, V, sum_patterns<T, V>>;

/// Rows whose terms are not numbers of type T, one by one.
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

    typename Terms::value one(index_t i) const
    {
        running_sum<typename Terms::value> sum;
        for (index_t k = a_.row_begin[i]; k < a_.row_begin[i + 1]; ++k)
            sum.add(terms_(x_.get(a_.column[k]), a_.value.get(k)));
        return sum.sum(Terms::none());
    }

private:
    Terms terms_;
    csr<V> a_;
    vec<const T> x_;
};

}  // namespace ddla::host_backend
