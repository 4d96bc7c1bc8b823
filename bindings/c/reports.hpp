// The handle of a report.
#pragma once

#include "handles.hpp"

namespace ddla::c {

inline ddla_build_report to_c(const build_report& b)
{
    return {0,        b.seconds, b.fill,      b.smallest_pivot, b.bytes, b.smallest_pivot_row,
            b.shifts, b.bad_row, b.operations};
}

}  // namespace ddla::c

struct ddla_report {
    ddla::reported_matrix matrix;
    std::variant<ddla::reported_solve, ddla::reported_check> about;
    std::string json, verdict;  // of `about`, made with it so that reading needs no lock

    ddla_report(ddla::reported_matrix a, ddla::reported_solve solve);
    ddla_report(ddla::reported_matrix a, ddla::reported_check check);
};
