#include "systems.hpp"

#include "support/elasticity.hpp"
#include "support/matrix_set.hpp"

#include "ddla/error.hpp"
#include "ddla/generate.hpp"
#include "ddla/matrix_market.hpp"

#include <iostream>

namespace bench {

using ddla::index_t;

namespace {

/// The velocity times the edge of a cell over the diffusion is 2 c: the cell Peclet number.
constexpr double convection = 1.5;

std::string cube(const char* what, index_t edge)
{
    return what + (" " + std::to_string(edge)) + "^3";
}

system_case seven_points(index_t edge)
{
    return {cube("7-point", edge), "7-point",
            [edge] { return ddla::generate::poisson3d(edge, edge, edge); }};
}

system_case strong_convection(index_t edge)
{
    return {cube("convection", edge), "convection", [edge] {
                return ddla::generate::convection_diffusion(edge, edge, edge, convection, 0);
            }};
}

system_case elastic_cube(index_t cells)
{
    return {cube("elasticity", cells), "elasticity", [cells] { return elasticity(cells); }};
}

void add_file(std::vector<system_case>& all, const std::filesystem::path& file, index_t least)
try {
    auto a = std::make_shared<const ddla::csr_matrix<double>>(ddla::read_matrix<double>(file));
    if (a->nonzeros() >= least && a->rows() == a->columns())
        all.push_back({name_of_matrix(file), "real", [a] { return *a; }});
} catch (const ddla::error& e) {
    std::cerr << "left out: " << e.what() << '\n';
}

}  // namespace

std::vector<system_case> preconditioned_systems(bool quick, const std::filesystem::path& folder,
                                                index_t least_entries)
{
    const index_t part = quick ? 4 : 1;
    std::vector<system_case> all;
    for (const index_t edge : {64, 128}) all.push_back(seven_points(edge / part));
    for (const index_t edge : {64, 128}) all.push_back(strong_convection(edge / part));
    for (const index_t cells : {20, 40}) all.push_back(elastic_cube(cells / part));
    if (!folder.empty())
        for (const auto& file : matrix_files(folder, least_entries))
            add_file(all, file, least_entries);
    return all;
}

}  // namespace bench
