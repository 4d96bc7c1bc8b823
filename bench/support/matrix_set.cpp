#include "matrix_set.hpp"

#include "generators.hpp"
#include "row_builder.hpp"

#include "ddla/generate.hpp"

#include <utility>

namespace bench {

namespace {

/// What is left of a size in the quick set, so that about one entry in 64 is.
struct sizes {
    bool quick;

    index_t rows(index_t n) const { return quick ? n / 64 : n; }
    index_t edge_of_square(index_t n) const { return quick ? n / 8 : n; }
    index_t edge_of_cube(index_t n) const { return quick ? n / 4 : n; }
};

/// 1500000 as "1.5M", 120000 as "120k".
std::string short_number(index_t n)
{
    if (n < 10'000) return std::to_string(n);
    const index_t tenths = n >= 1'000'000 ? n / 100'000 : n / 100;
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10 != 0) text += "." + std::to_string(tenths % 10);
    return text + (n >= 1'000'000 ? "M" : "k");
}

std::string power(index_t n, int exponent)
{
    return std::to_string(n) + "^" + std::to_string(exponent);
}

using cases = std::vector<matrix_case>;

/// Once with coefficients that repeat, once with others.
void add_stencil(cases& all, const std::string& name, const grid& g)
{
    for (const bool variable : {false, true}) {
        grid one = g;
        one.variable = variable;
        all.push_back({name + (variable ? ", variable" : ""), "stencil",
                       variable ? "no two coefficients are equal" : "constant coefficients",
                       [one] { return on_grid(one); }});
    }
}

void add_stencils(cases& all, const sizes& s)
{
    const auto cube = [](index_t n, std::vector<grid_step> steps) {
        return grid{.nx = n, .ny = n, .nz = n, .neighbours = std::move(steps)};
    };
    const index_t square = s.edge_of_square(3000), c = s.edge_of_cube(160);
    add_stencil(all, "5-point " + power(square, 2),
                {.nx = square, .ny = square, .neighbours = five_points()});
    for (const index_t edge : {128, 200}) {
        const index_t n = s.edge_of_cube(edge);
        add_stencil(all, "7-point " + power(n, 3), cube(n, seven_points()));
    }
    for (const index_t edge : {100, 140}) {
        const index_t n = s.edge_of_cube(edge);
        add_stencil(all, "27-point " + power(n, 3), cube(n, box_of_27_points()));
    }
    grid flow = cube(c, seven_points());
    flow.convection = 0.3;
    add_stencil(all, "convection " + power(c, 3), flow);
}

void add_elements(cases& all, const sizes& s)
{
    const auto add = [&](const std::string& name, const char* kind, const char* note, grid g) {
        g.variable = true;
        all.push_back({name, kind, note, [g] { return on_grid(g); }});
    };
    const index_t solid = s.edge_of_cube(48), blocks = s.edge_of_cube(64),
                  shell = s.edge_of_square(300), plate = s.edge_of_square(1000),
                  mesh = s.edge_of_square(1800);
    add("elasticity " + power(solid, 3), "FEM blocks", "27-point node graph, 3 unknowns a node",
        {.nx = solid, .ny = solid, .nz = solid, .neighbours = box_of_27_points(), .unknowns = 3});
    add("blocks 4x4 " + power(blocks, 3), "FEM blocks", "7-point node graph, 4 unknowns a node",
        {.nx = blocks, .ny = blocks, .nz = blocks, .neighbours = seven_points(), .unknowns = 4});
    add("shell " + power(shell, 2), "FEM blocks", "9-point node graph, 6 unknowns a node",
        {.nx = shell, .ny = shell, .neighbours = nine_points(), .unknowns = 6});
    add("plate " + power(plate, 2), "FEM blocks",
        "triangles, 2 unknowns a node, nodes numbered at random within 1024",
        {.nx = plate, .ny = plate, .neighbours = triangles(), .unknowns = 2, .shuffled = 1024});
    add("triangles " + power(mesh, 2), "FEM triangles", "nodes numbered at random within 1024",
        {.nx = mesh, .ny = mesh, .neighbours = triangles(), .shuffled = 1024});
}

void add_bands(cases& all, const sizes& s)
{
    const std::vector<std::pair<index_t, index_t>> bands{
        {30'000'000, 1}, {3'000'000, 9}, {800'000, 33}, {200'000, 129}};
    for (const auto& [rows, width] : bands) {
        const index_t n = s.rows(rows);
        all.push_back({width == 1 ? "diagonal " + short_number(n)
                                  : "band " + std::to_string(width) + ", " + short_number(n),
                       "banded", "", [n, w = width] { return banded(n, w); }});
    }
}

void add_circuits(cases& all, const sizes& s)
{
    const circuit nets{.n = s.rows(5'000'000), .dense_rows = 20, .dense_length = s.rows(100'000)};
    const circuit supplies{
        .n = s.rows(5'000'000), .dense_rows = 3, .dense_length = s.rows(1'000'000), .hubs = 8};
    all.push_back({"circuit, 20 dense rows", "circuit", "2 to 6 entries a row, 20 rows of 10^5",
                   [nets] { return circuit_like(nets); }});
    all.push_back({"circuit, supply nets", "circuit",
                   "2 to 6 entries a row, 3 rows of 10^6, one entry in 16 in one of 8 columns",
                   [supplies] { return circuit_like(supplies); }});
}

void add_webs(cases& all, const sizes& s)
{
    const index_t n = s.rows(2'000'000);
    for (const int tenths : {6, 8, 10, 12}) {
        const std::string exponent =
            tenths < 10 ? "0." + std::to_string(tenths) : "1." + std::to_string(tenths - 10);
        all.push_back({"power law " + exponent, "web", "ddla::generate::skewed, 11 entries a row",
                       [n, tenths] { return ddla::generate::skewed(n, 11, tenths / 10.0, 1); }});
    }
    const int scale = s.quick ? 15 : 21;
    for (const bool scattered : {false, true})
        all.push_back({scattered ? "R-MAT, scattered" : "R-MAT", "web",
                       scattered ? "numbers of vertices spread" : "hubs have the lowest numbers",
                       [scale, scattered] { return recursive_graph(scale, 12, scattered); }});
}

void add_random(cases& all, const sizes& s)
{
    const std::vector<std::pair<index_t, index_t>> shapes{
        {20'000'000, 1}, {7'000'000, 3}, {3'000'000, 8}, {1'000'000, 21},
        {500'000, 50},   {120'000, 200}, {50'000, 500},  {12'000, 2000}};
    for (const auto& [rows, per_row] : shapes) {
        const index_t n = s.rows(rows), columns = std::max(n, 2 * per_row);
        all.push_back({"random " + short_number(n) + " x " + std::to_string(per_row),
                       per_row < 100 ? "random" : "long rows", "", [n, columns, k = per_row] {
                           return random_rows(n, columns, [k](index_t) { return k; });
                       }});
    }
    const index_t rows = s.quick ? 100 : 6'000, columns = s.rows(1'000'000);
    all.push_back({"wide " + short_number(rows) + " x " + short_number(columns), "long rows",
                   "4000 entries a row", [rows, columns] {
                       return random_rows(rows, columns, [](index_t) { return 4000; });
                   }});
}

/// 1 to 2047 entries, each power of two as frequent.
index_t any_length(index_t row)
{
    random_numbers bits(31, static_cast<std::uint64_t>(row));
    const index_t least = index_t{1} << bits.below(11);
    return least + bits.below(least);
}

void add_mixtures(cases& all, const sizes& s)
{
    const auto add = [&](const char* name, const char* note, index_t n, auto length) {
        all.push_back({name, "mixed", note,
                       [n, length] { return random_rows(n, std::max<index_t>(n, 4000), length); }});
    };
    add("alternating 2, 60", "rows of 2 and of 60 entries in turn", s.rows(800'000),
        [](index_t i) { return i % 2 == 0 ? 2 : 60; });
    add("alternating 3, 300", "one row of 300 entries in 32, the others of 3", s.rows(1'800'000),
        [](index_t i) { return i % 32 == 0 ? 300 : 3; });
    add("rows of 1 to 2047", "lengths at random, each power of two as frequent", s.rows(90'000),
        any_length);
    add("empty rows", "two rows in three are empty, the others have 20 entries", s.rows(3'600'000),
        [](index_t i) { return i % 3 == 1 ? 20 : 0; });
    const index_t n = s.rows(4'000'000);
    add("half empty", "the first half of the rows is empty", n,
        [n](index_t i) { return i < n / 2 ? 0 : 12; });
}

}  // namespace

const std::vector<std::string_view>& matrix_kinds()
{
    static const std::vector<std::string_view> kinds{
        "real",    "stencil", "FEM blocks", "FEM triangles", "banded",
        "circuit", "web",     "random",     "long rows",     "mixed"};
    return kinds;
}

std::vector<matrix_case> generated_matrices(bool quick)
{
    cases all;
    const sizes s{quick};
    for (const auto add :
         {add_stencils, add_elements, add_bands, add_circuits, add_webs, add_random, add_mixtures})
        add(all, s);
    return all;
}

}  // namespace bench
