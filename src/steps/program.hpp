// A solver as a program: parts that run in order.  Parts are steps over elements, combinations and
// sums of a basis (basis.hpp), and the two of this file.
//
//     program_of(apply<T>{linear::preconditioner, v, z}, apply<T>{linear::system, z, w}, ...)
//
// A program has the arguments of all its parts in it, and decisions are taken where the scalars
// are: so it can be recorded once, and repeated.  What follows a stop is launched for nothing, and
// changes nothing that is read later.
//
// What runs programs offers:  reserve(program), for its memory,  run(program),  repeat(program,
// shared, times), which may end early when the solve is idle,  write(shared, value),  read(shared),
// which alone waits, read(shared, count), and usual_interval(), the iterations between two polls.
#pragma once

#include "after_product.hpp"
#include "basis.hpp"
#include "steps/precondition/applied.hpp"
#include "steps/precondition/jacobi.hpp"
#include "traffic.hpp"

namespace ddla::steps {

/// The linear maps of a solve.
enum class linear { system, preconditioner, system_transposed };

/// out = power A in, or of A^T, power a power of two; or out = K^-1 in, power 1.
template <class T>
struct apply {
    linear map;
    vec<const T> in;
    vec<T> out;
    double power = 1;
};

/// A step over one element: work on scalars that belongs to no sum.
template <element_step Step>
struct once {
    Step step;
};
template <class Step>
once(Step) -> once<Step>;

template <class... Parts>
struct program {
    std::tuple<Parts...> parts;
};
template <class... Parts>
program<Parts...> program_of(Parts... parts)
{
    return {{parts...}};
}
/// Programs in a row whose number is known where they are made: an iteration of BiCGStab(l) has l
/// steps, each on vectors of its own.
template <class Program>
struct several {
    std::vector<Program> each;
};
template <class Part>
inline constexpr bool is_several = false;
template <class Program>
inline constexpr bool is_several<several<Program>> = true;

/// make(k) for k = first, ..., last - 1, in a row.
template <class Make>
auto for_each(index_t first, index_t last, const Make& make)
{
    several<decltype(make(first))> all;
    for (index_t k = first; k < last; ++k) all.each.push_back(make(k));
    return all;
}

/// One program after the other.
template <class... A, class... B>
program<A..., B...> operator+(const program<A...>& a, const program<B...>& b)
{
    return {std::tuple_cat(a.parts, b.parts)};
}

/// A step over rows of an iteration, as a part for its product and a step for its sums.
template <row_step Step>
auto product_and_sums(const Step& step)
{
    using T = operand_of_step<Step>;
    return program_of(apply<T>{linear::system, step.operand, step.product_vector(), step.power()},
                      sums_after_product<Step>{step});
}
/// out = K^-1 in, where that is a part by itself.
template <class K, class T>
auto preconditioned(vec<T> in, vec<T> out)
{
    if constexpr (K::is_identity || K::fuses)
        return program_of();
    else
        return program_of(apply<T>{linear::preconditioner, in, out});
}

/// out = K^-1 in as a part by itself, whatever K is; nothing without one.
template <class T>
auto apart(const identity<T>&, vec<T>, vec<T>)
{
    return program_of();
}
template <class T>
auto apart(const jacobi<T>& k, vec<T> in, vec<T> out)
{
    return program_of(times_diagonal<T>{{}, k.inverse_diagonal, in, out});
}
template <class T>
auto apart(const applied<T>&, vec<T> in, vec<T> out)
{
    return program_of(apply<T>{linear::preconditioner, in, out});
}

/// The elements that a step sweeps over: those of b, unless it says others.
template <class Step>
index_t elements_of(const Step& step, index_t usual)
{
    if constexpr (requires { step.elements(); })
        return step.elements();
    else
        return usual;
}

/// Whether iterations that come now would do nothing.
template <class State>
DDLA_HD bool is_idle(const State& q)
{
    if constexpr (requires { q.is_idle(); })
        return q.is_idle();
    else
        return q.control.stopped();
}

/// The vectors of a basis that a step writes beside writes(): its `columns`, if it has any.
template <class Step>
inline constexpr int columns_of = 0;
template <class Step>
requires requires
{
    Step::columns;
}
inline constexpr int columns_of<Step> = Step::columns;

/// What one part moves, without the vectors of a basis whose number the scalars know.
template <class T>
iteration_traffic traffic_of_part(const apply<T>& part)
{
    return {part.map == linear::preconditioner ? 0 : 1, 2};
}
template <class... Parts>
iteration_traffic traffic_of(const program<Parts...>& all);
template <class Program>
iteration_traffic traffic_of_part(const several<Program>& part)
{
    iteration_traffic total;
    for (const Program& one : part.each) {
        const iteration_traffic moved = traffic_of(one);
        total.products += moved.products;
        total.vectors += moved.vectors;
    }
    return total;
}
template <class Step>
iteration_traffic traffic_of_part(const once<Step>&)
{
    return {};
}
template <class Step>
iteration_traffic traffic_of_part(const Step& step)
{
    if constexpr (basis_sums<Step>)
        return {0, 1};
    else if constexpr (combination<Step>)
        return {0, vectors_of(combined{step}) + columns_of<Step>};
    else
        return {0, vectors_of(step) + columns_of<Step>};
}

template <class... Parts>
iteration_traffic traffic_of(const program<Parts...>& all)
{
    iteration_traffic total;
    const auto add = [&](const iteration_traffic& one) {
        total.products += one.products;
        total.vectors += one.vectors;
    };
    std::apply([&](const Parts&... part) { (add(traffic_of_part(part)), ...); }, all.parts);
    return total;
}

}  // namespace ddla::steps
