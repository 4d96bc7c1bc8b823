// The elimination tree and the column counts of L.
#include "column_counts.hpp"

#include "ddla/watched_scope.hpp"

#include <algorithm>

namespace ddla::factor {

namespace {

std::vector<column_t> inverse(const std::vector<column_t>& order)
{
    std::vector<column_t> place(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
        place[as_size(order[k])] = static_cast<column_t>(k);
    return place;
}

/// Parents by places in the order; paths are compressed.
std::vector<column_t> tree_of(const adjacency& a, const std::vector<column_t>& order)
{
    const std::vector<column_t> place = inverse(order);
    std::vector<column_t> parent(order.size(), -1), ancestor(order.size(), -1);
    for (std::size_t j = 0; j < order.size(); ++j) {
        const auto k = static_cast<column_t>(j);
        count_work(10 * (1 + a.degree(order[j])));
        for (const column_t u : a.of(order[j])) {
            column_t i = place[as_size(u)];
            while (i >= 0 && i < k) {
                const column_t next = ancestor[as_size(i)];
                ancestor[as_size(i)] = k;
                if (next < 0) parent[as_size(i)] = k;
                i = next;
            }
        }
    }
    return parent;
}

/// Children before their parents, subtrees one after the other, children in their order.
std::vector<column_t> postorder(const std::vector<column_t>& parent)
{
    const auto n = static_cast<column_t>(parent.size());
    std::vector<column_t> child(parent.size() + 1, -1), sibling(parent.size(), -1), order, open;
    const auto slot = [&](column_t v) { return v < 0 ? parent.size() : as_size(v); };
    for (column_t v = n - 1; v >= 0; --v) {
        column_t& head = child[slot(parent[as_size(v)])];
        sibling[as_size(v)] = head;
        head = v;
    }
    order.reserve(parent.size());
    count_work(10 * n);
    for (column_t root = child[parent.size()]; root >= 0; root = sibling[as_size(root)]) {
        open.push_back(root);
        while (!open.empty()) {
            const column_t v = open.back();
            if (child[as_size(v)] >= 0) {
                open.push_back(child[as_size(v)]);
                child[as_size(v)] = -1;
                continue;
            }
            open.pop_back();
            order.push_back(v);
            // Its next sibling waits where the parent is on top again.
            if (parent[as_size(v)] >= 0) child[as_size(parent[as_size(v)])] = sibling[as_size(v)];
        }
    }
    return order;
}

/// The representative of v's set; paths are halved.
column_t found(std::vector<column_t>& set, column_t v)
{
    while (set[as_size(v)] != v) {
        set[as_size(v)] = set[as_size(set[as_size(v)])];
        v = set[as_size(v)];
    }
    return v;
}

/// Of a postordered elimination: how many rows have their first entry of a subtree in each column,
/// summed up the tree.
std::vector<column_t> counts_of(const adjacency& a, const std::vector<column_t>& order,
                                const std::vector<column_t>& parent)
{
    const auto n = static_cast<column_t>(order.size());
    const std::vector<column_t> place = inverse(order);
    const std::size_t size = order.size();
    std::vector<column_t> first(size, -1), count(size, 0), last_leaf(size, -1),
        last_first(size, -1), set(size, 0);
    for (column_t j = 0; j < n; ++j) {
        set[as_size(j)] = j;
        count[as_size(j)] = first[as_size(j)] < 0 ? 1 : 0;
        for (column_t i = j; i >= 0 && first[as_size(i)] < 0; i = parent[as_size(i)])
            first[as_size(i)] = j;
    }
    for (column_t j = 0; j < n; ++j) {
        count_work(20 * (1 + a.degree(order[as_size(j)])));
        if (parent[as_size(j)] >= 0) --count[as_size(parent[as_size(j)])];
        for (const column_t u : a.of(order[as_size(j)])) {
            const column_t i = place[as_size(u)];
            // Whether j is a leaf of the subtree of the columns that have row i.
            if (i <= j || first[as_size(j)] <= last_first[as_size(i)]) continue;
            last_first[as_size(i)] = first[as_size(j)];
            ++count[as_size(j)];
            if (last_leaf[as_size(i)] >= 0) --count[as_size(found(set, last_leaf[as_size(i)]))];
            last_leaf[as_size(i)] = j;
        }
        if (parent[as_size(j)] >= 0) set[as_size(j)] = parent[as_size(j)];
    }
    for (column_t j = 0; j < n; ++j)
        if (parent[as_size(j)] >= 0) count[as_size(parent[as_size(j)])] += count[as_size(j)];
    return count;
}

}  // namespace

elimination_counts count_elimination(const adjacency& a, const std::vector<column_t>& order)
{
    elimination_counts c;
    const std::vector<column_t> parent = tree_of(a, order), post = postorder(parent);
    const std::vector<column_t> place = inverse(post);
    for (const column_t v : post) {
        c.order.push_back(order[as_size(v)]);
        const column_t p = parent[as_size(v)];
        c.parent.push_back(p < 0 ? -1 : place[as_size(p)]);
    }
    c.count = counts_of(a, c.order, c.parent);
    for (const column_t k : c.count) {
        c.entries += k;
        c.operations += static_cast<double>(k) * static_cast<double>(k - 1) / 2;
    }
    return c;
}

}  // namespace ddla::factor
