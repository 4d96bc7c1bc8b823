// Ranks that share the device.
#include "everywhere.hpp"
#include "support/ranks.hpp"

const std::vector<int>& test::rank_counts()
{
    static const std::vector<int> all{1, 2, 3, 8};
    return all;
}

ddla::place test::place_of_rank(int)
{
    return gpu;
}

std::shared_ptr<ddla::communicator> test::joined(std::shared_ptr<ddla::communicator> threads)
{
    return threads;
}
