// Whether a matrix may be definite, before it is factored.
#include "definite.hpp"

#include "factor/first_error.hpp"
#include "factor/symmetric/lower_triangle.hpp"

#include <algorithm>
#include <atomic>

namespace ddla::factor {

namespace {

template <scalar V>
factor_end end_of_diagonal(const V& x)
{
    if (!isfinite(x)) return factor_end::not_finite;
    return word<0>(x) > 0 ? factor_end::complete : factor_end::not_definite;
}

/// Of columns without zeros, each row once.
template <scalar V>
factor_end end_of(const sparse_columns<V>& a, bool looks_at_diagonal)
{
    for (index_t k = 0; k < a.entries(); ++k)
        if (!isfinite(a.value.get(k))) return factor_end::not_finite;
    if (!is_symmetric(a)) return factor_end::not_symmetric;
    if (!looks_at_diagonal) return factor_end::complete;
    for (index_t j = 0; j < a.columns; ++j) {
        factor_end end = factor_end::not_definite;
        for (index_t e = a.begin[as_size(j)]; e < a.begin[as_size(j) + 1]; ++e)
            if (a.row[as_size(e)] == j) end = end_of_diagonal(a.value.get(e));
        if (end != factor_end::complete) return end;
    }
    return factor_end::complete;
}

/// Row by row: entries left of the diagonal meet their mirror images, which are the next in their
/// rows, if columns ascend.
template <scalar V>
class mirrored_rows {
public:
    /// Of the rows begin to end, which meet entries of rows before them, too; as long as it is
    /// `wanted`.
    mirrored_rows(const csr<V>& a, bool looks_at_diagonal, index_t begin, index_t end,
                  const std::atomic<bool>& wanted)
        : a_(a), looks_at_diagonal_(looks_at_diagonal), begin_(begin), end_(end), wanted_(wanted),
          next_(as_size(end))
    {
        for (index_t i = 0; i < begin && wanted_; ++i) {
            count_work(20);
            next_[as_size(i)] = first_from(i, begin);
        }
    }

    /// complete, or the first thing that is wrong; nothing where zeros or the order of entries hide
    /// what is right, or it is no longer wanted.  May be called once.
    std::optional<factor_end> end()
    {
        for (index_t i = begin_; i < end_ && wanted_; ++i)
            if (const auto end = end_of_row(i); end != factor_end::complete) return end;
        if (!wanted_) return std::nullopt;
        for (index_t i = 0; i < end_; ++i)
            if (const index_t k = next_[as_size(i)]; k < a_.row_begin[i + 1] && a_.column[k] < end_)
                return unmatched(k);
        return factor_end::complete;
    }

private:
    /// The first entry of row i whose column is not before this one.
    index_t first_from(index_t i, index_t column) const
    {
        const auto *const row = a_.column + a_.row_begin[i], *const row_end =
                                                                 row + a_.row_length(i);
        return std::lower_bound(row, row_end, column) - a_.column;
    }
    std::optional<factor_end> end_of_row(index_t i)
    {
        count_work(2 * a_.row_length(i) + 2);
        bool has_diagonal = false;
        next_[as_size(i)] = a_.row_begin[i + 1];
        for (index_t k = a_.row_begin[i]; k < a_.row_begin[i + 1]; ++k) {
            const index_t j = a_.column[k];
            if (k > a_.row_begin[i] && a_.column[k - 1] >= j) return std::nullopt;
            if (!isfinite(a_.value.get(k))) return factor_end::not_finite;
            if (j < i && !meets_mirror(i, k)) return unmatched(k, next_[as_size(j)], j);
            if (j > i) next_[as_size(i)] = std::min(next_[as_size(i)], k);
            if (j != i) continue;
            has_diagonal = true;
            const factor_end end = end_of_diagonal(a_.value.get(k));
            if (looks_at_diagonal_ && end != factor_end::complete) return end;
        }
        return has_diagonal || !looks_at_diagonal_ ? factor_end::complete
                                                   : factor_end::not_definite;
    }
    bool meets_mirror(index_t i, index_t k)
    {
        const index_t j = a_.column[k], m = next_[as_size(j)];
        if (m >= a_.row_begin[j + 1] || a_.column[m] != i || !(a_.value.get(m) == a_.value.get(k)))
            return false;
        ++next_[as_size(j)];
        return true;
    }
    /// Entry k without a mirror image, where entry m of row j should be it.
    std::optional<factor_end> unmatched(index_t k, index_t m, index_t j) const
    {
        if (m < a_.row_begin[j + 1] && a_.value.get(m) == V(0)) return std::nullopt;
        return unmatched(k);
    }
    std::optional<factor_end> unmatched(index_t k) const
    {
        if (a_.value.get(k) == V(0)) return std::nullopt;
        return factor_end::not_symmetric;
    }

    const csr<V>& a_;
    const bool looks_at_diagonal_;
    const index_t begin_, end_;
    const std::atomic<bool>& wanted_;
    std::vector<index_t> next_;  ///< of each row: the entry that is met next
};

/// Whether all is right, on threads; each looks up where it begins in all rows before its own.
template <scalar V>
bool is_complete(const csr<V>& a, bool looks_at_diagonal, const chunk_runner& run)
{
    constexpr index_t entries_of_lookup = 4;
    const index_t worth_a_part = 16 * run.work();
    const index_t parts =
        std::min({index_t{run.threads()}, a.nonzeros() / worth_a_part,
                  a.nonzeros() / (entries_of_lookup * std::max<index_t>(1, a.rows))});
    if (parts < 2) return false;
    std::atomic<bool> is_right = true;
    const auto look_at = [&](index_t begin, index_t end) {
        mirrored_rows<V> part(a, looks_at_diagonal, begin, end, is_right);
        if (part.end() != factor_end::complete) is_right = false;
    };
    look_at(0, std::min<index_t>(a.rows, 256));  // mostly enough where it is not right
    if (!is_right) return false;
    first_error error;
    run.each(parts, [&](index_t k) {
        error.guard([&] { look_at(a.rows * k / parts, a.rows * (k + 1) / parts); });
        if (error.is_there()) is_right = false;
    });
    error.rethrow();
    return is_right;
}

/// The same whatever the number of threads: these only find that all is right.
template <scalar V>
factor_end end_of(const csr<V>& a, bool looks_at_diagonal, const chunk_runner& run)
{
    if (a.rows != a.columns) return factor_end::not_symmetric;
    if (is_complete(a, looks_at_diagonal, run)) return factor_end::complete;
    const std::atomic<bool> always = true;
    const auto end = mirrored_rows<V>(a, looks_at_diagonal, 0, a.rows, always).end();
    return end ? *end : end_of(columns_of(a), looks_at_diagonal);
}

}  // namespace

template <scalar V>
factor_end definite_end(const csr<V>& a, const chunk_runner& run)
{
    return end_of(a, true, run);
}
template <scalar V>
bool is_symmetric(const csr<V>& a, const chunk_runner& run)
{
    return end_of(a, false, run) == factor_end::complete;
}

template <scalar V>
bool is_mirrored(const csr<V>& a, const chunk_runner& run)
{
    return a.rows == a.columns && is_complete(a, false, run);
}

template factor_end definite_end(const csr<double>&, const chunk_runner&);
template factor_end definite_end(const csr<dd_real>&, const chunk_runner&);
template bool is_symmetric(const csr<double>&, const chunk_runner&);
template bool is_symmetric(const csr<dd_real>&, const chunk_runner&);
template bool is_mirrored(const csr<double>&, const chunk_runner&);
template bool is_mirrored(const csr<dd_real>&, const chunk_runner&);

}  // namespace ddla::factor
