// Three ranks solve one system, each with rows of its own.
#include <ddla/ddla.hpp>

#include <cstdio>

/// Rows first … first + count - 1 of the matrix with -1, 2.5, -1 on its diagonals.
ddla::distributed_matrix<double> own_rows(const std::shared_ptr<ddla::communicator>& ranks,
                                          ddla::index_t n, ddla::index_t first, ddla::index_t count)
{
    std::vector<ddla::index_t> row_begin{0}, column;
    std::vector<double> value;
    for (ddla::index_t i = first; i < first + count; ++i) {
        for (const ddla::index_t j : {i - 1, i, i + 1}) {
            if (j < 0 || j >= n) continue;
            column.push_back(j);  // numbered over all ranks
            value.push_back(i == j ? 2.5 : -1.0);
        }
        row_begin.push_back(static_cast<ddla::index_t>(column.size()));
    }
    return {ranks, n, n, row_begin, column, ddla::vector<double>(value)};
}

int main()
{
    const ddla::index_t n = 100000;
    ddla::run_ranks(3, [&](std::shared_ptr<ddla::communicator> ranks) {
        const ddla::index_t first = n * ranks->rank() / 3, end = n * (ranks->rank() + 1) / 3;
        const auto a = own_rows(ranks, n, first, end - first);
        const ddla::vector<ddla::dd_real> b(a.local_rows(), 1.0);
        ddla::vector<ddla::dd_real> x(a.local_columns());
        const auto report = ddla::solve(a, b, x, {.method = ddla::method::cg, .tolerance = 1e-25});
        if (ranks->rank() == 0)
            std::printf("%s, hash %016llx\n", std::string(to_string(report.status)).c_str(),
                        static_cast<unsigned long long>(report.solution_hash));
    });
}
