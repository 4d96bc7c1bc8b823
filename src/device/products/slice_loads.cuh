// How products of slices should load.
#pragma once

#include "device/tuning.hpp"
#include "formats/storage.hpp"

namespace ddla::device_backend {

/// Most lanes gather x far from where their neighbours do.
template <class V>
bool is_scattered(const row_storage<V>& stored)
{
    return stored.far > tuning::scattered;
}
/// Whether it pays to put the words of x side by side first, which passes over all of x.
template <class V>
bool gathers_numbers(const csr<V>& a)
{
    return is_scattered(*a.storage) || (a.storage->far > tuning::interleaved_far &&
                                        a.nonzeros() >= tuning::interleaved_entries * a.columns);
}
/// Past shared memory: it leaves more of the first-level cache to x.  That is worth less than
/// the warps it costs where rows are long, for neighbours who walk through them side by side
/// need the same part of x, and in double where rows hardly have entries or short ones are
/// sorted; in double-double where rows are short or of many lengths.
template <class T, class V>
bool loads_directly(const csr<V>& a)
{
    const auto& stored = *a.storage;
    if (!is_scattered(stored)) return false;
    if (words_of<T> == 1) {
        if (stored.sorted && stored.slots_of_short_slice() < tuning::direct_slots) return false;
        return stored.slices.of_long > 0 || (a.nonzeros() >= tuning::direct_from * a.rows &&
                                             a.nonzeros() <= tuning::direct_to * a.rows);
    }
    return stored.slices.of_long == 0 &&
           !(stored.sorted && a.nonzeros() <= tuning::staged_if_sorted * a.rows);
}

}  // namespace ddla::device_backend
