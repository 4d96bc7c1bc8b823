// Methods as serial programs over QD's numbers, by the name of each: no ends, so many iterations
// from a guess.  A test adds that of its method (tests/cases/methods); tests of all methods look it
// up. Shares no code with ddla but the options.
#pragma once

#include "oracle.hpp"

#include "ddla/solve_options.hpp"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace oracle {

template <class Q>
using map_of = std::function<std::vector<Q>(const std::vector<Q>&)>;
template <class Q>
using block_of = std::vector<std::vector<Q>>;

/// to = from + c v, by a difference if `minus`.
template <class Q>
std::vector<Q> plus(const std::vector<Q>& from, const Q& c, const std::vector<Q>& v)
{
    std::vector<Q> to = from;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] + c * v[i];
    return to;
}
template <class Q>
std::vector<Q> minus(const std::vector<Q>& from, const Q& c, const std::vector<Q>& v)
{
    std::vector<Q> to = from;
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = from[i] - c * v[i];
    return to;
}
template <class Q>
std::vector<Q> times(const std::vector<Q>& v, const Q& c)
{
    std::vector<Q> to = v;
    for (Q& one : to) one = one * c;
    return to;
}
template <class Q>
std::vector<Q> residual(const map_of<Q>& multiply, const std::vector<Q>& b, const std::vector<Q>& x)
{
    std::vector<Q> r = multiply(x);
    for (std::size_t i = 0; i < b.size(); ++i) r[i] = b[i] - r[i];
    return r;
}

/// What such a program solves.
template <class Q>
struct system {
    map_of<Q> multiply, transposed, precondition;
    std::vector<Q> b, x;
    ddla::solve_options options;

    int iterations() const { return static_cast<int>(options.max_iterations); }
};

template <class Q>
using program_of = std::function<std::vector<Q>(const system<Q>&)>;

template <class Q>
std::map<ddla::method, program_of<Q>>& programs()
{
    static std::map<ddla::method, program_of<Q>> all;
    return all;
}

template <class Q>
const program_of<Q>& serial_program(ddla::method m)
{
    const auto found = programs<Q>().find(m);
    if (found == programs<Q>().end())
        throw std::logic_error("no serial program for " + std::string(to_string(m)) +
                               ": tests/cases/methods");
    return found->second;
}

/// A program in both precisions, found from here on.
struct added_program {
    template <class Program>
    added_program(ddla::method m, const Program& program)
    {
        programs<type<double>>()[m] = program;
        programs<type<ddla::dd_real>>()[m] = program;
    }
};

}  // namespace oracle
