// The enumerators of ddla.h beside those of C++.  The numbers of ddla.h never change; but for
// methods, one that C++ has and a switch in enums.cpp lacks does not compile.
#pragma once

#include "guarded.hpp"

#include "ddla/ddla.hpp"

namespace ddla::c {

std::int32_t to_c(method m);
std::int32_t to_c(preconditioning p);
std::int32_t to_c(bad_pivot p);
std::int32_t to_c(polynomial_kind p);
std::int32_t to_c(solve_status s);
std::int32_t to_c(solve_goal g);
std::int32_t to_c(column_ordering o);
std::int32_t to_c(factor_precision p);
std::int32_t to_c(sparse_format f);

/// The enumerator of C++ whose number in C is `wanted`; misuse if there is none.
template <class E>
E from_c(std::int32_t wanted, const char* name)
{
    constexpr int most = 64;  // enumerators of one type
    for (int i = 0; i < most; ++i)
        if (wanted >= 0 && to_c(static_cast<E>(i)) == wanted) return static_cast<E>(i);
    throw misuse(std::string(name) + " cannot be " + std::to_string(wanted));
}

}  // namespace ddla::c
