// The host as the engine of one rank among several.
#include "engine/rank_engine.hpp"
#include "engine/program_operations.hpp"
#include "engine/triangles.hpp"
#include "engine/vector_operations.hpp"

#include "operations.hpp"
#include "programs.hpp"

namespace ddla {

namespace {

using namespace host_backend;

rank_operations operations_on_host(shared_sums& sums, engine& maps)
{
    const rank_context of{&sums, &maps};
    return {std::make_unique<vector_operations_on<rank_context, double>>(of),
            std::make_unique<vector_operations_on<rank_context, dd_real>>(of),
            std::make_unique<program_operations_on<rank_context, machine, double>>(of),
            std::make_unique<program_operations_on<rank_context, machine, dd_real>>(of),
            triangles_of_rank<double>(of),
            triangles_of_rank<dd_real>(of)};
}

}  // namespace

std::unique_ptr<engine> host_engine_of_rank(shared_sums& sums)
{
    return std::make_unique<rank_engine>(host_engine(), sums, operations_on_host);
}

}  // namespace ddla
