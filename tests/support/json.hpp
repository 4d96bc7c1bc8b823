// nlohmann::json, whose code is compiled once for all tests.
#pragma once

#include <nlohmann/json.hpp>

extern template class nlohmann::basic_json<>;
