// Whether a matrix may be definite, before it is factored.
#include "definite.hpp"

#include "factor/symmetric/lower_triangle.hpp"

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
    mirrored_rows(const csr<V>& a, bool looks_at_diagonal)
        : a_(a), looks_at_diagonal_(looks_at_diagonal), next_(as_size(a.rows))
    {
    }

    /// complete, or the first thing that is wrong; nothing where zeros or the order of entries hide
    /// what is right.
    std::optional<factor_end> end()
    {
        for (index_t i = 0; i < a_.rows; ++i)
            if (const auto end = end_of_row(i); end != factor_end::complete) return end;
        for (index_t i = 0; i < a_.rows; ++i)
            if (const index_t k = next_[as_size(i)]; k < a_.row_begin[i + 1]) return unmatched(k);
        return factor_end::complete;
    }

private:
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
    std::vector<index_t> next_;  ///< of each row: the entry that is met next
};

template <scalar V>
factor_end end_of(const csr<V>& a, bool looks_at_diagonal)
{
    const auto end = mirrored_rows<V>(a, looks_at_diagonal).end();
    return end ? *end : end_of(columns_of(a), looks_at_diagonal);
}

}  // namespace

template <scalar V>
factor_end definite_end(const csr<V>& a)
{
    return end_of(a, true);
}
template <scalar V>
bool is_symmetric(const csr<V>& a)
{
    return end_of(a, false) == factor_end::complete;
}

template factor_end definite_end(const csr<double>&);
template factor_end definite_end(const csr<dd_real>&);
template bool is_symmetric(const csr<double>&);
template bool is_symmetric(const csr<dd_real>&);

}  // namespace ddla::factor
