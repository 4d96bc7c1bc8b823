#include "cases.hpp"

#include "embedded.hpp"

#include "ddla/matrix_market.hpp"

#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace golden {

namespace {

/// A file that lasts as long as this.
class temporary_file {
public:
    explicit temporary_file(std::string_view text)
        : path_(std::filesystem::temp_directory_path() /
                ("ddla-golden-" + std::to_string(::getpid()) + ".mtx"))
    {
        std::ofstream out(path_, std::ios::binary);
        if (!(out << text).flush()) throw std::runtime_error("cannot write " + path_.string());
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file()
    {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

}  // namespace

ddla::csr_matrix<double> power_network()
{
    return ddla::read_matrix<double>(temporary_file(text_of_494_bus).path());
}

hash_list compute(ddla::place at)
{
    recorder out{at};
    vector_cases(out);
    matrix_cases(out);
    solve_cases(out);
    program_cases(out);
    answer_cases(out);
    return out.hashes;
}

}  // namespace golden
