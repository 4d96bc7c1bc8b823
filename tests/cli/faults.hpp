// Programs on a system that fails them (fault_shim.cpp).
#pragma once

#include "process.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace cli_test {

/// While it lives, programs start with the shim: from the `from`-th call on (see there).
class fault {
public:
    fault(const std::string& call, const std::string& action, int from,
          const std::filesystem::path& under = {})
    {
        set("LD_PRELOAD", DDLA_FAULT_SHIM);
        set("DDLA_FAULT", call + ' ' + action + ' ' + std::to_string(from));
        set("DDLA_FAULT_UNDER", under.string());
        set("DDLA_FAULT_COUNT", (folder_ / "count").string());
        // Address sanitizer wants to be the first library.
        const char* const options = std::getenv("ASAN_OPTIONS");
        set("ASAN_OPTIONS",
            std::string(options == nullptr ? "" : options) + ":verify_asan_link_order=0");
    }
    fault(const fault&) = delete;
    fault& operator=(const fault&) = delete;
    ~fault()
    {
        for (auto i = before_.rbegin(); i != before_.rend(); ++i)
            if (i->second)
                ::setenv(i->first.c_str(), i->second->c_str(), 1);
            else
                ::unsetenv(i->first.c_str());
    }
    /// The most calls that a program made which came to its end.
    int calls() const
    {
        std::istringstream lines(read_file(folder_ / "count"));
        int most = 0;
        for (int n = 0; lines >> n;) most = std::max(most, n);
        return most;
    }

private:
    void set(const std::string& name, const std::string& value)
    {
        const char* const old = std::getenv(name.c_str());
        before_.emplace_back(name, old ? std::optional<std::string>(old) : std::nullopt);
        ::setenv(name.c_str(), value.c_str(), 1);
    }

    scratch folder_;
    std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

/// How often `ddla OPTIONS...` makes the call.
inline int calls_of(const arguments& options, const std::string& call,
                    const std::filesystem::path& under = {})
{
    const fault none(call, "none", 1, under);
    run(options);
    return none.calls();
}

/// What a program must end with that was to write these files, when the disk is full from one of
/// its calls on, and where a file that is not written whole may not be seen.
void check_full_disks(const std::string& program, const scratch& folder, const arguments& options,
                      const std::vector<std::string>& outputs);

/// `ddla OPTIONS...` gets SIGINT at so many moments, from its start to after its end: it must end
/// by that signal with nothing done, or say that it was interrupted, or have finished; with whole
/// files or none.  Moments are counted by calls.
struct interrupted_run {
    arguments options;
    std::vector<std::string> outputs;  ///< names in the folder
    int finished = 0;                  ///< the exit status
};
void check_interrupts(const scratch& folder, const interrupted_run& r, int moments);

/// Whether the file is as a program leaves it that has written all of it.
bool is_whole(const std::filesystem::path& file);

}  // namespace cli_test
