// Where factors are made.
#pragma once

#include "calls/place_of.hpp"
#include "refine/factor_stages.hpp"

namespace ddla::api {

/// Below so much work, in multiplications of double by supernodes, a device is not worth it: the
/// levels of the tree take it some milliseconds.  bench/notes/device_factors.md.
constexpr double least_work_at_device = 3e8;

/// At `here`, or where the caller says.
inline refine::place_of_factors factors_at(engine& here,
                                           const std::function<place(double work)>& asked = {})
{
    return [&here, asked](double work) -> factor::factor_operations* {
        if (work < least_work_at_device) return nullptr;
        return (asked ? engine_at(asked(work)) : here).factors();
    };
}

}  // namespace ddla::api
