// Minimum degree on the quotient graph.
#include "minimum_degree.hpp"

#include "hashing.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>

namespace ddla::factor {

namespace {

/// A variable is a vertex that is not yet eliminated, with those that were merged into it; an
/// element is an eliminated one, and stands for the clique of its variables.
class quotient_graph {
public:
    quotient_graph(const weighted_graph& g, column_t inner)
        : n_(g.size()), inner_(inner), begin_(as_size(n_), 0), elements_(as_size(n_), 0),
          length_(as_size(n_), 0), state_(as_size(n_), is_variable),
          weight_(g.vertex_weight.begin(), g.vertex_weight.end()), degree_(as_size(n_), 0),
          mark_(as_size(n_), 0), next_(as_size(n_), -1), last_(as_size(n_), -1),
          follows_(as_size(n_), -1), tail_(as_size(n_)), hash_(as_size(n_), 0),
          in_clique_(as_size(n_), 0)
    {
        left_ = g.weight;
        list_.reserve(g.neighbour.size() + g.neighbour.size() / 4 + as_size(n_));
        list_.assign(g.neighbour.begin(), g.neighbour.end());
        for (column_t v = 0; v < n_; ++v) {
            begin_[as_size(v)] = g.begin[as_size(v)];
            length_[as_size(v)] = static_cast<column_t>(g.degree(v));
            tail_[as_size(v)] = v;
        }
        bucket_.assign(as_size(g.weight) + 1, -1);
        for (column_t v = inner - 1; v >= 0; --v) {
            index_t degree = 0;
            for (const column_t u : g.of(v)) degree += g.vertex_weight[as_size(u)];
            degree_[as_size(v)] = degree;
            put_in_bucket(v);
        }
    }

    std::vector<column_t> run()
    {
        order_.reserve(as_size(inner_));
        while (static_cast<column_t>(order_.size()) < inner_) eliminate(take_least());
        return std::move(order_);
    }

private:
    enum state : signed char { is_variable, is_element, is_gone };

    bool is_inner(column_t v) const { return v < inner_; }

    void put_in_bucket(column_t v)
    {
        column_t& head = bucket_[as_size(degree_[as_size(v)])];
        next_[as_size(v)] = head;
        last_[as_size(v)] = -1;
        if (head >= 0) last_[as_size(head)] = v;
        head = v;
        least_ = std::min(least_, degree_[as_size(v)]);
    }
    void take_from_bucket(column_t v)
    {
        const column_t before = last_[as_size(v)], after = next_[as_size(v)];
        (before >= 0 ? next_[as_size(before)] : bucket_[as_size(degree_[as_size(v)])]) = after;
        if (after >= 0) last_[as_size(after)] = before;
    }
    column_t take_least()
    {
        while (bucket_[as_size(least_)] < 0) ++least_;
        const column_t v = bucket_[as_size(least_)];
        take_from_bucket(v);
        return v;
    }

    void eliminate(column_t pivot)
    {
        left_ -= weight_[as_size(pivot)];
        state_[as_size(pivot)] = is_element;
        make_element(pivot);
        count_outside();
        update_variables(pivot);
        merge_equal_variables();
        finish_element(pivot);
        for (column_t v = pivot; v >= 0; v = follows_[as_size(v)]) order_.push_back(v);
    }

    /// New marks, above all that are there.
    void renew_marks()
    {
        constexpr index_t far = index_t{1} << 62;
        if (now_ > far) {
            std::fill(mark_.begin(), mark_.end(), 0);
            now_ = 0;
        }
        now_ += 1 + bound_of_marks_;
        bound_of_marks_ = 0;
    }

    /// The variables of the pivot and of its elements, which it takes in: in clique_.
    void make_element(column_t pivot)
    {
        clique_.clear();
        clique_weight_ = 0;
        renew_marks();
        mark_[as_size(pivot)] = now_;
        const auto add = [&](column_t v) {
            if (state_[as_size(v)] != is_variable || mark_[as_size(v)] == now_) return;
            mark_[as_size(v)] = now_;
            clique_.push_back(v);
            clique_weight_ += weight_[as_size(v)];
            if (is_inner(v)) take_from_bucket(v);
        };
        const index_t begin = begin_[as_size(pivot)];
        const column_t elements = elements_[as_size(pivot)];
        for (column_t k = 0; k < length_[as_size(pivot)]; ++k) {
            const column_t x = list_[as_size(begin + k)];
            if (k >= elements) {
                add(x);
                continue;
            }
            if (state_[as_size(x)] != is_element) continue;
            const index_t first = begin_[as_size(x)];
            count_work(2 * length_[as_size(x)]);
            for (column_t e = 0; e < length_[as_size(x)]; ++e) add(list_[as_size(first + e)]);
            state_[as_size(x)] = is_gone;
        }
        count_work(5 * static_cast<index_t>(clique_.size()));
    }

