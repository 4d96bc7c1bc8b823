// A hash of the sparsity pattern of a matrix.
#include "ddla/format_memory.hpp"

#include "mixed_hash.hpp"

namespace ddla {

namespace {

/// n bytes from another place.
buffer here(const void* from, place at, std::size_t bytes)
{
    buffer copy(bytes, host);
    if (bytes > 0) copy_bytes(copy.data(), host, from, at, bytes);
    return copy;
}

/// The column numbers, two to a word.
std::uint64_t mixed_columns(std::uint64_t h, const column_t* column, index_t n)
{
    const auto number = [&](index_t k) {
        return std::uint64_t{static_cast<std::uint32_t>(column[k])};
    };
    for (index_t k = 0; k + 1 < n; k += 2) h = api::mixed(h, number(k) << 32 | number(k + 1));
    return n % 2 == 0 ? h : api::mixed(h, number(n - 1));
}

}  // namespace

template <scalar V>
std::uint64_t structure_hash(const csr_matrix<V>& a)
{
    csr<V> v = a.view();
    buffer row_begin, column;  // copies of what lies elsewhere; the values stay there
    if (!a.where().is_host()) {
        const auto offset = static_cast<std::size_t>(v.row_begin.bytes());
        row_begin =
            here(v.row_begin.data(), a.where(), static_cast<std::size_t>(v.rows + 1) * offset);
        column =
            here(v.column, a.where(), static_cast<std::size_t>(v.nonzeros()) * sizeof(column_t));
        v.column = static_cast<const column_t*>(column.data());
        v.row_begin = v.row_begin.is_wide()
                          ? row_offsets(static_cast<const index_t*>(row_begin.data()))
                          : row_offsets(static_cast<const std::int32_t*>(row_begin.data()));
    }
    std::uint64_t h =
        api::mixed(static_cast<std::uint64_t>(v.rows), static_cast<std::uint64_t>(v.columns));
    for (index_t i = 0; i < v.rows; ++i)
        h = api::mixed(h, static_cast<std::uint64_t>(v.row_begin[i + 1]));
    return mixed_columns(h, v.column, v.nonzeros());
}

#define DDLA_INSTANTIATE(T) template std::uint64_t structure_hash(const csr_matrix<T>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
