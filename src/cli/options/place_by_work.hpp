// Where `ddla solve --place auto` works.
#pragma once

#include "solve_request.hpp"

namespace ddla::cli {

/// What iterations of a request move at most, by the bytes of A and of its vectors in the widest
/// precision: 500, or as many as are allowed.
double bytes_of_iterations(const solve_request& request, index_t rows, index_t nonzeros);

struct chosen_place {
    place where = host;
    std::string reason = {};  ///< a sentence without its full stop; empty if the user chose
};

/// With `auto`: the host where a solve begins with factors, and where iterations move less than the
/// host does while a device starts; else the device, if one can be used.  Only constants and counts
/// decide.
chosen_place place_by_work(const solve_request& request, index_t rows, index_t nonzeros);
/// The same for factors of so much work, in multiplications of double.
chosen_place place_of_factors(const solve_request& request, double work);
/// The same for iterations instead of factors that are too large.
chosen_place place_of_iterations(const solve_request& request, index_t rows, index_t nonzeros);

}  // namespace ddla::cli
