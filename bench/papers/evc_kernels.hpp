// EVC-HYB's product after its paper's listings, and what is measured of it.
#pragma once

#include "evc_layout.hpp"

#include "ddla/vector.hpp"

#include <cuda_runtime_api.h>

namespace bench {

/// The layout at the device.
class evc_matrix {
public:
    explicit evc_matrix(const evc_layout& on_host);

    struct view {
        int ell_parts, csr_ranges, ell_blocks, blocks;
        const std::int32_t *ell_row, *ell_block, *ell_length, *csr_row, *csr_block;
        const std::int64_t *ell_begin, *csr_begin;
        const std::int32_t *order, *column, *csr_column;
        const double *value, *csr_value;
        int split, rows;
    };
    const view& at() const { return view_; }

private:
    template <class E>
    const E* kept(const std::vector<E>& on_host);

    std::vector<ddla::buffer> memory_;
    view view_{};
};

/// What a kernel loads: T_total, T_A + T_Y, T_X + T_Y, T_Y of the paper; and x by plain loads.
enum class evc_loads { all, no_x, no_a, neither, x_without_read_only_path };

template <ddla::scalar T>
struct evc_product {
    T alpha, beta;
    ddla::vec<const T> x;
    ddla::vec<T> y;  ///< in the order of the layout
};

/// Only enqueues.
template <ddla::scalar T>
void multiply(const evc_matrix& a, evc_loads loads, const evc_product<T>& p, cudaStream_t stream);

/// y = sorted + beta y, row k of `sorted` where the layout had it from.
template <ddla::scalar T>
void put_in_order(const evc_matrix& a, ddla::vec<const T> sorted, T beta, ddla::vec<T> y,
                  cudaStream_t stream);

}  // namespace bench
