// The values of a combination, a tile at a time: see steps/basis.hpp.
#pragma once

#include "host/simd/tile.hpp"
#include "steps/basis.hpp"

namespace ddla::host_backend {

/// Vector after vector over the same 256 elements, so that loops are over elements.
template <steps::combination Step>
struct combinations {
    using results = lanes<typename Step::scalar>;
    Step step;
    index_t count;

    [[gnu::always_inline]] void operator()(index_t begin, index_t end, results& value) const
    {
        const index_t n = end - begin;
#pragma GCC ivdep
        for (index_t i = 0; i < n; ++i) value.set(i, step.start(steps::own(step, begin + i)));
        for (index_t k = 0; k < count; ++k) {
            const auto c = step.coefficient[k];
            const auto v = step.basis.vector(k);
#pragma GCC ivdep
            for (index_t i = 0; i < n; ++i)
                value.set(i, Step::next(value.get(i), c, v.get(begin + i)));
        }
    }
};

}  // namespace ddla::host_backend
