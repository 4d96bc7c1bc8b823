// The format of the matrix of a command.
#include "format_choice.hpp"

#include "cli/shell/arguments.hpp"
#include "cli/shell/text_format.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace ddla::cli {
namespace {

/// Those of the library, and auto.
std::vector<std::pair<std::string, sparse_format>> format_words()
{
    using f = sparse_format;
    std::vector<std::pair<std::string, f>> words{
        {std::string(to_string(f::automatic)), f::automatic}};
    for (const f format : all_sparse_formats())
        words.emplace_back(std::string(to_string(format)), format);
    return words;
}

template <scalar T, scalar V>
chosen_format set(csr_matrix<V>& a, const format_options& format, const std::string& reason)
{
    return {set_format<T>(a, format), reason};
}

}  // namespace

void add_format(CLI::App& app, sparse_format& target)
{
    std::string help = "How A is stored: auto (what ddla tune has found, else by its rows)";
    for (const sparse_format f : all_sparse_formats()) help += ", " + std::string(to_string(f));
    const auto parse = [](const std::string& option, const std::string& value) {
        if (const std::string advice = advice_on_removed_format(value); !advice.empty())
            throw input_error(option + ": " + advice);
        return one_of(format_words())(option, value);
    };
    add_option(app, "--format", target, parse, "NAME", wrapped(help + "; never changes a bit", 52))
        ->type_name(one_of(format_words()).joined("|"));
}

template <scalar T, scalar V>
remembered_format format_chooser::recall(const csr_matrix<V>& a)
{
    remembered_format known = recall_format<T>(a);
    if (!known.problem.empty() && !quiet_ && !warned_) {
        std::cerr << "ddla: warning: " + one_line(known.problem) + "; it is ignored\n";
        warned_ = true;
    }
    return known;
}

template <scalar T, scalar V>
chosen_format format_chooser::choose_by_itself(csr_matrix<V>& a)
{
    std::string why = "nothing is remembered of A";
    if (const remembered_format known = recall<T>(a); known.options) {
        why = "remembered, " + duration(known.seconds) + " a product when tuned";
        try {
            format_options options = *known.options;
            options.memory_limit = memory_limit_;
            return set<T>(a, options, why);
        } catch (const internal_error&) {
            throw;
        } catch (const error& e) {
            why = "what is remembered does not fit, " + std::string(e.what());
        }
    }
    const format_report by_rows = set_format<T>(a, {.memory_limit = memory_limit_});
    return {by_rows, why + "; " + by_rows.reason};
}

template <scalar T, scalar V>
chosen_format format_chooser::choose(csr_matrix<V>& a)
{
    if (wanted_ == sparse_format::automatic) return choose_by_itself<T>(a);
    const format_report asked_for =
        set_format<T>(a, {.format = wanted_, .memory_limit = memory_limit_});
    return {asked_for, asked_for.reason};
}

#define DDLA_INSTANTIATE(T, V)                                                                     \
    template chosen_format format_chooser::choose<T>(csr_matrix<V>&);                              \
    template remembered_format format_chooser::recall<T>(const csr_matrix<V>&);
DDLA_FOR_PRODUCTS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla::cli
