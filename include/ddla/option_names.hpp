// The names of values of options, as the command, Python and reports have them: names_of(E()), and
// a list beside each enumeration.
//
//     for (const auto& [name, ordering] : ddla::ordering_names) std::cout << name << "\n";
#pragma once

#include "solve.hpp"
