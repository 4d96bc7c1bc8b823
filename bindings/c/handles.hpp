// What the handles of ddla.h are.
#pragma once

#include "guarded.hpp"

#include "ddla/ddla.hpp"
#include "ddla/read_losses.hpp"

#include <memory>
#include <variant>

struct ddla_vector {
    std::variant<ddla::vector<double>, ddla::vector<ddla::dd_real>> numbers;
};

struct ddla_matrix {
    // Shared with operators.  A borrowed matrix is a view.
    std::variant<std::shared_ptr<ddla::csr_matrix<double>>,
                 std::shared_ptr<ddla::csr_matrix<ddla::dd_real>>, ddla::csr<double>,
                 ddla::csr<ddla::dd_real>>
        rows;
    ddla::place where = ddla::host;
};

struct ddla_operator {
    std::variant<ddla::linear_operator<double>, ddla::linear_operator<ddla::dd_real>> map;
};

struct ddla_preconditioner {
    std::variant<ddla::preconditioner<double>, ddla::preconditioner<ddla::dd_real>> map;
    std::shared_ptr<const void> matrix = {};  // that a polynomial multiplies by
};

struct ddla_factors {
    std::variant<ddla::lu_factors<double>, ddla::lu_factors<ddla::dd_real>> lu;
};

struct ddla_stream {
    ddla::stream stream;
};

namespace ddla::c {

inline place place_of(ddla_place at)
{
    if (at < DDLA_HOST) throw misuse("there is no place " + std::to_string(at));
    return {at};
}

/// f.operator()<T>() for the T of a precision.
template <class F>
void in_precision(ddla_precision p, const F& f)
{
    if (p == DDLA_DOUBLE) return f.template operator()<double>();
    if (p == DDLA_DD) return f.template operator()<dd_real>();
    throw misuse("there is no precision " + std::to_string(p));
}

template <scalar T>
constexpr ddla_precision precision_of = words_of<T>;
// A precision more asks for its words in ddla.h: vectors of it cannot be made until then.
static_assert(DDLA_DOUBLE == precision_of<double> && DDLA_DD == precision_of<dd_real>);

/// A number of the caller in T; never rounded.
template <scalar T>
T number(ddla_dd x, const char* name)
{
    if constexpr (std::is_same_v<T, double>) {
        if (x.lo != 0)
            throw misuse(std::string(name) + " has a low word, which vectors in double have not");
        return x.hi;
    } else {
        return {x.hi, x.lo};
    }
}
inline ddla_dd pair(dd_real x)
{
    return {x.hi, x.lo};
}

/// The alternative of a handle in T.
template <scalar T, template <class> class Kind, class Variant>
auto& alternative(Variant& v, const char* name)
{
    if (auto* const found = std::get_if<Kind<T>>(&v)) return *found;
    throw misuse(std::string(name) + " is not in " + number_traits<T>::name_in_text +
                 " as the others are");
}
template <scalar T>
const vector<T>& in(const ddla_vector* x, const char* name)
{
    return alternative<T, vector>(required(x, name).numbers, name);
}
template <scalar T>
vector<T>& in(ddla_vector* x, const char* name)
{
    return alternative<T, vector>(required(x, name).numbers, name);
}

/// f.operator()<T>() for the T of a vector.
template <class F>
void in_precision_of(const ddla_vector* x, const char* name, const F& f)
{
    std::visit([&]<scalar T>(const vector<T>&) { f.template operator()<T>(); },
               required(x, name).numbers);
}

template <class V>
concept owned_rows = requires(V v)
{
    v->rows();
};

/// f(a) for the csr_matrix of a handle; misuse for a borrowed one.
template <class M, class F>
void with_matrix(M* a, const char* name, const F& f)
{
    std::visit(
        [&](auto& rows) {
            if constexpr (owned_rows<decltype(rows)>)
                f(*rows);
            else
                throw misuse(std::string(name) + " is borrowed: such a matrix is for streams");
        },
        required(a, name).rows);
}

/// f.operator()<T>(a) for the T of x, where A acts on vectors of T.
template <class F>
void with_product(const ddla_matrix* a, ddla_precision p, const F& f)
{
    in_precision(p, [&]<scalar T>() {
        with_matrix(a, "a", [&]<scalar V>(const csr_matrix<V>& m) {
            if constexpr (acts_on<T, V>)
                f.template operator()<T>(m);
            else
                throw misuse("a has values in double-double, the vectors are in double");
        });
    });
}
inline ddla_precision precision_of_vector(const ddla_vector* x, const char* name)
{
    ddla_precision p = 0;
    in_precision_of(x, name, [&]<scalar T>() { p = precision_of<T>; });
    return p;
}

/// Of the last file that this thread has read.
inline read_losses& last_read()
{
    static thread_local read_losses losses;
    return losses;
}

template <scalar T>
ddla_vector* new_vector(vector<T> x)
{
    return new ddla_vector{std::move(x)};
}
template <scalar V>
ddla_matrix* new_matrix(csr_matrix<V> a)
{
    const place at = a.where();
    return new ddla_matrix{std::make_shared<csr_matrix<V>>(std::move(a)), at};
}

/// The words of a view for a function of the caller.
template <class X>
auto* low_word(vec<X> x)
{
    if constexpr (vec<X>::words == 2)
        return x.word(1);
    else
        return static_cast<typename vec<X>::word_type*>(nullptr);
}

}  // namespace ddla::c
