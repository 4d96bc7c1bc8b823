// Orders of the graph of A + A^T.  Integers only, ties by the lowest number: the same everywhere.
#pragma once

#include "ordering.hpp"

namespace ddla::factor {

/// The columns in the reversed order of Cuthill and McKee (ACM National Conference, 1969; reversed:
/// George 1971): breadth first, neighbours by rising degree.  Each part of the graph starts at an
/// end that George and Liu's search finds (ACM TOMS 5(3), 1979).  The pattern is square.
/// Cost: some passes over the entries, and sorting the neighbours.
std::vector<column_t> reverse_cuthill_mckee(const pattern& a);

/// The colour of each column: the lowest one that no neighbour of a lower number has.
std::vector<column_t> colours_of(const pattern& a);

/// The columns by colours, ascending within one: rows of a colour do not need each other.
std::vector<column_t> by_colours(const pattern& a);

}  // namespace ddla::factor
