// Iterative refinement whose corrections are solved for in double by an iteration.
#pragma once

#include "iterate.hpp"

namespace ddla::api {

/// From x, until the tolerance of the options is met: the residual with twice the digits of T, and
/// a correction in double by the method m, preconditioned by k, which lowers it by some 10 digits.
/// A search of the method goes on after a correction as long as corrections leave what they were
/// asked for, or twice that; then another one begins.  Ends where a search does not halve the
/// residual; leaves the x of the smallest one.  The iterations of all corrections count for the
/// limit and in the report; a search has `most_of_each` at most.  Fills what iterate() fills.  A
/// has entries; b, x and k are at its place.  Memory: two vectors of T and one in double-double
/// beside those of the method in double.
template <scalar T>
void correct_in_double(engine& here, const system_map<T>& a, const preconditioner<double>& k,
                       method m, vec<const T> b, vec<T> x, const solve_options& options,
                       solve_report& report, std::int64_t most_of_each);

}  // namespace ddla::api
