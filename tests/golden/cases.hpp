// The cases whose bits are pinned between releases.
#pragma once

#include "recorder.hpp"

namespace golden {

/// All cases, computed at a place: the hashes do not depend on it.
hash_list compute(ddla::place at);

/// Vector operations: sizes around tiles and tiles of tiles, and numbers of every kind.
void vector_cases(recorder& out);
/// Sparse products and residuals: rows of every length.
void matrix_cases(recorder& out);
/// Solves: some iterations, and whole ones to every end.
void solve_cases(recorder& out);
/// Solves by methods that are programs, and with preconditioners: functions, and those built from
/// A.
void program_cases(recorder& out);

/// Automatic solves.
void answer_cases(recorder& out);

/// examples/494_bus.mtx as the reader takes it.
ddla::csr_matrix<double> power_network();

}  // namespace golden
