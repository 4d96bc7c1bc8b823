// Structs that begin with their size: read and written as far as both sides know them.
#pragma once

#include "guarded.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

namespace ddla::c {

/// No struct comes near: a larger size is a field that nobody has set.
inline constexpr std::size_t largest_struct = 4096;

/// As much of a text as there is room for.
template <std::size_t N>
void cut(const std::string& text, char (&to)[N])
{
    const std::size_t n = std::min(text.size(), N - 1);
    std::memcpy(to, text.data(), n);
    to[n] = '\0';
}

/// Throws misuse unless a struct has the fields of version 0.1, which are all so far.  A struct
/// that grows names here how much of it was there at first.
template <class S>
void check_size(std::size_t size, const char* name)
{
    if (size < sizeof(S) || size > largest_struct)
        throw misuse(std::string(name) + ": size is " + std::to_string(size) + ", not the " +
                     std::to_string(sizeof(S)) + " bytes of the struct");
}

/// What the caller gave, or the defaults for NULL.  Fields behind those that are known must be 0,
/// which means their default in all versions.
template <class S>
S given(const S* from, const S& defaults, const char* name)
{
    static_assert(std::is_trivially_copyable_v<S>);
    S s = defaults;
    if (!from) return s;
    check_size<S>(from->size, name);
    const auto* const bytes = reinterpret_cast<const char*>(from);
    if (std::any_of(bytes + sizeof(S), bytes + from->size, [](char c) { return c != 0; }))
        throw misuse(std::string(name) + " sets a field that this version does not know");
    std::memcpy(&s, from, sizeof(S));
    return s;
}

/// Hands a result over; fields that this version does not know become 0.
template <class S>
void hand_over(S value, S* to, const char* name)
{
    const std::size_t size = required(to, name).size;
    check_size<S>(size, name);
    value.size = size;
    std::memset(static_cast<void*>(to), 0, size);
    std::memcpy(to, &value, sizeof(S));
}

/// The _init functions; `size` is that of the caller.
template <class S>
ddla_status init(const S& defaults, S* to, std::size_t size) noexcept
{
    return guarded([&] {
        check_size<S>(size, "the struct");
        required(to, "the struct").size = size;
        hand_over(defaults, to, "the struct");
    });
}

}  // namespace ddla::c
