// Functions of the caller as ddla calls them.
#pragma once

#include "handles.hpp"

namespace ddla::c {

template <scalar T>
host_function<T> host_code(ddla_apply apply, void* data)
{
    required(apply, "apply");
    return [=](vec<const T> x, vec<T> y) {
        call_back("the function", [&] {
            return apply(data, x.size, x.word(0), low_word(x), y.size, y.word(0), low_word(y));
        });
    };
}

template <scalar T>
device_function<T> device_code(ddla_apply_on_stream apply, void* data)
{
    required(apply, "apply");
    return [=](void* stream, vec<const T> x, vec<T> y) {
        call_back("the function", [&] {
            return apply(data, stream, x.size, x.word(0), low_word(x), y.size, y.word(0),
                         low_word(y));
        });
    };
}

inline recording recording_of(int32_t may_record)
{
    return may_record ? recording::allowed : recording::refused;
}

/// For watch of an option struct; empty for none.
inline std::function<bool(const solve_progress&)> watch_of(ddla_watch watch, void* data)
{
    if (!watch) return {};
    return [=](const solve_progress& p) {
        const std::string stage(p.stage);
        const ddla_progress progress = {sizeof progress, p.iterations, p.relative_residual, p.done,
                                        stage.c_str()};
        bool goes_on = true;
        call_back("watch", [&] {
            goes_on = watch(data, &progress) == 0;
            return 0;
        });
        return goes_on;
    };
}

}  // namespace ddla::c
