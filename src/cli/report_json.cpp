// What the reports for programs have in common.
#include "report_json.hpp"

namespace ddla::cli {

json matrix_json(const std::filesystem::path& file, index_t rows, index_t columns, index_t nonzeros)
{
    return {{"rows", rows}, {"columns", columns}, {"nonzeros", nonzeros}, {"file", file.string()}};
}

}  // namespace ddla::cli
