#include "matrix_shape.hpp"

#include "ddla/csr_matrix.hpp"
#include "storage/transposed.hpp"

#include <vector>

namespace ddla::api {
namespace {

/// Compares rows of A with those of its transpose, whose columns ascend.
template <scalar V>
class mirror {
public:
    mirror(const csr<V>& a, const csr<V>& t)
        : a_(a), t_(t), row_of_(static_cast<std::size_t>(a.columns), -1),
          entry_of_(static_cast<std::size_t>(a.columns))
    {
    }
    matrix_shape shape()
    {
        matrix_shape s{.may_be_definite = true};
        for (index_t i = 0; i < a_.rows; ++i) {
            mark(i);
            look_at(i, s);
        }
        return s;
    }

private:
    /// Where row i has entries.
    void mark(index_t i)
    {
        for (index_t k = a_.row_begin[i]; k < a_.row_begin[i + 1]; ++k) {
            row_of_[static_cast<std::size_t>(a_.column[k])] = i;
            entry_of_[static_cast<std::size_t>(a_.column[k])] = k;
        }
    }

    /// Column i beside row i.
    void look_at(index_t i, matrix_shape& s) const
    {
        bool positive = false;
        for (index_t m = t_.row_begin[i]; m < t_.row_begin[i + 1]; ++m) {
            const auto j = static_cast<std::size_t>(t_.column[m]);
            if (row_of_[j] != i) {
                s.may_be_definite = false;
                continue;
            }
            const V x = a_.value.get(entry_of_[j]), y = t_.value.get(m);
            s.sum_of_squares += word<0>(x) * word<0>(y);
            if (!(x == y)) s.may_be_definite = false;
            if (t_.column[m] == i) positive = word<0>(y) > 0;
        }
        if (!positive) s.may_be_definite = false;
    }

    csr<V> a_, t_;
    std::vector<index_t> row_of_, entry_of_;
};

}  // namespace

template <scalar V>
matrix_shape shape_of(const csr<V>& a)
{
    const csr_matrix<V> t = transposed(a);
    return mirror<V>(a, t.view()).shape();
}

method nonsymmetric_method(const matrix_shape& shape)
{
    return shape.sum_of_squares < 0 ? method::bicgstabl : method::bicgstab;
}

#define DDLA_INSTANTIATE(V) template matrix_shape shape_of(const csr<V>&);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::api
