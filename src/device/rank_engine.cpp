// A device as the engine of one rank among several.
#include "engine/rank_engine.hpp"
#include "engine/triangles.hpp"

#include "device/core/gpu.hpp"
#include "operations.hpp"

namespace ddla {

using namespace device_backend;

std::unique_ptr<engine> device_engine_of_rank(int index, shared_sums& sums)
{
    const auto made = [&](shared_sums& all, engine& maps) -> rank_operations {
        queue& in = gpu_at(index).own();
        const rank_part of{&all, &maps};
        return {vectors_on_device<double>(in, of),   vectors_on_device<dd_real>(in, of),
                programs_on_device<double>(in, of),  programs_on_device<dd_real>(in, of),
                triangles_on_device<double>(in, of), triangles_on_device<dd_real>(in, of)};
    };
    return std::make_unique<rank_engine>(device_engine(index), sums, made);
}

}  // namespace ddla
