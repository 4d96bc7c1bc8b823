// How products of slices load leaves and x.
#pragma once

#include "device/tuning.hpp"
#include "formats/storage.hpp"

namespace ddla::device_backend {

/// Whether most lanes gather x from another cache line than the previous lane.
template <class V>
bool is_scattered(const row_storage<V>& stored)
{
    return stored.far > tuning::scattered;
}
/// Whether an interleaved copy of x pays; making it reads all of x.
template <class V>
bool pays_to_interleave(const csr<V>& a)
{
    return is_scattered(*a.storage) || (a.storage->far > tuning::interleaved_far &&
                                        a.nonzeros() >= tuning::interleaved_entries * a.columns);
}
/// Whether lanes load leaves directly, without shared memory, where x is scattered.  That leaves
/// more of L1 to x, but fewer warps fit on an SM.  In double not if short rows are sorted, nor for
/// mean lengths below 2 or above 128, unless rows longer than a tile are stored: warps that walk
/// through long rows together gather the same part of x anyway.  In double-double not if rows
/// longer than a tile are stored, nor if short rows are sorted.
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
