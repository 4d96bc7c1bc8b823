// The device engines, one per device.
#include "engine/engine.hpp"
#include "engine/triangles.hpp"

#include "device/core/gpu.hpp"
#include "device/schedule/schedule.hpp"
#include "operations.hpp"

#include <map>
#include <mutex>

namespace ddla {

namespace {

using namespace device_backend;

class engine_on_device final : public engine {
public:
    explicit engine_on_device(queue& in)
        : in_(in), vectors_double_(vectors_on_device<double>(in)),
          vectors_dd_(vectors_on_device<dd_real>(in)), pairs_(pairs_on_device(in)),
          matrices_double_(matrices_on_device<double, double>(in)),
          matrices_dd_double_(matrices_on_device<dd_real, double>(in)),
          matrices_dd_dd_(matrices_on_device<dd_real, dd_real>(in)),
          programs_double_(programs_on_device<double>(in)),
          programs_dd_(programs_on_device<dd_real>(in)),
          triangles_double_(triangles_on_device<double>(in)),
          triangles_dd_(triangles_on_device<dd_real>(in)),
          formats_double_(formats_on_device<double>(in)),
          formats_dd_(formats_on_device<dd_real>(in)), factors_(factors_on_device(in))
    {
    }
    /// On a stream that the caller owns.
    engine_on_device(gpu& on, cudaStream_t stream)
        : engine_on_device(std::make_unique<queue>(on, stream))
    {
    }

    bool solves_in_one_kernel(index_t rows, index_t longest_row) const override
    {
        return iterates_in_one_kernel(current_schedule(), rows, longest_row);
    }

    place home_of(const void* data) const override
    {
        const current_device now(in_.device().index());
        cudaPointerAttributes found{};
        check(cudaPointerGetAttributes(&found, data), "cudaPointerGetAttributes");
        const int here = in_.device().index();
        switch (found.type) {
        case cudaMemoryTypeDevice:
            return device(found.device);
        case cudaMemoryTypeHost:
        case cudaMemoryTypeManaged:
            return device(here);
        case cudaMemoryTypeUnregistered:
            break;
        }
        int reaches_all = 0;
        check(cudaDeviceGetAttribute(&reaches_all, cudaDevAttrPageableMemoryAccess, here),
              "cudaDeviceGetAttribute");
        return reaches_all ? device(here) : host;
    }
    void require_wait() const override { in_.require_wait(); }
    void wait() override
    {
        in_.require_wait();
        in_.wait();
    }
    void* native_stream() const override { return in_.stream(); }
    std::shared_ptr<double[]> messages(index_t n) override
    {
        const current_device now(in_.device().index());
        const auto kept =
            std::make_shared<pinned_memory>(static_cast<std::size_t>(n) * sizeof(double));
        return {kept, static_cast<double*>(kept->data())};
    }
    pair_operations& pairs() override { return *pairs_; }
    factor::factor_operations* factors() override { return factors_.get(); }

private:
    explicit engine_on_device(std::unique_ptr<queue> in) : engine_on_device(*in)
    {
        owned_ = std::move(in);
    }

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
    program_operations<double>& for_programs(double) override { return *programs_double_; }
    program_operations<dd_real>& for_programs(dd_real) override { return *programs_dd_; }
    triangle_operations<double>& for_triangles(double) override { return *triangles_double_; }
    triangle_operations<dd_real>& for_triangles(dd_real) override { return *triangles_dd_; }
    format_operations<double>& for_formats(double) override { return *formats_double_; }
    format_operations<dd_real>& for_formats(dd_real) override { return *formats_dd_; }

    std::unique_ptr<queue> owned_;
    queue& in_;
    std::unique_ptr<vector_operations<double>> vectors_double_;
    std::unique_ptr<vector_operations<dd_real>> vectors_dd_;
    std::unique_ptr<pair_operations> pairs_;
    std::unique_ptr<matrix_operations<double, double>> matrices_double_;
    std::unique_ptr<matrix_operations<dd_real, double>> matrices_dd_double_;
    std::unique_ptr<matrix_operations<dd_real, dd_real>> matrices_dd_dd_;
    std::unique_ptr<program_operations<double>> programs_double_;
    std::unique_ptr<program_operations<dd_real>> programs_dd_;
    std::unique_ptr<triangle_operations<double>> triangles_double_;
    std::unique_ptr<triangle_operations<dd_real>> triangles_dd_;
    std::unique_ptr<format_operations<double>> formats_double_;
    std::unique_ptr<format_operations<dd_real>> formats_dd_;
    std::shared_ptr<factor::factor_operations> factors_;
};

}  // namespace

std::unique_ptr<engine> device_backend::engine_on(queue& in)
{
    return std::make_unique<engine_on_device>(in);
}

engine& device_engine(int index)
{
    gpu& on = gpu_at(index);
    static auto& guard = *new std::mutex;
    static auto& all = *new std::map<int, std::unique_ptr<engine_on_device>>;
    const std::lock_guard lock(guard);
    auto& one = all[index];
    if (!one) one = std::make_unique<engine_on_device>(on.own());
    return *one;
}

std::unique_ptr<engine> device_engine_on(int index, void* stream)
{
    return std::make_unique<engine_on_device>(gpu_at(index), static_cast<cudaStream_t>(stream));
}

}  // namespace ddla
