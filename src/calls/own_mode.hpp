// Callers' functions among options: what they change of the floating-point mode is undone.
#pragma once

#include "ddla/fp_mode.hpp"

namespace ddla::api {

/// The options with a watch that leaves the mode as it finds it.
template <class Options>
Options in_own_mode(const Options& options)
{
    Options mine = options;
    if (options.watch)
        mine.watch = [watch = options.watch](const auto& now) {
            const fp_mode_guard as_before;
            return watch(now);
        };
    return mine;
}

}  // namespace ddla::api
