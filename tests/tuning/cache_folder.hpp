// A cache of its own for a test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>

namespace test {

/// A variable of the environment, set or (by null) unset for a while.
class variable {
public:
    variable(const char* name, const char* value) : name_(name)
    {
        if (const char* const before = std::getenv(name)) before_ = before;
        set(value);
    }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;
    ~variable() { set(before_ ? before_->c_str() : nullptr); }

private:
    void set(const char* value) const
    {
        if (value)
            ::setenv(name_, value, 1);
        else
            ::unsetenv(name_);
    }
    const char* name_;
    std::optional<std::string> before_;
};

/// A folder that is there for a while, as $XDG_CACHE_HOME.
class cache_folder {
public:
    cache_folder() : path_(make()), variable_("XDG_CACHE_HOME", path_.c_str()) {}
    cache_folder(const cache_folder&) = delete;
    cache_folder& operator=(const cache_folder&) = delete;
    ~cache_folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path file() const { return path_ / "ddla" / "formats.json"; }
    void write(const std::string& text) const
    {
        std::filesystem::create_directory(path_ / "ddla");
        std::ofstream(file(), std::ios::binary) << text;
    }
    std::string text() const
    {
        std::ifstream in(file(), std::ios::binary);
        return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    }

private:
    static std::filesystem::path make()
    {
        std::string name = (std::filesystem::temp_directory_path() / "ddla-test-XXXXXX").string();
        if (!::mkdtemp(name.data())) throw std::runtime_error("no folder for the test");
        return name;
    }
    std::filesystem::path path_;
    variable variable_;
};

}  // namespace test
