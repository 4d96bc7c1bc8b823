// Eigen: SparseMatrix by rows, double.
#include "rivals.hpp"

#include <Eigen/SparseCore>

namespace bench {

namespace {

class eigen_product : public rival {
public:
    eigen_product(const ddla::csr_matrix<double>& a, const ddla::vector<ddla::dd_real>& x)
        : a_(a.rows(), a.columns()), x_(a.columns()), y_(a.rows())
    {
        name = "Eigen double";
        const auto m = a.view();
        a_.resizeNonZeros(a.nonzeros());
        for (ddla::index_t i = 0; i <= a.rows(); ++i)
            a_.outerIndexPtr()[i] = static_cast<int>(m.row_begin[i]);
        std::copy_n(m.column, a.nonzeros(), a_.innerIndexPtr());
        std::copy_n(m.value.word(0), a.nonzeros(), a_.valuePtr());
        for (ddla::index_t j = 0; j < a.columns(); ++j) x_[j] = x[j].hi;
    }

    void set_threads(int threads) override { Eigen::setNbThreads(threads); }
    void multiply() override { y_.noalias() = a_ * x_; }
    ddla::vector<ddla::dd_real> result() const override
    {
        ddla::vector<ddla::dd_real> y(y_.size());
        for (ddla::index_t i = 0; i < y.size(); ++i) y.set(i, y_[i]);
        return y;
    }

private:
    Eigen::SparseMatrix<double, Eigen::RowMajor, int> a_;
    Eigen::VectorXd x_, y_;
};

}  // namespace

std::unique_ptr<rival> eigen_double(const ddla::csr_matrix<double>& a,
                                    const ddla::vector<ddla::dd_real>& x)
{
    return std::make_unique<eigen_product>(a, x);
}

std::string eigen_version()
{
    return std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION);
}

}  // namespace bench