    /// Of each element that shares variables with the clique: what it has outside of it.
    void count_outside()
    {
        renew_marks();
        for (const column_t v : clique_) {
            const index_t begin = begin_[as_size(v)];
            for (column_t k = 0; k < elements_[as_size(v)]; ++k) {
                const column_t e = list_[as_size(begin + k)];
                if (state_[as_size(e)] != is_element) continue;
                if (mark_[as_size(e)] < now_) {
                    mark_[as_size(e)] = now_ + degree_[as_size(e)];
                    bound_of_marks_ = std::max(bound_of_marks_, degree_[as_size(e)]);
                }
                mark_[as_size(e)] -= weight_[as_size(v)];
            }
        }
    }

    void update_variables(column_t pivot)
    {
        in_clique_stamp_ += 1;
        for (const column_t v : clique_) in_clique_[as_size(v)] = in_clique_stamp_;
        for (const column_t v : clique_) update_variable(v, pivot);
        std::erase_if(clique_, [&](column_t v) { return state_[as_size(v)] != is_variable; });
    }

    /// Its list without what the clique covers, and its degree outside of the clique.
    void update_variable(column_t v, column_t pivot)
    {
        const index_t begin = begin_[as_size(v)], end = begin + length_[as_size(v)];
        outside_ = 0;
        key_ = is_inner(v) ? 0 : 1;
        index_t to = keep_elements(begin, begin + elements_[as_size(v)]);
        keep_variables(begin + elements_[as_size(v)], end);
        if (outside_ == 0 && is_inner(v)) {  // nothing is left of it but the clique
            append(pivot, v);
            clique_weight_ -= weight_[as_size(v)];
            left_ -= weight_[as_size(v)];
            return;
        }
        // There is room: the list had the pivot, or an element that is gone.
        list_[as_size(to++)] = pivot;
        std::copy(kept_.begin(), kept_.end(), list_.begin() + to);
        elements_[as_size(v)] = static_cast<column_t>(to - begin);
        length_[as_size(v)] = static_cast<column_t>(to - begin + std::ssize(kept_));
        hash_[as_size(v)] = key_;
        degree_[as_size(v)] = is_inner(v) ? std::min(degree_[as_size(v)], outside_) : 0;
    }

    /// Moves the elements that have something outside of the clique to the front of a list.
    index_t keep_elements(index_t begin, index_t end)
    {
        index_t to = begin;
        for (index_t k = begin; k < end; ++k) {
            const column_t e = list_[as_size(k)];
            if (state_[as_size(e)] != is_element) continue;
            const index_t outside = mark_[as_size(e)] - now_;
            if (outside == 0) {  // the clique covers it
                state_[as_size(e)] = is_gone;
                continue;
            }
            outside_ += outside;
            key_ += hashed(static_cast<std::uint64_t>(e));
            list_[as_size(to++)] = e;
        }
        return to;
    }

    /// The variables outside of the clique, in kept_.
    void keep_variables(index_t begin, index_t end)
    {
        kept_.clear();
        for (index_t k = begin; k < end; ++k) {
            const column_t u = list_[as_size(k)];
            if (state_[as_size(u)] != is_variable || in_clique_[as_size(u)] == in_clique_stamp_)
                continue;
            outside_ += weight_[as_size(u)];
            key_ += hashed(static_cast<std::uint64_t>(u));
            kept_.push_back(u);
        }
    }

    /// v is eliminated with `leader`.
    void append(column_t leader, column_t v)
    {
        state_[as_size(v)] = is_gone;
        follows_[as_size(tail_[as_size(leader)])] = v;
        tail_[as_size(leader)] = tail_[as_size(v)];
    }

