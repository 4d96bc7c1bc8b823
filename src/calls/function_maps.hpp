// The caller's code as a linear map.
#pragma once

#include "ddla/fp_mode.hpp"
#include "ddla/linear_operator.hpp"
#include "engine/linear_map.hpp"
#include "place_of.hpp"
#include "storage/memory.hpp"

namespace ddla::api {

/// How a function of the caller is applied at a place.
template <scalar T>
class function_map : public linear_map<T> {
public:
    function_map(index_t rows, index_t columns, place where)
        : rows_(rows), columns_(columns), at_(where)
    {
    }
    index_t rows() const override { return rows_; }
    index_t columns() const override { return columns_; }
    place where() const override { return at_; }

private:
    index_t rows_, columns_;
    place at_;
};

/// y = A x by a function that a bound map calls.
template <scalar T, class Function>
class calling final : public bound_map<T> {
public:
    explicit calling(Function function) : function_(std::move(function)) {}
    void apply(vec<const T> x, double, vec<T> y) override
    {
        const fp_mode_guard as_before;  // should the caller's code leave another mode
        function_(x, y);
    }

private:
    Function function_;
};
template <scalar T, class Function>
std::unique_ptr<bound_map<T>> bound(Function function)
{
    return std::make_unique<calling<T, Function>>(std::move(function));
}

/// On the host.
template <scalar T>
class host_function_map final : public function_map<T> {
public:
    host_function_map(index_t rows, index_t columns, host_function<T> f)
        : function_map<T>(rows, columns, host), function_(std::move(f))
    {
    }
    bool is_recordable() const override { return false; }
    std::unique_ptr<bound_map<T>> bind(engine&) const override
    {
        return bound<T>([this](vec<const T> x, vec<T> y) { function_(x, y); });
    }

private:
    host_function<T> function_;
};

/// On the host, between copies from a device and back.
template <scalar T>
class copying_map final : public function_map<T> {
public:
    copying_map(index_t rows, index_t columns, place device, host_function<T> f)
        : function_map<T>(rows, columns, device), function_(std::move(f))
    {
    }
    bool is_recordable() const override { return false; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return bound<T>([this, &here, x_here = vector<T>(this->columns()),
                         y_here = vector<T>(this->rows())](vec<const T> x, vec<T> y) mutable {
            memory& there = memory_at(this->where());
            here.wait();
            for (int k = 0; k < x.words; ++k)
                there.copy_to_host(x_here.word(k).data(), x.word(k), bytes_of_word(x.size));
            function_(std::as_const(x_here).view(), y_here.view());
            for (int k = 0; k < y.words; ++k)
                there.copy_from_host(y.word(k), y_here.word(k).data(), bytes_of_word(y.size));
        });
    }

private:
    static std::size_t bytes_of_word(index_t n)
    {
        return static_cast<std::size_t>(n) * sizeof(double);
    }

    host_function<T> function_;
};

/// On a device.
template <scalar T>
class device_function_map final : public function_map<T> {
public:
    device_function_map(index_t rows, index_t columns, place where, device_function<T> f,
                        recording g)
        : function_map<T>(rows, columns, where), function_(std::move(f)), graphs_(g)
    {
    }
    bool is_recordable() const override { return graphs_ == recording::allowed; }
    std::unique_ptr<bound_map<T>> bind(engine& here) const override
    {
        return bound<T>([this, stream = here.native_stream()](vec<const T> x, vec<T> y) {
            function_(stream, x, y);
        });
    }

private:
    device_function<T> function_;
    recording graphs_;
};

/// What makes the map of a function for vectors at a place; `what` names it in messages.
template <scalar T>
auto maps_of_function(const char* what, index_t rows, index_t columns, host_function<T> f)
{
    if (!f) throw input_error(std::string(what) + ": the function is empty");
    return [=](place where) -> std::shared_ptr<const linear_map<T>> {
        if (where.is_host()) return std::make_shared<host_function_map<T>>(rows, columns, f);
        return std::make_shared<copying_map<T>>(rows, columns, where, f);
    };
}
template <scalar T>
auto maps_of_function(const char* what, index_t rows, index_t columns, place device,
                      device_function<T> f, recording graphs)
{
    if (!f) throw input_error(std::string(what) + ": the function is empty");
    if (device.is_host())
        throw input_error(std::string(what) + ": a function with a stream works at a device");
    auto map = std::make_shared<const device_function_map<T>>(rows, columns, device, f, graphs);
    return [=](place where) -> std::shared_ptr<const linear_map<T>> {
        require_same_place("apply", what, device, "the vectors", where);
        return map;
    };
}

/// Throws input_error unless vectors of these sizes are what a map of `rows` x `columns` takes.
template <scalar T>
void apply_map(const char* what, index_t rows, index_t columns, const linear_map<T>& map,
               const vector<T>& x, vector<T>& y)
{
    if (x.size() != columns || y.size() != rows)
        throw input_error(std::string(what) + ": x has " + std::to_string(x.size()) + " and y " +
                          std::to_string(y.size()) + " elements, the map is " +
                          std::to_string(rows) + " x " + std::to_string(columns));
    require_same_place(what, "x", x.where(), "y", y.where());
    require_apart(what, "x", x.view().word(0), "y", y.view().word(0));
    engine& here = engine_at(x.where());
    map.bind(here)->apply(x.view(), 1, y.view());
    here.wait();
}

}  // namespace ddla::api
