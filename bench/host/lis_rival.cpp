// Products by Lis, double and quad (its name for double-double).
#include "lis_parts.hpp"
#include "rivals.hpp"

namespace bench {

namespace {

class lis_product : public rival {
public:
    lis_product(const ddla::csr_matrix<double>& a, const ddla::vector<ddla::dd_real>& x, bool quad)
        : a_(a), x_(a_, quad), y_(a_, quad)
    {
        name = quad ? "Lis quad" : "Lis double";
        in_double_double = quad;
        x_.set(x);
    }

    void set_threads(int threads) override { omp_set_num_threads(threads); }
    void multiply() override { check_lis(lis_matvec(a_, x_, y_)); }
    ddla::vector<ddla::dd_real> result() const override { return y_.get(); }

private:
    lis_matrix a_;
    lis_vector x_, y_;
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

}  // namespace bench
