// Launches the sums of rows longer than a tile: one kernel sums their tiles, one folds these sums.
#pragma once

#include "device/core/launcher.cuh"
#include "long_rows.cuh"

namespace ddla::device_backend {

class long_row_launcher {
public:
    explicit long_row_launcher(launcher& to) : to_(to) {}

    /// The sums of the rows of a list, in its order; null if it is empty.  Those for the next
    /// product are sums_apart() further on.
    template <class Products, class Rows>
    const typename Rows::value* sums_of(const Products& products, const Rows& rows,
                                        const long_row_list& list)
    {
        using value = typename Rows::value;
        if (list.count == 0) return nullptr;
        value* const total = parts<value>(products, list) + list.tiles;
        sum(products, rows, list, keep_sum<value>{total}, nullptr);
        return total;
    }
    /// done(index in the list, sum) for each row, from compressed rows.
    template <class Products, class Rows, class Done>
    void sum(const Products& products, const Rows& rows, const long_row_list& list,
             const Done& done, const steps::end_of_solve* end)
    {
        using value = typename Rows::value;
        if (list.count == 0) return;
        const int each = launcher::some_for_each_warp(list.tiles);
        const auto& shared = without_step(products);
        using kind = std::remove_cvref_t<decltype(shared)>;
        to_.start(sum_tiles_of_long_rows<kind, Rows>,
                  count_of(products) * launcher::blocks(list.tiles, warps_per_block * each), shared,
                  rows, list, parts<value>(products, list), each, end);
        fold<value>(products, list, done, end);
    }
    /// The same when parts() has the sums of all tiles.
    template <class Value, class Products, class Done>
    void fold(const Products& products, const long_row_list& list, const Done& done,
              const steps::end_of_solve* end)
    {
        const int each = static_cast<int>(
            std::clamp<index_t>(list.count / tuning::rows_of_fold, 1, tuning::most_rows_of_fold));
        const auto& shared = without_step(products);
        using kind = std::remove_cvref_t<decltype(shared)>;
        to_.start(fold_long_rows<kind, Value, Done>,
                  count_of(products) * launcher::blocks(list.count, warps_per_block * each), shared,
                  list, parts<Value>(products, list), done, each, end);
    }

    /// f(row sums of compressed A with these terms), for a step over rows or for products.
    template <class Terms, class T, class V, class F, class Products = one_product>
    void with_rows(const Terms& terms, const csr<V>& a, vec<const T> x, const F& f,
                   const Products& products = {})
    {
        if constexpr (has_short_row_sums<Terms, V>)
            if (a.longest_row <= longest_short_row)
                return f(short_row_sums<Terms, vec<const T>>(terms, a, x));
        row_sums rows(terms, a, x);
        if (a.long_rows.count > 0) {
            rows.long_sums = sums_of(products, rows, a.long_rows);
            rows.long_sums_apart = sums_apart(a.long_rows);
        }
        f(rows);
    }

    /// Scratch for each product: the sums of the tiles of long rows, then those of the rows.
    template <class Value, class Products>
    Value* parts(const Products& products, const long_row_list& list)
    {
        auto& memory = to_.memory().of_rows;
        memory.reserve(
            static_cast<std::size_t>(sums_apart(list)) * count_of(products) * sizeof(Value), 0);
        return static_cast<Value*>(memory.sums);
    }

private:
    launcher& to_;
};

}  // namespace ddla::device_backend
