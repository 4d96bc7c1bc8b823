#include "dd_rivals.hpp"

namespace bench {

std::unique_ptr<solving_rival> solving_rival_of([[maybe_unused]] const ddla::csr_matrix<double>& a)
{
#if defined(DDLA_BENCH_LIS)
    return lis_solver(a);
#else
    return nullptr;
#endif
}

std::vector<std::unique_ptr<vector_rival>>
vector_rivals_of([[maybe_unused]] const ddla::vector<ddla::dd_real>& x,
                 [[maybe_unused]] const ddla::vector<ddla::dd_real>& y)
{
    std::vector<std::unique_ptr<vector_rival>> all;
#if defined(DDLA_BENCH_LIS)
    all.push_back(lis_vectors(x, y));
#endif
#if defined(DDLA_BENCH_QD)
    all.push_back(qd_vectors(x, y));
#endif
    return all;
}

}  // namespace bench
