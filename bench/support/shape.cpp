#include "shape.hpp"

#include <algorithm>
#include <cmath>

namespace bench {

using namespace ddla;

matrix_shape shape_of(const csr_matrix<double>& a)
{
    const csr<double> v = a.view();
    matrix_shape s{.rows = v.rows,
                   .columns = v.columns,
                   .entries = a.nonzeros(),
                   .shortest = v.rows > 0 ? v.row_length(0) : 0};
    double squares = 0;
    for (index_t i = 0; i < v.rows; ++i) {
        const index_t length = v.row_length(i);
        s.shortest = std::min(s.shortest, length);
        s.longest = std::max(s.longest, length);
        squares += static_cast<double>(length) * static_cast<double>(length);
        for (index_t k = v.row_begin[i] + 1; k < v.row_begin[i + 1]; ++k)
            s.ascending = s.ascending && v.column[k - 1] < v.column[k];
    }
    const double rows = std::max(1.0, static_cast<double>(v.rows));
    s.mean = static_cast<double>(s.entries) / rows;
    s.deviation = std::sqrt(std::max(0.0, squares / rows - s.mean * s.mean));
    return s;
}

}  // namespace bench
