// Lis: its matrix by rows, double and quad (its name for double-double).
#include "rivals.hpp"

#include "ddla/error.hpp"

#include <lis.h>
#include <omp.h>

#include <cstdlib>

// The library exports it, its header does not: a vector like that of a matrix, in a precision.
extern "C" LIS_INT lis_vector_duplicateex(LIS_INT precision, void* like, LIS_VECTOR* vector);

namespace bench {

namespace {

void check(LIS_INT status)
{
    if (status != LIS_SUCCESS) throw ddla::resource_error("a call of Lis failed");
}

template <class Number>
Number* array(ddla::index_t n)
{
    void* const p = std::malloc(static_cast<std::size_t>(n) * sizeof(Number));
    if (!p) throw std::bad_alloc();
    return static_cast<Number*>(p);
}

void initialize()
{
    static const bool once = [] {
        static char name[] = "bench_spmv";
        static char* words[] = {name, nullptr};
        int count = 1;
        char** values = words;
        check(lis_initialize(&count, &values));
        return true;
    }();
    static_cast<void>(once);
}

class lis_product : public rival {
public:
    lis_product(const ddla::csr_matrix<double>& a, const ddla::vector<ddla::dd_real>& x, bool quad)
    {
        name = quad ? "Lis quad" : "Lis double";
        in_double_double = quad;
        initialize();
        copy_matrix(a);
        const LIS_INT precision = quad ? LIS_PRECISION_QUAD : LIS_PRECISION_DOUBLE;
        check(lis_vector_duplicateex(precision, a_, &x_));
        check(lis_vector_duplicateex(precision, a_, &y_));
        for (ddla::index_t j = 0; j < x.size(); ++j) {
            x_->value[j] = x[j].hi;
            if (quad) x_->value_lo[j] = x[j].lo;
        }
    }
    ~lis_product() override
    {
        lis_vector_destroy(x_);
        lis_vector_destroy(y_);
        lis_matrix_destroy(a_);
    }

    void set_threads(int threads) override { omp_set_num_threads(threads); }
    void multiply() override { check(lis_matvec(a_, x_, y_)); }
    ddla::vector<ddla::dd_real> result() const override
    {
        ddla::vector<ddla::dd_real> y(y_->n);
        for (ddla::index_t i = 0; i < y.size(); ++i)
            y.set(i, {y_->value[i], in_double_double ? y_->value_lo[i] : 0});
        return y;
    }

private:
    /// Lis takes the arrays over and frees them.
    void copy_matrix(const ddla::csr_matrix<double>& a)
    {
        if (a.rows() != a.columns()) throw ddla::input_error("Lis multiplies square matrices only");
        const auto m = a.view();
        auto* const offset = array<LIS_INT>(a.rows() + 1);
        auto* const column = array<LIS_INT>(a.nonzeros());
        auto* const value = array<LIS_SCALAR>(a.nonzeros());
        for (ddla::index_t i = 0; i <= a.rows(); ++i)
            offset[i] = static_cast<LIS_INT>(m.row_begin[i]);
        std::copy_n(m.column, a.nonzeros(), column);
        std::copy_n(m.value.high, a.nonzeros(), value);
        check(lis_matrix_create(0, &a_));
        check(lis_matrix_set_size(a_, static_cast<LIS_INT>(a.rows()), 0));
        check(lis_matrix_set_csr(static_cast<LIS_INT>(a.nonzeros()), offset, column, value, a_));
        check(lis_matrix_assemble(a_));
    }

    LIS_MATRIX a_ = nullptr;
    LIS_VECTOR x_ = nullptr, y_ = nullptr;
};

}  // namespace

std::unique_ptr<rival> lis_double(const ddla::csr_matrix<double>& a,
                                  const ddla::vector<ddla::dd_real>& x)
{
    return std::make_unique<lis_product>(a, x, false);
}
std::unique_ptr<rival> lis_quad(const ddla::csr_matrix<double>& a,
                                const ddla::vector<ddla::dd_real>& x)
{
    return std::make_unique<lis_product>(a, x, true);
}

std::string lis_version()
{
    return LIS_VERSION;
}

}  // namespace bench
