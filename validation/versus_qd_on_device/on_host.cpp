// What the device does, on the host.
#include "batches.hpp"

#include <stdexcept>

namespace ddla::test {
namespace {

class host_results : public place_of_results {
public:
    explicit host_results(const task& all) : all_(all) {}

    std::vector<std::uint64_t> hashes(std::uint64_t first, int batches) override
    {
        std::vector<std::uint64_t> hash(static_cast<std::size_t>(batches) * all_.count);
        for (int b = 0; b < batches; ++b)
            for (int group = 0; group < groups_of_batch; ++group)
                each_pair(all_.seed, first + b, group, [&](int i, const operand_pair& p) {
                    for (int k = 0; k < all_.count; ++k)
                        if (contains(all_.where[k], p.x, p.y))
                            hash[b * all_.count + k] +=
                                part_of_hash(by_number(all_.operation[k], p.x, p.y), i);
                });
        return hash;
    }
    std::vector<dd_real> results(std::uint64_t batch, int k) override
    {
        std::vector<dd_real> all(pairs_of_batch);
        for (int group = 0; group < groups_of_batch; ++group)
            each_pair(all_.seed, batch, group, [&](int i, const operand_pair& p) {
                all[i] = by_number(all_.operation[k], p.x, p.y);
            });
        return all;
    }

private:
    task all_;
};

}  // namespace

std::unique_ptr<place_of_results> results_on_host(const task& all)
{
    return std::make_unique<host_results>(all);
}

#if !defined(DDLA_HAS_CUDA)
std::unique_ptr<place_of_results> results_on_device(const task&)
{
    throw std::runtime_error("built without device code");
}
#endif

}  // namespace ddla::test
