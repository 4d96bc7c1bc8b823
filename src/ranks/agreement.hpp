// What ranks agree on beside sums.
#pragma once

#include "ddla/communicator.hpp"
#include "ddla/error.hpp"
#include "ddla/views.hpp"

#include "storage/asked_loops.hpp"

#include <exception>
#include <optional>

namespace ddla::ranks {

/// Runs `work`, which all ranks run, and which calls the others.  What it throws that they do not
/// see, as a lack of memory or an error of the caller's code, ends the others, too.
template <class Work>
auto together(communicator& among, const Work& work)
try {
    std::optional<unasked_loops> as_others;
    if (among.size() > 1) as_others.emplace();
    return work();
} catch (const input_error&) {  // of arguments and of data that all have looked at
    throw;
} catch (const limit_error&) {
    throw;
} catch (const common_resource_error&) {
    throw;
} catch (const std::exception& e) {
    among.fail(e.what());
    throw;
} catch (...) {
    among.fail("a function of the caller threw");
    throw;
}

/// The largest of what the ranks have; NaN where one is.
double largest_of(communicator& among, double mine);
/// The smallest.
index_t smallest_of(communicator& among, index_t mine);
}  // namespace ddla::ranks
