// Several systems at once, a thread each: one matrix and one set of factors serve all of them.
#include <ddla/ddla.hpp>

#include <iostream>
#include <thread>
#include <vector>

int main()
{
    const ddla::csr_matrix<double> a = ddla::generate::convection_diffusion(12, 12, 12);
    const ddla::lu_factors<double> factors(a);  // made once

    constexpr int systems = 4;
    std::vector<ddla::solve_report> reports(systems);
    {
        std::vector<std::jthread> threads;
        for (int k = 0; k < systems; ++k)
            threads.emplace_back([&, k] {
                const ddla::vector<ddla::dd_real> b(a.rows(), 1.0 + k);
                ddla::vector<ddla::dd_real> x(a.rows());  // b, x and the report: of this thread
                reports[k] = ddla::solve(a, b, x, factors);
            });
    }
    for (const ddla::solve_report& report : reports)
        std::cout << to_string(report.status) << ", " << *report.digits << " digits\n";
}
