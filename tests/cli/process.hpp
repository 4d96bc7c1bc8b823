// Run the command and see what it does.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

namespace cli_test {

/// What a process left.
struct result {
    int exit_status = -1;  ///< or -signal
    std::string out, err;
};

/// A folder of its own for each test, removed with all that is in it.
class scratch {
public:
    scratch();
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch();

    const std::filesystem::path& path() const { return folder_; }
    std::filesystem::path operator/(std::string_view name) const { return folder_ / name; }
    /// Write a file, and return its path.
    std::string write(std::string_view name, std::string_view content) const;
    std::size_t files() const;

private:
    std::filesystem::path folder_;
};

using arguments = std::vector<std::string>;

/// Run a program with its outputs in files; killed (exit -9) after two minutes.
result run_program(const std::string& program, const arguments& options);

/// Run `ddla OPTIONS...`.
result run(const arguments& options);

/// `ddla OPTIONS...` with a pipe as its standard output that nobody reads.
result run_unread(const arguments& options);

/// `ddla OPTIONS...` in the background.
class background {
public:
    /// With `terminal`, the standard error output is a terminal of 80 columns.
    explicit background(const arguments& options, bool terminal = false);
    background(const background&) = delete;
    background& operator=(const background&) = delete;
    ~background();

    /// True once the standard error output holds `text`; false after a minute.
    bool waits_for(std::string_view text);
    /// True once the pipe of the standard output holds so many bytes that nobody has read; false
    /// after a minute.
    bool has_written(int bytes) const;
    void signal(int number) const;
    result wait();

private:
    void read_some();

    pid_t pid_ = -1;
    int out_ = -1, err_ = -1;
    result result_;
};

std::string read_file(const std::filesystem::path& file);

}  // namespace cli_test
