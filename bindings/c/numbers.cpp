// Single numbers, and the devices.
#include "guarded.hpp"
#include "structs.hpp"

#include "ddla/dd_real.hpp"
#include "ddla/devices.hpp"
#include "ddla/memory_place.hpp"
#include "ddla/text.hpp"

using namespace ddla::c;

namespace {

ddla::dd_real value(ddla_dd x)
{
    return {x.hi, x.lo};
}
ddla_dd pair(ddla::dd_real x)
{
    return {x.hi, x.lo};
}

/// f(x, y), rounded to nearest whatever the caller's mode.
template <class F>
ddla_dd exactly(const F& f, ddla_dd x, ddla_dd y = {})
{
    const ddla::fp_mode_guard exact;
    exact.hold(x), exact.hold(y);
    ddla_dd z = pair(f(value(x), value(y)));
    exact.hold(z);
    return z;
}

}  // namespace

extern "C" {

ddla_dd ddla_dd_add(ddla_dd x, ddla_dd y)
{
    return exactly([](auto a, auto b) { return a + b; }, x, y);
}
ddla_dd ddla_dd_subtract(ddla_dd x, ddla_dd y)
{
    return exactly([](auto a, auto b) { return a - b; }, x, y);
}
ddla_dd ddla_dd_multiply(ddla_dd x, ddla_dd y)
{
    return exactly([](auto a, auto b) { return a * b; }, x, y);
}
ddla_dd ddla_dd_divide(ddla_dd x, ddla_dd y)
{
    return exactly([](auto a, auto b) { return a / b; }, x, y);
}
ddla_dd ddla_dd_sqrt(ddla_dd x)
{
    return exactly([](auto a, auto) { return sqrt(a); }, x);
}
ddla_dd ddla_dd_abs(ddla_dd x)
{
    return exactly([](auto a, auto) { return abs(a); }, x);
}
int32_t ddla_dd_less(ddla_dd x, ddla_dd y)
{
    const ddla::fp_mode_guard exact;  // where subnormal numbers are not zeros
    exact.hold(x), exact.hold(y);
    bool is = value(x) < value(y);
    exact.hold(is);
    return is;
}

ddla_status ddla_dd_parse(const char* text, ddla_dd* x)
{
    return guarded([&] {
        required(x, "x");
        *x = pair(ddla::parse_dd(&required(text, "text")));
    });
}

ddla_status ddla_dd_format(ddla_dd x, int32_t digits, char* text, size_t room)
{
    return guarded([&] {
        copy_text(digits == 0 ? to_string(value(x)) : to_string(value(x), digits), text, room,
                  "text");
    });
}

ddla_status ddla_device_count(int32_t* count)
{
    return guarded(
        [&] { required(count, "count") = static_cast<int32_t>(ddla::devices().size()); });
}

ddla_status ddla_device_state(int32_t k, ddla_device* device)
{
    return guarded([&] {
        const auto all = ddla::devices();
        if (k < 0 || static_cast<std::size_t>(k) >= all.size())
            throw ddla::input_error("there is no device " + std::to_string(k) + " among " +
                                    std::to_string(all.size()));
        const ddla::device_info& about = all[static_cast<std::size_t>(k)];
        const ddla::device_state state = ddla::state_of_device(k);
        ddla_device found = {};
        cut(about.name, found.name);
        found.architecture = about.architecture;
        found.multiprocessors = about.multiprocessors;
        found.bytes = about.bytes;
        found.free_bytes = state.free_bytes;
        found.usable = state.usable();
        cut(state.problem, found.problem);
        hand_over(found, device, "device");
    });
}

ddla_status ddla_release_kept_memory(int32_t k)
{
    return guarded([&] { ddla::release_kept_memory(k); });
}

ddla_status ddla_place_of_memory(const void* data, ddla_place* at)
{
    return guarded([&] { required(at, "at") = ddla::place_of_memory(data).device_index; });
}

ddla_status ddla_why_no_device(char* text, size_t room)
{
    return guarded([&] { copy_text(ddla::why_no_device(), text, room, "text"); });
}

ddla_status ddla_cuda_versions(char* driver, char* runtime, size_t room_of_each)
{
    return guarded([&] {
        const ddla::cuda_versions found = ddla::versions_of_cuda();
        copy_text(found.driver, driver, room_of_each, "driver");
        copy_text(found.runtime, runtime, room_of_each, "runtime");
    });
}
}
