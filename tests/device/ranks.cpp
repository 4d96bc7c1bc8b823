// Ranks with a device each; their messages go by the host, or, with DDLA_TEST_NCCL, by NCCL.
#include "support/ranks.hpp"
#include "catch.hpp"
#include "support/run_tests.hpp"

#include "ddla/devices.hpp"
#include "ddla/generate.hpp"
#ifdef DDLA_TEST_NCCL
#include "ddla/nccl.hpp"
#endif

int main(int argc, char** argv)
{
    return test::run_tests(ddla::devices().size() >= 2 ? nullptr : "no two CUDA devices", argc,
                           argv);
}

const std::vector<int>& test::rank_counts()
{
    static const std::vector<int> all = [] {
        std::vector<int> counts;
        for (int ranks = 1; ranks <= static_cast<int>(ddla::devices().size()); ++ranks)
            counts.push_back(ranks);
        return counts;
    }();
    return all;
}

ddla::place test::place_of_rank(int rank)
{
    return ddla::device(rank);
}

std::shared_ptr<ddla::communicator> test::joined(std::shared_ptr<ddla::communicator> threads)
{
#ifdef DDLA_TEST_NCCL
    const int rank = threads->rank();
    return threads->size() > 1 ? ddla::with_nccl(std::move(threads), rank) : threads;
#else
    return threads;
#endif
}

TEST_CASE("a rank that fails ends the calls of those with other devices", "[ranks]")
{
    const auto a = ddla::generate::poisson3d(30, 30, 30);
    std::string said[2];
    CHECK_THROWS_WITH(
        test::run_ranks(2,
                        [&](auto ranks) {
                            const auto mine = test::part_of(a, test::even_cuts(a.rows(), 2), ranks);
                            const ddla::vector<double> x(mine.local_columns(), 1.0, mine.where());
                            ddla::vector<double> y(mine.local_rows(), mine.where());
                            try {
                                for (int k = 0; k < 100; ++k) {
                                    if (ranks->rank() == 1 && k == 50)
                                        throw ddla::resource_error("this rank has had enough");
                                    mine.multiply(x, y);
                                }
                            } catch (const ddla::error& e) {
                                said[ranks->rank()] = e.what();
                                throw;
                            }
                        }),
        "this rank has had enough");
    CHECK(said[0] == "another rank has failed");
}
