#include "attempts.hpp"

#include "ddla/error.hpp"

#include <algorithm>

namespace test {

namespace {

using calls::call;

bool holds(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

bool is_of_driver(const call& c)
{
    return c.function.rfind("cu", 0) == 0 && c.function.rfind("cuda", 0) != 0;
}

/// As ddla's sentences call a function.
std::string name_in_sentence(const std::string& function)
{
    if (function == "cudaLaunchKernelExC") return "cudaLaunchKernelEx";
    for (const char* const ending : {"ByVersion", "WithFlags_", "WithFlags", "_v2"}) {
        const std::size_t at = function.rfind(ending);
        const bool at_end =
            at != std::string::npos && at + std::string(ending).size() == function.size();
        if (at_end && function != "cudaStreamCreateWithFlags") return function.substr(0, at);
    }
    return function;
}

bool names_memory(const std::string& what)
{
    return holds(what, "out of memory on device ") ||
           holds(what, "the host has no pinned memory left: ");
}

bool names_the_call(const std::string& what, const call& c, cudaError_t status)
{
    if (status == cudaErrorMemoryAllocation && c.gives_memory) return names_memory(what);
    if (is_of_driver(c))
        return holds(what, "the driver returns error " + std::to_string(int(status)));
    const auto status_is = [&](cudaError_t named) {
        return holds(what, std::string(": ") + cudaGetErrorName(named) + ")");
    };
    // CUB makes this of a device that it cannot find out.
    if (holds(what, " (cub::Device")) return status_is(status) || status_is(cudaErrorInvalidDevice);
    return holds(what, " (" + name_in_sentence(c.function) + " at src/device/") &&
           status_is(status);
}

outcome::type promised_for(const call& c, cudaError_t status)
{
    if (is_of_driver(c)) return outcome::type::resource;
    const bool machine = status == cudaErrorMemoryAllocation || status == cudaErrorUnknown;
    return machine ? outcome::type::resource : outcome::type::internal;
}

}  // namespace

bool may_go_on_without(const call& c, cudaError_t status)
{
    static const std::set<std::string> all{
        "cudaFree",          "cudaFreeAsync",
        "cudaFreeHost",      "cudaGetDevice",
        "cudaGraphDestroy",  "cudaGraphExecDestroy",
        "cudaStreamDestroy", "cudaMemPoolDestroy",
        "cudaSetDevice",     "cudaThreadExchangeStreamCaptureMode"};
    if (all.count(c.function) > 0 || is_of_driver(c)) return true;
    // The pool gives back what it keeps, and ddla asks again.
    if (c.gives_memory && status == cudaErrorMemoryAllocation) return true;
    // Another schedule goes on.
    return c.needs_room && status == cudaErrorCooperativeLaunchTooLarge;
}

outcome run_with(const scenario& s, ddla::place at, const calls::failure& wanted, calls::seen& seen)
{
    outcome o;
    const auto threw = [&o](outcome::type type, const std::exception& e) {
        o.thrown = type;
        o.what = e.what();
    };
    calls::begin(wanted);
    try {
        o.hash = s.run(at);
    } catch (const ddla::input_error& e) {
        threw(outcome::type::input, e);
    } catch (const ddla::resource_error& e) {
        threw(outcome::type::resource, e);
    } catch (const ddla::internal_error& e) {
        threw(outcome::type::internal, e);
    } catch (const std::exception& e) {
        threw(outcome::type::foreign, e);
    }
    seen = calls::end();
    return o;
}

std::string complaint_about(const outcome& o, const scenario& s, const calls::failure& wanted,
                            const calls::seen& seen, std::uint64_t expected)
{
    const auto must_be_told = [&](const call& c) {
        return !may_go_on_without(c, wanted.status) && !s.may_do_without;
    };
    if (o.hash) {
        if (*o.hash != expected) return "another result";
        const auto untold = std::find_if(seen.failed.begin(), seen.failed.end(), must_be_told);
        return untold == seen.failed.end() ? "" : "no exception";
    }
    // With more than one failure, the sentence may name any of them.
    const auto fits = [&](const call& c) {
        return names_the_call(o.what, c, wanted.status) &&
               (o.thrown == promised_for(c, wanted.status) ||
                (o.thrown == outcome::type::resource && holds(o.what, " (cub::Device")));
    };
    const bool one_fits = std::any_of(seen.failed.begin(), seen.failed.end(), fits);
    return one_fits ? "" : "another exception";
}

totals& all_together()
{
    static totals all;
    return all;
}

}  // namespace test
