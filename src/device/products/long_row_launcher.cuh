// Launches the sums of rows longer than a tile: one kernel sums their tiles, one folds these sums.
#pragma once

#include "device/core/launcher.cuh"
#include "long_rows.cuh"

namespace ddla::device_backend {

class long_row_launcher {
public:
    explicit long_row_launcher(launcher& to) : to_(to) {}

    /// The sums of the rows of a list, in its order; null if it is empty.
    template <class Rows>
    const typename Rows::value* sums_of(const Rows& rows, const long_row_list& list)
    {
        using value = typename Rows::value;
        if (list.count == 0) return nullptr;
        value* const total = parts<value>(list) + list.tiles;
        sum(rows, list, keep_sum<value>{total}, nullptr);
        return total;
    }
    /// done(index in the list, sum) for each row, from compressed rows.
    template <class Rows, class Done>
    void sum(const Rows& rows, const long_row_list& list, const Done& done,
             const steps::end_of_solve* end)
    {
        using value = typename Rows::value;
        if (list.count == 0) return;
        const int each = launcher::some_for_each_warp(list.tiles);
        to_.start(sum_tiles_of_long_rows<Rows>,
                  launcher::blocks(list.tiles, warps_per_block * each), rows, list,
                  parts<value>(list), each, end);
        fold<value>(list, done, end);
    }
    /// The same when parts() has the sums of all tiles, ...
    template <class Value, class Done>
    void fold(const long_row_list& list, const Done& done, const steps::end_of_solve* end)
    {
        fold(list, parts<Value>(list), done, end);
    }
    /// ... or `part`.
    template <class Value, class Done>
    void fold(const long_row_list& list, Value* part, const Done& done,
              const steps::end_of_solve* end)
    {
        const int each = static_cast<int>(
            std::clamp<index_t>(list.count / tuning::rows_of_fold, 1, tuning::most_rows_of_fold));
        to_.start(fold_long_rows<Value, Done>, launcher::blocks(list.count, warps_per_block * each),
                  list, part, done, each, end);
    }

    /// Scratch: the sums of the tiles of long rows, then those of the rows; so often.
    template <class Value>
    Value* parts(const long_row_list& list, int times = 1)
    {
        auto& memory = to_.memory().of_rows;
        memory.reserve(static_cast<std::size_t>((list.tiles + list.count) * times) * sizeof(Value),
                       0);
        return static_cast<Value*>(memory.sums);
    }

private:
    launcher& to_;
};

}  // namespace ddla::device_backend