    bool are_equal(column_t x, column_t y)
    {
        if (is_inner(x) != is_inner(y) || length_[as_size(x)] != length_[as_size(y)] ||
            elements_[as_size(x)] != elements_[as_size(y)])
            return false;
        renew_marks();
        for (column_t k = 0; k < length_[as_size(x)]; ++k)
            mark_[as_size(list_[as_size(begin_[as_size(x)] + k)])] = now_;
        for (column_t k = 0; k < length_[as_size(y)]; ++k)
            if (mark_[as_size(list_[as_size(begin_[as_size(y)] + k)])] != now_) return false;
        return true;
    }

    /// Variables of the clique with equal lists become one.
    void merge_equal_variables()
    {
        by_hash_.clear();
        for (const column_t v : clique_) by_hash_.push_back({hash_[as_size(v)], v});
        std::sort(by_hash_.begin(), by_hash_.end());
        for (std::size_t k = 0; k < by_hash_.size(); ++k) {
            const column_t x = by_hash_[k].second;
            if (state_[as_size(x)] != is_variable) continue;
            for (std::size_t j = k + 1;
                 j < by_hash_.size() && by_hash_[j].first == by_hash_[k].first; ++j) {
                const column_t y = by_hash_[j].second;
                if (state_[as_size(y)] != is_variable || !are_equal(x, y)) continue;
                weight_[as_size(x)] += weight_[as_size(y)];
                append(x, y);
            }
        }
    }

    /// Degrees of the variables that are left, and the list of the new element.
    void finish_element(column_t pivot)
    {
        std::erase_if(clique_, [&](column_t v) { return state_[as_size(v)] != is_variable; });
        for (const column_t v : clique_) {
            if (!is_inner(v)) continue;
            const index_t others = clique_weight_ - weight_[as_size(v)];
            degree_[as_size(v)] =
                std::min(degree_[as_size(v)] + others, left_ - weight_[as_size(v)]);
            put_in_bucket(v);
        }
        degree_[as_size(pivot)] = clique_weight_;
        if (clique_.empty()) state_[as_size(pivot)] = is_gone;
        if (list_.size() + clique_.size() > list_.capacity()) collect();
        begin_[as_size(pivot)] = static_cast<index_t>(list_.size());
        elements_[as_size(pivot)] = 0;
        length_[as_size(pivot)] = static_cast<column_t>(clique_.size());
        list_.insert(list_.end(), clique_.begin(), clique_.end());
    }

    /// Closes the gaps in list_, which keeps its capacity.
    void collect()
    {
        spare_.clear();
        spare_.reserve(list_.capacity());
        count_work(static_cast<index_t>(list_.size()));
        for (column_t v = 0; v < n_; ++v) {
            if (state_[as_size(v)] == is_gone) continue;
            const auto first = list_.begin() + begin_[as_size(v)];
            begin_[as_size(v)] = static_cast<index_t>(spare_.size());
            spare_.insert(spare_.end(), first, first + length_[as_size(v)]);
        }
        list_.swap(spare_);
    }

    const column_t n_, inner_;
    std::vector<column_t> list_, spare_;
    std::vector<index_t> begin_;  ///< of each one's list in list_: elements first
    std::vector<column_t> elements_, length_;
    std::vector<state> state_;
    std::vector<index_t> weight_, degree_;
    std::vector<index_t> mark_;
    index_t now_ = 0, bound_of_marks_ = 0;
    std::vector<column_t> bucket_, next_, last_;  ///< inner variables by degrees
    index_t least_ = 0;
    std::vector<column_t> follows_, tail_;  ///< what is eliminated together
    std::vector<std::uint64_t> hash_;
    std::vector<std::pair<std::uint64_t, column_t>> by_hash_;
    std::vector<column_t> clique_, kept_, order_;
    std::vector<column_t> in_clique_;
    column_t in_clique_stamp_ = 0;
    index_t clique_weight_ = 0, left_ = 0;
    index_t outside_ = 0;    ///< of the variable at work: its degree outside of the clique
    std::uint64_t key_ = 0;  ///< … and the hash of its list
};

}  // namespace

std::vector<column_t> order_by_minimum_degree(const weighted_graph& g, column_t inner)
{
    return quotient_graph(g, inner).run();
}

}  // namespace ddla::factor
