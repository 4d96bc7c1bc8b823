// Data of any place at the host, for work that is done there.
#pragma once

#include "ddla/csr_matrix.hpp"

namespace ddla::api {

/// Numbers of a place, in double-double at the host.
template <scalar T>
vector<dd_real> at_host(vec<const T> x, place where)
{
    vector<dd_real> here(x.size);
    for (int k = 0; k < words_of<T>; ++k)
        copy_bytes(here.word(k).data(), host, x.word(k), where, here.word(k).size_bytes());
    return here;
}

/// The other way; words that T has not are left out.
template <scalar T>
void copy_back(vector<dd_real>& from, vec<T> to, place where)
{
    for (int k = 0; k < words_of<T>; ++k)
        copy_bytes(to.word(k), where, from.word(k).data(), host, from.word(k).size_bytes());
}

/// A at the host: itself, or a copy.
template <scalar V>
class rows_at_host {
public:
    rows_at_host(const csr<V>& a, place where)
    {
        view_ = a;
        view_.storage = nullptr;
        if (where.is_host()) return;
        const auto bytes_of_offsets = static_cast<std::size_t>((a.rows + 1) * a.row_begin.bytes());
        const auto entries = static_cast<std::size_t>(a.nonzeros());
        offsets_ = copy_of(a.row_begin.data(), bytes_of_offsets, where);
        columns_ = copy_of(a.column, entries * sizeof(column_t), where);
        values_ = vector<V>(a.nonzeros());
        for (int k = 0; k < words_of<V>; ++k)
            copy_bytes(values_.word(k).data(), host, a.value.word(k), where,
                       entries * sizeof(double));
        view_.row_begin = a.row_begin.is_wide()
                              ? row_offsets(static_cast<const index_t*>(offsets_.data()))
                              : row_offsets(static_cast<const std::int32_t*>(offsets_.data()));
        view_.column = static_cast<const column_t*>(columns_.data());
        view_.value = values_.view();
        view_.long_rows = {};
    }
    const csr<V>& view() const { return view_; }
    /// Of the copy, if it is one.
    std::size_t bytes() const
    {
        return offsets_.bytes() + columns_.bytes() +
               static_cast<std::size_t>(values_.size()) * sizeof(V);
    }

private:
    static buffer copy_of(const void* data, std::size_t bytes, place where)
    {
        buffer here(bytes, host);
        copy_bytes(here.data(), host, data, where, bytes);
        return here;
    }

    csr<V> view_;
    buffer offsets_, columns_;
    vector<V> values_;
};

}  // namespace ddla::api
