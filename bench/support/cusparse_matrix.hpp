// y = A x, and y = alpha A x + beta y, by cuSPARSE.
#pragma once

#include "cusparse_arrays.hpp"
#include "rivals.hpp"

#include <array>

namespace bench {

struct product_algorithm {
    const char* name;
    cusparseSpMVAlg_t id;
};

inline constexpr std::array<product_algorithm, 3> product_algorithms{
    {{"default", CUSPARSE_SPMV_ALG_DEFAULT},
     {"CSR ALG1", CUSPARSE_SPMV_CSR_ALG1},
     {"CSR ALG2", CUSPARSE_SPMV_CSR_ALG2}}};

/// The algorithm for sliced ELL.
inline constexpr product_algorithm sliced_ell{"SELL", CUSPARSE_SPMV_SELL_ALG1};

/// A matrix preprocessed for one algorithm.  Columns and values of compressed rows are those of
/// `a`, which must outlive this; the offsets of the rows are copied as 32-bit numbers, cuSPARSE's
/// usual case.  Sliced ELL is made as slices_of() says, and throws as that does.
class cusparse_matrix {
public:
    cusparse_matrix(const rivals& by, const ddla::csr_matrix<double>& a,
                    const product_algorithm& algorithm);
    ~cusparse_matrix();
    cusparse_matrix(const cusparse_matrix&) = delete;
    cusparse_matrix& operator=(const cusparse_matrix&) = delete;

    std::int64_t rows() const { return rows_; }
    const char* algorithm() const { return algorithm_.name; }
    void multiply(const double* x, double* y) const;
    void multiply(double alpha, const double* x, double beta, double* y) const;

private:
    void describe_rows(const ddla::csr_matrix<double>& a);
    void describe_slices(const ddla::csr_matrix<double>& a);
    void preprocess(std::int64_t columns);

    const rivals& by_;
    product_algorithm algorithm_;
    std::int64_t rows_;
    ddla::buffer row_begin_, workspace_;
    sliced_arrays slices_;
    cusparseConstSpMatDescr_t matrix_ = nullptr;
    cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
};

struct product_times {
    std::array<double, product_algorithms.size()> microseconds;
    std::size_t best;  ///< the fastest algorithm
};

/// Each algorithm's time for y = A x.
product_times time_products(const rivals& by, const ddla::csr_matrix<double>& a, const double* x,
                            double* y);

}  // namespace bench
