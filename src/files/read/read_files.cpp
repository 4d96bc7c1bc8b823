#include "ddla/matrix_market.hpp"

#include "ddla/fp_mode.hpp"

#include "ddla/host_threads.hpp"
#include "files/market/input_text.hpp"
#include "foreign_file.hpp"
#include "read_text.hpp"

#include <vector>
#include <zlib.h>

namespace ddla {
namespace {

/// How a file is read.
struct read_request {
    const std::filesystem::path& file;
    int threads;
    read_losses* lost;
    std::size_t memory_limit;
    bool counts_rounded = false;
};

/// parse(text, name, how) of a file.
template <class Parse>
auto of_file(const read_request& r, const Parse& parse)
{
    const fp_mode_guard exact;
    const text::input_text input(r.file, r.memory_limit);
    text::refuse_foreign(r.file, input.text(), input.was_compressed());
    read_losses found;
    auto content = parse(input.text(), r.file.string(),
                         text::sharing{.threads = r.threads > 0 ? r.threads : host_threads(),
                                       .lost = &found,
                                       .counts_rounded = r.counts_rounded,
                                       .memory_limit = r.memory_limit,
                                       .text_bytes = input.held_bytes()});
    if (r.lost != nullptr) *r.lost = found;
    return content;
}

/// The same with a part of the file.
template <class Parse>
auto of_part(const read_request& r, vector_part part, const Parse& parse)
{
    return of_file(r, [&](text::characters text, const std::string& name, text::sharing how) {
        return parse(text, name, how, part);
    });
}

}  // namespace

template <scalar V>
csr_matrix<V> read_matrix(const std::filesystem::path& file, int threads, read_losses* lost,
                          std::size_t memory_limit)
{
    return of_file({file, threads, lost, memory_limit}, text::matrix_from_text<V>);
}

template <scalar V>
file_content<csr_matrix<V>> read_any_matrix(const std::filesystem::path& file, int threads,
                                            read_losses* lost, std::size_t memory_limit)
{
    return of_file({file, threads, lost, memory_limit}, text::any_matrix_from_text<V>);
}

template <scalar T>
vector<T> read_vector(const std::filesystem::path& file, int threads, read_losses* lost,
                      std::size_t memory_limit, vector_part part)
{
    return of_part({file, threads, lost, memory_limit, lost != nullptr}, part,
                   text::vector_from_text<T>);
}

template <scalar T>
std::vector<vector<T>> read_vectors(const std::filesystem::path& file, int threads,
                                    read_losses* lost, std::size_t memory_limit, vector_part part)
{
    return of_part({file, threads, lost, memory_limit, lost != nullptr}, part,
                   text::vectors_from_text<T>);
}

template <scalar T>
file_content<vector<T>> read_any_vector(const std::filesystem::path& file, int threads,
                                        read_losses* lost, std::size_t memory_limit,
                                        vector_part part)
{
    return of_part({file, threads, lost, memory_limit, lost != nullptr}, part,
                   text::any_vector_from_text<T>);
}

template <scalar T>
file_content<std::vector<vector<T>>> read_any_vectors(const std::filesystem::path& file,
                                                      int threads, read_losses* lost,
                                                      std::size_t memory_limit, vector_part part)
{
    return of_part({file, threads, lost, memory_limit, lost != nullptr}, part,
                   text::any_vectors_from_text<T>);
}

four_word_vector read_four_words(const std::filesystem::path& file, int threads, read_losses* lost,
                                 std::size_t memory_limit, vector_part part)
{
    return of_part({file, threads, lost, memory_limit}, part, text::four_words_from_text);
}

file_content<four_word_vector> read_any_four_words(const std::filesystem::path& file, int threads,
                                                   read_losses* lost, std::size_t memory_limit,
                                                   vector_part part)
{
    return of_part({file, threads, lost, memory_limit}, part, text::any_four_words_from_text);
}

bool holds_right_hand_side(const std::filesystem::path& file)
{
    constexpr std::size_t enough = std::size_t{1} << 20;  // of comments
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(file, ignored)) return false;
    const gzFile in = gzopen(file.c_str(), "rb");  // reads plain files as they are
    if (in == nullptr) return false;
    std::vector<char> begin(enough);
    const int bytes = gzread(in, begin.data(), static_cast<unsigned>(begin.size()));
    gzclose(in);
    if (bytes <= 0) return false;
    return text::has_right_hand_side(text::without_mark({begin.data(), begin.data() + bytes}));
}

#define DDLA_INSTANTIATE(T)                                                                        \
    template csr_matrix<T> read_matrix(const std::filesystem::path&, int, read_losses*,            \
                                       std::size_t);                                               \
    template file_content<csr_matrix<T>> read_any_matrix(const std::filesystem::path&, int,        \
                                                         read_losses*, std::size_t);               \
    template vector<T> read_vector(const std::filesystem::path&, int, read_losses*, std::size_t,   \
                                   vector_part);                                                   \
    template file_content<vector<T>> read_any_vector(const std::filesystem::path&, int,            \
                                                     read_losses*, std::size_t, vector_part);      \
    template std::vector<vector<T>> read_vectors(const std::filesystem::path&, int, read_losses*,  \
                                                 std::size_t, vector_part);                        \
    template file_content<std::vector<vector<T>>> read_any_vectors(                                \
        const std::filesystem::path&, int, read_losses*, std::size_t, vector_part);
DDLA_FOR_PRECISIONS(DDLA_INSTANTIATE)
#undef DDLA_INSTANTIATE

}  // namespace ddla
