// HYB after the description of Bell and Garland (2009), which CUSP and cuSPARSE had: the first K
// entries of each row as ELL, the others as a list summed by segments.  In double: additions of
// double-double are not atomic.
#pragma once

#include "ddla/csr_matrix.hpp"

#include <cstdint>
#include <vector>

namespace bench {

struct hyb_layout {
    ddla::index_t rows = 0, width = 0;      ///< of the ELL part
    std::vector<std::int32_t> column = {};  ///< of the ELL part, by columns; -1 is padding
    std::vector<double> value = {};
    std::vector<std::int32_t> list_row = {}, list_column = {};  ///< by rows
    std::vector<double> list_value = {};
};

/// K is the largest number that a third of the rows have entries for, or 4096 rows if that is more:
/// ELL is taken to be three times as fast as the list.
hyb_layout hyb_layout_of(const ddla::csr_matrix<double>& a);

}  // namespace bench
