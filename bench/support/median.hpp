// The middle one of some values.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace bench {

inline double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// Of so many values of f().
template <class F>
double median(int samples, const F& f)
{
    std::vector<double> values;
    for (int k = 0; k < samples; ++k) values.push_back(f());
    return median(std::move(values));
}

}  // namespace bench
