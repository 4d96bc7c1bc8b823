// A program as a list: its parts in order, each behind one virtual call.
//
// Programs have the types of all their parts in theirs, so that a method reads like its formulas.
// What runs them needs to know of a part that it runs, and whether it is a product: as lists,
// programs of all methods have one type, and drivers are compiled once, not once a method.
#pragma once

#include "program.hpp"

#include <memory>
#include <vector>

namespace ddla::steps {

template <class T, class Backend>
class listed_part {
public:
    virtual ~listed_part() = default;
    /// The product that it is; null: a step.
    virtual const apply<T>* product() const { return nullptr; }
    /// As a step, over n elements unless it says others.
    virtual void run(Backend& backend, index_t n) const = 0;
    /// Memory that it will need.
    virtual void reserve(Backend&, index_t) const {}
};

template <class T, class Backend>
class program_list {
public:
    using listed = listed_part<T, Backend>;

    template <class... Parts>
    explicit program_list(const program<Parts...>& all)
    {
        parts_.reserve(sizeof...(Parts));
        add(all);
    }

    std::size_t size() const { return parts_.size(); }
    const listed& operator[](std::size_t k) const { return *parts_[k]; }

private:
    class product_part final : public listed {
    public:
        explicit product_part(const apply<T>& product) : product_(product) {}
        const apply<T>* product() const override { return &product_; }
        void run(Backend&, index_t) const override {}

    private:
        apply<T> product_;
    };
    template <class Step>
    class step_part final : public listed {
    public:
        explicit step_part(const Step& step) : step_(step) {}
        void run(Backend& backend, index_t n) const override
        {
            backend.run(step_, elements_of(step_, n));
        }
        void reserve(Backend& backend, index_t n) const override
        {
            if constexpr (basis_sums<Step> && requires { backend.reserve(step_, n); })
                backend.reserve(step_, n);
        }

    private:
        Step step_;
    };
    template <class Step>
    class one_element_part final : public listed {
    public:
        explicit one_element_part(const Step& step) : step_(step) {}
        void run(Backend& backend, index_t) const override { backend.run_alone(step_); }

    private:
        Step step_;
    };

    template <class... Parts>
    void add(const program<Parts...>& all)
    {
        std::apply([&](const Parts&... part) { (add(part), ...); }, all.parts);
    }
    template <class Program>
    void add(const several<Program>& part)
    {
        for (const Program& one : part.each) add(one);
    }
    void add(const apply<T>& part) { parts_.push_back(std::make_unique<product_part>(part)); }
    template <class Step>
    void add(const once<Step>& part)
    {
        parts_.push_back(std::make_unique<one_element_part<Step>>(part.step));
    }
    template <class Step>
    void add(const Step& step)
    {
        parts_.push_back(std::make_unique<step_part<Step>>(step));
    }

    std::vector<std::unique_ptr<listed>> parts_;
};

}  // namespace ddla::steps
