// How products of slices should load: measured, bench/notes.
#pragma once

#include "formats/storage.hpp"

namespace ddla::device_backend {

/// Whether it pays to put the words of x side by side first, which passes over all of x.
template <class V>
bool gathers_numbers(const csr<V>& a)
{
    return a.storage->scattered() || (a.storage->far > 3.0 / 7 && a.nonzeros() >= 8 * a.columns);
}
/// Past shared memory: it leaves more of the first-level cache to x.  That is worth less than
/// the warps it costs where rows are long, for neighbours who walk through them side by side
/// need the same part of x, and in double where rows hardly have entries or short ones are
/// sorted; in double-double where rows are short or of many lengths.
template <class T, class V>
bool loads_directly(const csr<V>& a)
{
    const auto& stored = *a.storage;
    if (!stored.scattered()) return false;
    if (words_of<T> == 1) {
        if (stored.sorted && stored.slots_of_short_slice() < 5) return false;
        return stored.slices.of_long > 0 ||
               (a.nonzeros() >= 2 * a.rows && a.nonzeros() <= 128 * a.rows);
    }
    return stored.slices.of_long == 0 && !(stored.sorted && a.nonzeros() <= 16 * a.rows);
}

}  // namespace ddla::device_backend
