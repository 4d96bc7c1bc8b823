// Launches products with several vectors.
#pragma once

#include "column_rows.cuh"
#include "device/schedule/schedule.hpp"
#include "formats/storage.hpp"
#include "long_row_launcher.cuh"

namespace ddla::device_backend {

class column_launcher {
public:
    explicit column_launcher(launcher& to) : to_(to), long_rows_(to) {}

    /// Whether a kernel reads A once, from the compressed rows.  Not where another format is
    /// stored, whose products are faster one by one, nor of few rows, nor where nobody has looked
    /// for long rows.
    template <class V>
    static bool reads_once(const csr<V>& a)
    {
        const index_t wanted = current_schedule().column_rows;
        const bool knows_long_rows = a.longest_row <= tile_size || a.long_rows.count > 0;
        const bool has_patterns = a.storage && a.storage->patterns.count > 0;
        if (wanted > 0) return knows_long_rows && !has_patterns && a.rows >= wanted;
        return knows_long_rows && !a.storage && a.rows >= tuning::least_rows_of_columns;
    }

    /// Two to eight products, if reads_once().
    template <class T, class V>
    void multiply(std::span<const steps::spmv<T>> some, const csr<V>& a)
    {
        const column_products<T> all(some);
        if (a.long_rows.count < a.rows)
            to_.start(multiply_columns<T, V>, launcher::blocks(a.rows, block_size), all, a);
        if (a.long_rows.count > 0) multiply_long(all, a);
    }

private:
    template <class T, class V>
    void multiply_long(const column_products<T>& all, const csr<V>& a)
    {
        const long_row_list& list = a.long_rows;
        T* const part = long_rows_.parts<T>(list, all.count);
        const int each = launcher::some_for_each_warp(list.tiles);
        to_.start(sum_tiles_of_columns<T, V>, launcher::blocks(list.tiles, warps_per_block * each),
                  all, a, part, each);
        for (int c = 0; c < all.count; ++c)
            long_rows_.fold(list, part + c * list.tiles,
                            finish_row<steps::spmv<T>>{all.of[c], list.row}, nullptr);
    }

    launcher& to_;
    long_row_launcher long_rows_;
};

}  // namespace ddla::device_backend
