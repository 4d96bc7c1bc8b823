// What a user does, in programs that give a hash: the same at the host and at a device.
#pragma once

#include "ddla/place.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace test {

struct scenario {
    std::string name;
    /// The hash of all results, at a place.
    std::function<std::uint64_t(ddla::place)> run;
    /// ddla may do without what has failed: another format, a smaller measurement.
    bool may_do_without = false;
    /// Counts kernels of which a run on a device must start some; null if it has none of its own.
    std::int64_t (*kernels)() = nullptr;
};

scenario vectors();
std::vector<scenario> streams();
std::vector<scenario> conversions();
std::vector<scenario> solves();
/// An object that is used again where a use of it failed: that must be as if nothing had been.
scenario factors_again();
/// Factors of each kind, made at the place.
scenario factors_made();
/// What tune() is made of, and tune() itself.
scenario measurements();
scenario tuning();
/// Some of all, for what happens only once in a process.  The first part needs no CUB.
scenario without_conversions();
scenario with_conversions();

}  // namespace test
