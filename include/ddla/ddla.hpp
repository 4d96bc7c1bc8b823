// The whole public interface.
//
//     const ddla::csr_matrix<double> a = ddla::read_matrix<double>("a.mtx");
//     ddla::vector<ddla::dd_real> b(a.rows(), 1.0), x(a.columns());
//     const ddla::solve_report report = ddla::solve(a, b, x);
#pragma once

#include "binary_matrix.hpp"
#include "blas.hpp"
#include "check.hpp"
#include "complex.hpp"
#include "csr_matrix.hpp"
#include "dd_real.hpp"
#include "ddla/version.hpp"
#include "devices.hpp"
#include "distributed.hpp"
#include "error.hpp"
#include "factors.hpp"
#include "fp_mode.hpp"
#include "generate.hpp"
#include "linalg.hpp"
#include "linear_operator.hpp"
#include "matrix_info.hpp"
#include "matrix_market.hpp"
#include "memory_place.hpp"
#include "method.hpp"
#include "output_file.hpp"
#include "preconditioner.hpp"
#include "read_losses.hpp"
#include "report_json.hpp"
#include "solve.hpp"
#include "sparse_format.hpp"
#include "stream.hpp"
#include "text.hpp"
#include "tune.hpp"
#include "watched_scope.hpp"
