// What programs beside Lis need of it: its matrix by rows, its vectors, its errors.
#pragma once

#include "ddla/csr_matrix.hpp"
#include "ddla/error.hpp"

#include <lis.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <new>

// The library exports it, its header does not: a vector like that of a matrix, in a precision.
extern "C" LIS_INT lis_vector_duplicateex(LIS_INT precision, void* like, LIS_VECTOR* vector);

namespace bench {

inline void check_lis(LIS_INT status)
{
    if (status != LIS_SUCCESS) throw ddla::resource_error("a call of Lis failed");
}

inline void initialize_lis()
{
    static const bool once = [] {
        static char name[] = "bench";
        static char* words[] = {name, nullptr};
        int count = 1;
        char** values = words;
        check_lis(lis_initialize(&count, &values));
        return true;
    }();
    static_cast<void>(once);
}

/// Owns one.
class lis_matrix {
public:
    explicit lis_matrix(const ddla::csr_matrix<double>& a)
    {
        if (a.rows() != a.columns()) throw ddla::input_error("Lis multiplies square matrices only");
        initialize_lis();
        const auto m = a.view();
        // Lis takes the arrays over and frees them.
        auto* const offset = array<LIS_INT>(a.rows() + 1);
        auto* const column = array<LIS_INT>(a.nonzeros());
        auto* const value = array<LIS_SCALAR>(a.nonzeros());
        for (ddla::index_t i = 0; i <= a.rows(); ++i)
            offset[i] = static_cast<LIS_INT>(m.row_begin[i]);
        std::copy_n(m.column, a.nonzeros(), column);
        std::copy_n(m.value.word(0), a.nonzeros(), value);
        check_lis(lis_matrix_create(0, &a_));
        check_lis(lis_matrix_set_size(a_, static_cast<LIS_INT>(a.rows()), 0));
        check_lis(
            lis_matrix_set_csr(static_cast<LIS_INT>(a.nonzeros()), offset, column, value, a_));
        check_lis(lis_matrix_assemble(a_));
    }
    ~lis_matrix() { lis_matrix_destroy(a_); }
    lis_matrix(const lis_matrix&) = delete;
    lis_matrix& operator=(const lis_matrix&) = delete;
    operator LIS_MATRIX() const { return a_; }

private:
    template <class Number>
    static Number* array(ddla::index_t n)
    {
        void* const p = std::malloc(static_cast<std::size_t>(n) * sizeof(Number));
        if (!p) throw std::bad_alloc();
        return static_cast<Number*>(p);
    }

    LIS_MATRIX a_ = nullptr;
};

/// Owns one, in double or in quad.
class lis_vector {
public:
    /// Zeros, of the size of a matrix.
    lis_vector(LIS_MATRIX like, bool quad) { make(like, quad); }
    /// n zeros.
    lis_vector(ddla::index_t n, bool quad)
    {
        initialize_lis();
        LIS_VECTOR like = nullptr;
        check_lis(lis_vector_create(0, &like));
        check_lis(lis_vector_set_size(like, static_cast<LIS_INT>(n), 0));
        make(like, quad);
        lis_vector_destroy(like);
    }
    ~lis_vector() { lis_vector_destroy(v_); }
    lis_vector(const lis_vector&) = delete;
    lis_vector& operator=(const lis_vector&) = delete;
    operator LIS_VECTOR() const { return v_; }

    /// In double the high words.
    void set(const ddla::vector<ddla::dd_real>& x)
    {
        for (ddla::index_t j = 0; j < x.size(); ++j) {
            v_->value[j] = x[j].hi;
            if (is_quad()) v_->value_lo[j] = x[j].lo;
        }
    }
    ddla::vector<ddla::dd_real> get() const
    {
        ddla::vector<ddla::dd_real> x(v_->n);
        for (ddla::index_t i = 0; i < x.size(); ++i)
            x.set(i, {v_->value[i], is_quad() ? v_->value_lo[i] : 0});
        return x;
    }

private:
    void make(void* like, bool quad)
    {
        check_lis(
            lis_vector_duplicateex(quad ? LIS_PRECISION_QUAD : LIS_PRECISION_DOUBLE, like, &v_));
    }
    bool is_quad() const { return v_->precision == LIS_PRECISION_QUAD; }

    LIS_VECTOR v_ = nullptr;
};

}  // namespace bench
