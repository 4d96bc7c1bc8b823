// Numbers by which the command chooses a place, as the tuning.hpp of a backend has those of the
// backend: name, unit, evidence.  None of them changes a bit of a result.
#pragma once

#include <cstdint>

namespace ddla::cli::tuning {

/// Bytes that a host moves while a device starts, in about 0.4 s: 494_bus took 0.45 s there and
/// 0.065 s on the host, in all (H200, AMD EPYC).
inline constexpr double bytes_of_start = 4e9;
/// Multiplications of factors that a thread of the host does while a device starts.  Chosen: half a
/// second at 2e10 a second; bench/notes/device_factors.md.
inline constexpr double factor_work_of_start = 1e10;
/// Iterations that are counted: of 84 real systems on which BiCGStab with Jacobi converged, three
/// quarters took fewer than 525.
inline constexpr std::int64_t usual_iterations = 500;

}  // namespace ddla::cli::tuning
