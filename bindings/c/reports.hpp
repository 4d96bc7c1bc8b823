// The handle of a report.
#pragma once

#include "handles.hpp"

struct ddla_report {
    ddla::reported_matrix matrix;
    std::variant<ddla::reported_solve, ddla::reported_check> about;
    std::string json, verdict;  // of `about`, made with it so that reading needs no lock

    ddla_report(ddla::reported_matrix a, ddla::reported_solve solve);
    ddla_report(ddla::reported_matrix a, ddla::reported_check check);
};
