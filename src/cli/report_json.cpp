// What the reports for programs have in common.
#include "report_json.hpp"

namespace ddla::cli {

json matrix_json(const std::filesystem::path& file, index_t rows, index_t columns, index_t nonzeros)
{
    return {{"rows", rows}, {"columns", columns}, {"nonzeros", nonzeros}, {"file", file.string()}};
}

json format_json(const chosen_format& format)
{
    return {{"name", to_string(format.report.format)},
            {"threads_per_row", format.report.threads_per_row},
            {"reason", format.reason}};
}

}  // namespace ddla::cli
