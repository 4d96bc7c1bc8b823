// The host engine.
#include "engine/engine.hpp"

#include "operations.hpp"

namespace ddla {

namespace {

using namespace host_backend;

class the_host_engine final : public engine {
    bool solves_in_one_kernel(index_t, index_t) const override { return false; }
    place home_of(const void*) const override { return host; }
    void require_wait() const override {}
    void wait() override {}
    void* native_stream() const override { return nullptr; }
    std::shared_ptr<double[]> messages(index_t n) override
    {
        return std::make_unique_for_overwrite<double[]>(static_cast<std::size_t>(n));
    }
    pair_operations& pairs() override { return pairs_on_host(); }
    factor::factor_operations* factors() override { return nullptr; }

    vector_operations<double>& for_vectors(double) override { return vectors_on_host<double>(); }
    vector_operations<dd_real>& for_vectors(dd_real) override { return vectors_on_host<dd_real>(); }
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
    program_operations<double>& for_programs(double) override { return programs_on_host<double>(); }
    program_operations<dd_real>& for_programs(dd_real) override
    {
        return programs_on_host<dd_real>();
    }
    triangle_operations<double>& for_triangles(double) override
    {
        return triangles_on_host<double>();
    }
    triangle_operations<dd_real>& for_triangles(dd_real) override
    {
        return triangles_on_host<dd_real>();
    }
    format_operations<double>& for_formats(double) override { return formats_on_host<double>(); }
    format_operations<dd_real>& for_formats(dd_real) override { return formats_on_host<dd_real>(); }
};

}  // namespace

engine& host_engine()
{
    static the_host_engine only;
    return only;
}

}  // namespace ddla
