// Memory of the caller as the operations on streams take it.
#pragma once

#include "handles.hpp"

namespace ddla::c {

/// The precision is said by the low words: NULL in double, and for no elements.
inline ddla_precision precision_of_view(ddla_view x)
{
    return x.lo ? DDLA_DD : DDLA_DOUBLE;
}

template <scalar T>
vec<T> written(ddla_view x, const char* name)
{
    if constexpr (words_of<T> == 1) {
        if (x.lo)
            throw misuse(std::string(name) + " has low words, but the other vectors are in double");
        return {x.hi, x.n};
    } else {
        if (!x.lo && x.n != 0)
            throw misuse(std::string(name) + " has no low words, the other vectors have");
        return {x.hi, x.lo, x.n};
    }
}
template <scalar T>
vec<const T> read(ddla_view x, const char* name)
{
    return written<T>(x, name);
}

template <scalar T>
scalar_operand<T> operand(ddla_scalar a, const char* name)
{
    if (a.at) return scalar_operand<T>(reinterpret_cast<const T*>(a.at));
    return scalar_operand<T>(number<T>(a.value, name));
}

/// f.operator()<T>(view of A) for the T of x.
template <class F>
void with_view_product(const ddla_matrix* a, ddla_view x, const F& f)
{
    const auto checked = [&]<scalar T, scalar V>(const csr<V>& view) {
        if constexpr (acts_on<T, V>)
            f.template operator()<T>(view);
        else
            throw misuse("a has values in double-double, the vectors are in double");
    };
    in_precision(precision_of_view(x), [&]<scalar T>() {
        std::visit(
            [&](const auto& rows) {
                if constexpr (owned_rows<decltype(rows)>)
                    checked.template operator()<T>(rows->view());
                else
                    checked.template operator()<T>(rows);
            },
            required(a, "a").rows);
    });
}

}  // namespace ddla::c
