// Results of one part, record by record: a run that was cut short goes on where it was.
#pragma once

#include "support/machine.hpp"

#include <chrono>
#include <string>

namespace bench {

class record_file {
public:
    /// Goes on with what `file` holds of this part, if it is there; an empty name keeps nothing.
    /// Throws input_error if it holds something else.
    record_file(std::string file, std::string part, double most_seconds);

    /// Where and with what was measured: of the run that writes last.
    void set(const std::string& key, json value) { all_[key] = std::move(value); }
    /// Whether a record with this name and kind is there; one that failed does not count.
    bool has(const std::string& name, const std::string& kind) const;
    /// Writes the file.
    void add(json record);
    /// Disagreements stay with the records: those of all runs.
    void add_disagreements(int count);
    int disagreements() const { return all_["disagreements"]; }
    /// No more is missing.
    void complete();

    bool time_is_over() const;
    std::size_t size() const { return all_["records"].size(); }

private:
    std::string file_;
    double most_seconds_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    json all_;
};

}  // namespace bench
