// Arrays of the caller as ddla keeps them: indices of 32 or 64 bits from 0 or 1, values as words or
// pairs.
#pragma once

#include "handles.hpp"
#include "structs.hpp"

#include <limits>

namespace ddla::c {

/// Index k of an array whose numbers have so many bits.
inline std::int64_t index_at(const void* array, std::int32_t bits, std::int64_t k)
{
    return bits == 32 ? static_cast<const std::int32_t*>(array)[k]
                      : static_cast<const std::int64_t*>(array)[k];
}

inline void check_bits(std::int32_t bits, const char* name)
{
    if (bits != 32 && bits != 64)
        throw misuse(std::string(name) + " must be 32 or 64, not " + std::to_string(bits));
}

/// A number from `base` on as one from 0.  The difference is exact: both are checked before.
inline std::int64_t from_base(std::int64_t i, std::int64_t base)
{
    if (i < base)
        throw input_error("index " + std::to_string(i) + " is below index_base, which is " +
                          std::to_string(base) + " (0 and 1 are allowed)");
    return i - base;
}

/// The same as a column number; the matrix checks it against its columns.
inline column_t column_number(std::int64_t i, std::int64_t base)
{
    const std::int64_t j = from_base(i, base);
    if (j > std::numeric_limits<column_t>::max())
        throw input_error("index " + std::to_string(i) + " is more than 32 bits hold");
    return static_cast<column_t>(j);
}

inline void check_base(std::int64_t base)
{
    if (base != 0 && base != 1)
        throw misuse("index_base must be 0 or 1, not " + std::to_string(base));
}

/// The fields that ddla_csr and ddla_coordinates have in common.
template <class Arrays>
void check_values(const Arrays& from)
{
    if (from.rows < 0 || from.columns < 0 || from.nonzeros < 0)
        throw input_error("a matrix cannot be " + std::to_string(from.rows) + " x " +
                          std::to_string(from.columns) + " with " + std::to_string(from.nonzeros) +
                          " entries");
    check_base(from.index_base);
    if (from.pairs && (from.hi || from.lo)) throw misuse("pairs are given, and hi or lo as well");
    if (!from.pairs) required_array(from.hi, from.nonzeros, "hi");
}
template <class Arrays>
ddla_precision precision_of_values(const Arrays& from)
{
    return from.pairs || from.lo ? DDLA_DD : DDLA_DOUBLE;
}

/// Value k.
template <scalar V, class Arrays>
V value_at(const Arrays& from, std::int64_t k)
{
    if constexpr (words_of<V> == 1)
        return from.hi[k];
    else
        return from.pairs ? V(from.pairs[k].hi, from.pairs[k].lo) : V(from.hi[k], from.lo[k]);
}

inline ddla_csr default_csr()
{
    ddla_csr arrays = {};
    arrays.row_begin_bits = arrays.column_bits = 32;
    return arrays;
}

/// What the caller gave, whose arrays are there.
inline ddla_csr checked_csr(const ddla_csr* arrays, const char* name)
{
    const ddla_csr from = given(&required(arrays, name), default_csr(), name);
    check_values(from);
    check_bits(from.row_begin_bits, "row_begin_bits");
    check_bits(from.column_bits, "column_bits");
    required_array(from.row_begin, 1, "row_begin");
    required_array(from.column, from.nonzeros, "column");
    return from;
}

}  // namespace ddla::c
