// An engine of one rank among several.
#pragma once

#include "engine.hpp"
#include "shared_sums.hpp"

namespace ddla {

/// What a backend makes for such an engine: vectors are parts of those of all ranks.
struct rank_operations {
    std::unique_ptr<vector_operations<double>> vectors_double;
    std::unique_ptr<vector_operations<dd_real>> vectors_dd;
    std::unique_ptr<program_operations<double>> programs_double;
    std::unique_ptr<program_operations<dd_real>> programs_dd;
    std::unique_ptr<triangle_operations<double>> triangles_double;
    std::unique_ptr<triangle_operations<dd_real>> triangles_dd;
};

/// The operations with sums in the place of those of an engine, which has the others: products,
/// formats, factors are of this rank alone.
class rank_engine final : public engine {
public:
    /// `make` makes the operations of the backend of `whole`; maps of all ranks are bound to the
    /// engine that it is given.
    template <class Make>
    rank_engine(engine& whole, shared_sums& sums, const Make& make)
        : whole_(whole), sums_(sums), of_(make(sums, static_cast<engine&>(*this)))
    {
    }

    bool solves_in_one_kernel(index_t, index_t) const override { return false; }
    place home_of(const void* data) const override { return whole_.home_of(data); }
    void require_wait() const override { whole_.require_wait(); }
    void wait() override { whole_.wait(); }
    void* native_stream() const override { return whole_.native_stream(); }
    std::shared_ptr<double[]> messages(index_t n) override { return whole_.messages(n); }
    bool anywhere(bool here) override { return sums_.anywhere(here); }
    pair_operations& pairs() override { return whole_.pairs(); }
    factor::factor_operations* factors() override { return whole_.factors(); }

private:
    vector_operations<double>& for_vectors(double) override { return *of_.vectors_double; }
    vector_operations<dd_real>& for_vectors(dd_real) override { return *of_.vectors_dd; }
    program_operations<double>& for_programs(double) override { return *of_.programs_double; }
    program_operations<dd_real>& for_programs(dd_real) override { return *of_.programs_dd; }
    triangle_operations<double>& for_triangles(double) override { return *of_.triangles_double; }
    triangle_operations<dd_real>& for_triangles(dd_real) override { return *of_.triangles_dd; }

    matrix_operations<double, double>& for_matrices(double, double) override
    {
        return whole_.matrices<double, double>();
    }
    matrix_operations<dd_real, double>& for_matrices(dd_real, double) override
    {
        return whole_.matrices<dd_real, double>();
    }
    matrix_operations<dd_real, dd_real>& for_matrices(dd_real, dd_real) override
    {
        return whole_.matrices<dd_real, dd_real>();
    }
    format_operations<double>& for_formats(double) override { return whole_.formats<double>(); }
    format_operations<dd_real>& for_formats(dd_real) override { return whole_.formats<dd_real>(); }

    engine& whole_;
    shared_sums& sums_;
    rank_operations of_;
};

}  // namespace ddla
