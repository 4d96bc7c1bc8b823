#include "record_file.hpp"

#include "ddla/error.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace bench {

record_file::record_file(std::string file, std::string part, double most_seconds)
    : file_(std::move(file)), most_seconds_(most_seconds)
{
    if (!file_.empty() && std::filesystem::exists(file_)) {
        std::ifstream in(file_);
        all_ = json::parse(in, nullptr, false);
        if (!all_.is_object() || all_.value("part", "") != part || !all_.contains("records"))
            throw ddla::input_error(file_ + " does not hold results of the part " + part +
                                    ": move it away or name another file");
    } else {
        all_ = {{"part", part}, {"records", json::array()}};
    }
    all_["complete"] = false;
    all_["disagreements"] = all_.value("disagreements", 0);
}

void record_file::add_disagreements(int count)
{
    all_["disagreements"] = disagreements() + count;
    write_results(file_, all_);
}

bool record_file::has(const std::string& name, const std::string& kind) const
{
    const json& records = all_["records"];
    return std::any_of(records.begin(), records.end(), [&](const json& r) {
        return r.value("name", "") == name && r.value("kind", "") == kind && !r.contains("failed");
    });
}

void record_file::add(json record)
{
    json& records = all_["records"];
    const auto same = std::find_if(records.begin(), records.end(), [&](const json& r) {
        return r.value("name", "") == record.value("name", "") &&
               r.value("kind", "") == record.value("kind", "");
    });
    if (same != records.end())
        *same = std::move(record);
    else
        records.push_back(std::move(record));
    write_results(file_, all_);
}

void record_file::complete()
{
    all_["complete"] = true;
    write_results(file_, all_);
}

bool record_file::time_is_over() const
{
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begun_;
    return taken.count() > most_seconds_;
}

}  // namespace bench
