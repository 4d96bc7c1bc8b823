// The whole public interface.
#pragma once

#include "blas.hpp"
#include "csr_matrix.hpp"
#include "dd_real.hpp"
#include "ddla/version.hpp"
#include "devices.hpp"
#include "error.hpp"
#include "format_memory.hpp"
#include "generate.hpp"
#include "matrix_info.hpp"
#include "matrix_market.hpp"
#include "output_file.hpp"
#include "solve.hpp"
#include "sparse_format.hpp"
#include "stream.hpp"
#include "text.hpp"
#include "tune.hpp"
