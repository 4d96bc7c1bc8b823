// The host as the engine of one rank among several.
#include "engine/program_operations.hpp"
#include "engine/triangles.hpp"
#include "engine/vector_operations.hpp"

#include "operations.hpp"
#include "programs.hpp"

namespace ddla {

namespace {

using namespace host_backend;

class engine_of_rank final : public engine {
public:
    explicit engine_of_rank(shared_sums& sums) : sums_(sums) {}

    bool solves_in_one_kernel(index_t, index_t) const override { return false; }
    place home_of(const void*) const override { return host; }
    void require_wait() const override {}
    void wait() override {}
    void* native_stream() const override { return nullptr; }
    bool anywhere(bool here) override { return sums_.anywhere(here); }
    pair_operations& pairs() override { return pairs_on_host(); }
    factor::factor_operations* factors() override { return nullptr; }

private:
    vector_operations<double>& for_vectors(double) override { return vectors_; }
    vector_operations<dd_real>& for_vectors(dd_real) override { return dd_vectors_; }
    program_operations<double>& for_programs(double) override { return programs_; }
    program_operations<dd_real>& for_programs(dd_real) override { return dd_programs_; }

    matrix_operations<double, double>& for_matrices(double, double) override
    {
        return matrices_on_host<double, double>();
    }
    matrix_operations<dd_real, double>& for_matrices(dd_real, double) override
    {
        return matrices_on_host<dd_real, double>();
    }
    matrix_operations<dd_real, dd_real>& for_matrices(dd_real, dd_real) override
    {
        return matrices_on_host<dd_real, dd_real>();
    }
    triangle_operations<double>& for_triangles(double) override { return *triangles_; }
    triangle_operations<dd_real>& for_triangles(dd_real) override { return *dd_triangles_; }
    format_operations<double>& for_formats(double) override { return formats_on_host<double>(); }
    format_operations<dd_real>& for_formats(dd_real) override { return formats_on_host<dd_real>(); }

    shared_sums& sums_;
    const rank_context context_{&sums_, this};
    vector_operations_on<rank_context, double> vectors_{context_};
    vector_operations_on<rank_context, dd_real> dd_vectors_{context_};
    program_operations_on<rank_context, machine, double> programs_{context_};
    program_operations_on<rank_context, machine, dd_real> dd_programs_{context_};
    const std::unique_ptr<triangle_operations<double>> triangles_ =
        triangles_of_rank<double>(context_);
    const std::unique_ptr<triangle_operations<dd_real>> dd_triangles_ =
        triangles_of_rank<dd_real>(context_);
};

}  // namespace

std::unique_ptr<engine> host_engine_of_rank(shared_sums& sums)
{
    return std::make_unique<engine_of_rank>(sums);
}

}  // namespace ddla
