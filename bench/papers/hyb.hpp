// HYB's product on the device.
#pragma once

#include "hyb_layout.hpp"

#include <cuda_runtime_api.h>

namespace bench {

/// The layout at the device.
class hyb_matrix {
public:
    explicit hyb_matrix(const hyb_layout& on_host);
    /// y = alpha A x + beta y.  Only enqueues.
    void multiply(double alpha, const double* x, double beta, double* y, cudaStream_t stream) const;

    struct view {
        std::int64_t rows, width, entries;  ///< entries of the list
        const std::int32_t *column, *list_row, *list_column;
        const double *value, *list_value;
    };

private:
    template <class E>
    const E* kept(const std::vector<E>& on_host);

    std::vector<ddla::buffer> memory_;
    view view_{};
};

}  // namespace bench
