// The machine, and files of results.
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace bench {

using json = nlohmann::ordered_json;

/// Date, version, processor.
json machine();
/// The device on which everything is measured.
json record_of_device();

/// Throws resource_error if the file cannot be written.  Nothing is done without a name.
void write_results(const std::string& file, const json& results);

}  // namespace bench
