// The border: what C callers get wrong, and exceptions, become a status and a sentence.
#pragma once

#include "ddla.h"

#include "ddla/error.hpp"
#include "ddla/fp_mode.hpp"

#include <new>
#include <string>

namespace ddla::c {

/// A call that is wrong whatever the data are.
class misuse : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A function of the caller that says it failed.
class callback_failed : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// Keeps the sentence for ddla_last_error() of this thread, cut to what has room.
ddla_limit limit_of(limit_kind kind) noexcept;
void keep_error(const char* text) noexcept;

/// The status of an exception that is being handled, its sentence kept.
ddla_status status_of_exception() noexcept;

template <class F>
ddla_status guarded(const F& f) noexcept
{
    const fp_mode_guard exact;
    try {
        f();
        return DDLA_OK;
    } catch (...) {
        return status_of_exception();
    }
}

/// *p, or misuse that names it.
template <class P>
P& required(P* p, const char* name)
{
    if (!p) throw misuse(std::string(name) + " is NULL");
    return *p;
}
/// Where a result goes: a handle reads NULL until it is there.
template <class P>
P*& required_handle(P** p, const char* name)
{
    P*& to = required(p, name);
    to = nullptr;
    return to;
}
/// Two of them: where one place is missing, the other one reads NULL, too.
template <class P>
void require_handles(P** p, const char* name, P** q, const char* other)
{
    for (P** const to : {p, q})
        if (to) *to = nullptr;
    required(p, name);
    required(q, other);
}
/// An array that may be NULL only if it is empty.
template <class P>
P* required_array(P* p, std::int64_t n, const char* name)
{
    if (!p && n > 0) throw misuse(std::string(name) + " is NULL");
    return p;
}

/// Throws callback_failed unless a function of the caller succeeds.
template <class F>
void call_back(const char* what, const F& f)
{
    int result = 0;
    try {
        result = f();
    } catch (...) {
        throw callback_failed(std::string(what) + " threw an exception");
    }
    if (result != 0)
        throw callback_failed(std::string(what) + " returned " + std::to_string(result));
}

/// Copies text with a final zero; throws misuse if there is no room for it.
void copy_text(const std::string& text, char* to, std::size_t room, const char* name);

}  // namespace ddla::c
