// Solving for a right-hand side whose squares would overflow or vanish.
#pragma once

#include "norm.hpp"

namespace ddla::steps {

/// A power of two that brings a b of this magnitude into the range where squares are safe; 1 for
/// the b that are there.
inline double scale_for(double magnitude)
{
    return magnitude > 0x1p-200 && magnitude < 0x1p+200 ? 1.0 : scale_to_one(magnitude);
}

/// Run solve(scale) on x scaled, and scale back.  Powers of two: no bit of the result changes.
template <class Backend, class Memory, class T, class Solve>
auto scaled_solve(Backend& on, Memory& memory, vec<const T> b, vec<T> x, const Solve& solve)
{
    auto* const most = memory.template objects<largest>(1);
    on.run(largest_magnitude<T>{{}, most, b}, b.size);
    const double scale = scale_for(on.read(most).value);
    if (scale == 1) return solve(scale);

    auto* const factor = memory.template objects<T>(1);
    on.write(factor, T(scale));
    on.run(scal<T>{{{}, factor}, x}, x.size);
    const auto end = solve(scale);
    on.write(factor, T(1 / scale));
    on.run(scal<T>{{{}, factor}, x}, x.size);
    return end;
}

}  // namespace ddla::steps
