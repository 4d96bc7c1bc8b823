// The geometric mean of ratios.
#pragma once

#include <cmath>

namespace bench {

struct ratio_mean {
    double log = 0;
    int count = 0;
    void add(double ratio)
    {
        log += std::log(ratio);
        ++count;
    }
    /// 0 of none.
    double mean() const { return count ? std::exp(log / count) : 0; }
};

}  // namespace bench
