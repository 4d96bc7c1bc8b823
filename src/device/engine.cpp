// The device engines, one per device.
#include "engine/engine.hpp"

#include "gpu.hpp"
#include "operations.hpp"

#include <map>

namespace ddla {

namespace {

using namespace device_backend;

class engine_on_device final : public engine {
public:
    explicit engine_on_device(int index)
        : vectors_double_(vectors_on_device<double>(index)),
          vectors_dd_(vectors_on_device<dd_real>(index)),
          matrices_double_(matrices_on_device<double, double>(index)),
          matrices_dd_double_(matrices_on_device<dd_real, double>(index)),
          matrices_dd_dd_(matrices_on_device<dd_real, dd_real>(index))
    {
    }

    /// Long enough that the wait for one look (about 10 microseconds) does not show.
    index_t usual_check_interval() const override { return 32; }

private:
    vector_operations<double>& for_vectors(double) override { return *vectors_double_; }
    vector_operations<dd_real>& for_vectors(dd_real) override { return *vectors_dd_; }
    matrix_operations<double, double>& for_matrices(double, double) override
    {
        return *matrices_double_;
    }
    matrix_operations<dd_real, double>& for_matrices(dd_real, double) override
    {
        return *matrices_dd_double_;
    }
    matrix_operations<dd_real, dd_real>& for_matrices(dd_real, dd_real) override
    {
        return *matrices_dd_dd_;
    }

    std::unique_ptr<vector_operations<double>> vectors_double_;
    std::unique_ptr<vector_operations<dd_real>> vectors_dd_;
    std::unique_ptr<matrix_operations<double, double>> matrices_double_;
    std::unique_ptr<matrix_operations<dd_real, double>> matrices_dd_double_;
    std::unique_ptr<matrix_operations<dd_real, dd_real>> matrices_dd_dd_;
};

}  // namespace

engine& device_engine(int index)
{
    gpu_at(index);  // throws if there is none
    static auto& guard = *new std::mutex;
    static auto& all = *new std::map<int, std::unique_ptr<engine_on_device>>;
    const std::lock_guard lock(guard);
    auto& one = all[index];
    if (!one) one = std::make_unique<engine_on_device>(index);
    return *one;
}

}  // namespace ddla
