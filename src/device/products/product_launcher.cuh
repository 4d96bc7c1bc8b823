// Launches products, each by the kernel of the format of A.  Their kernels are many: each is
// compiled in one unit (products_by_format.cuh, product_unit.in), whoever launches products.
#pragma once

#include "columns.cuh"
#include "device/core/launcher.cuh"
#include "device/schedule/schedule.hpp"
#include "product_sums.cuh"

namespace ddla::device_backend {

/// `end`, in all of these: if not null, nothing is written once that solve has ended.
class product_launcher {
public:
    product_launcher(launcher& to, const schedule& s) : to_(to), schedule_(s) {}

    /// y = alpha A x + beta y in the format of A, ...
    template <class T, class V>
    void multiply(const steps::spmv<T>& step, const csr<V>& a, const steps::end_of_solve* end);
    /// ... or several such products (columns.cuh).
    template <class T, class V>
    void multiply(const column_products<T>& all, const csr<V>& a, const steps::end_of_solve* end);
    /// Whether the product can also compute the sums of tiles: its blocks have whole tiles.
    template <class V>
    bool leaves_sums(const csr<V>& a) const
    {
        return leaves_sums(schedule_, a);
    }
    template <class V>
    static bool leaves_sums(const schedule& s, const csr<V>& a)
    {
        return a.storage && s.product_sums >= 0 && a.storage->patterns.count > 0;
    }
    /// y = A x with the sums of its tiles, if leaves_sums().
    template <class T, class V>
    void multiply_and_sum(const product_with_sums<T>& product, const csr<V>& a,
                          const steps::end_of_solve* end);

private:
    launcher& to_;
    const schedule& schedule_;
};

}  // namespace ddla::device_backend
