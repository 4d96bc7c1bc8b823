#include "rivals.hpp"

namespace bench {

std::vector<std::unique_ptr<rival>> rivals_of([[maybe_unused]] const ddla::csr_matrix<double>& a,
                                              [[maybe_unused]] const ddla::vector<ddla::dd_real>& x)
{
    std::vector<std::unique_ptr<rival>> all;
#if defined(DDLA_BENCH_EIGEN)
    all.push_back(eigen_double(a, x));
#endif
#if defined(DDLA_BENCH_LIS)
    all.push_back(lis_double(a, x));
    all.push_back(lis_quad(a, x));
#endif
    return all;
}

#if !defined(DDLA_BENCH_EIGEN)
std::string eigen_version()
{
    return "none";
}
#endif

}  // namespace bench
