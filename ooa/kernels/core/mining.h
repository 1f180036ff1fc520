// Frequent patterns: every conjunction of literals, up to a length, that covers enough positive weight.
//
// Two patterns with the same parent (all but the last literal) are joined into one that is longer by a
// literal: its rows are the intersection of theirs. A block is patterns of one length, those of a family side
// by side. As many of them as make a batch are joined with their later siblings, by whichever thread is free,
// and what they give is put together in their order; their children are the next block, and are joined before
// the rest of this one. So memory stays within a batch per length, and nothing depends on the threads.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "parallel.h"

namespace ooa {

// Rows of one class in sections whose rows weigh the same.
struct Sections {
    RowSets literals;
    const Int* end;  // of each section, in words
    const double* factor;
    Int count;

    // What the rows of `set(w)` weigh; sections are added up in their order, as numpy does.
    template <class Set>
    double weigh(Set set) const {
        double total = 0;
        for (Int k = 0, w = 0; k < count; ++k) {
            Int rows = 0;
            for (; w < end[k]; ++w) rows += popcount(set(w));
            total += factor[k] * static_cast<double>(rows);
        }
        return total;
    }
    double weigh(const Word* a, const Word* b) const {
        return weigh([=](Int w) { return a[w] & b[w]; });
    }
};

// Information gain in bits less `gamma` per literal, nearly: to tell patterns that are far below others.
class Merit {
public:
    Merit(double positive, double negative, double gamma, bool whole)
        : positive_(positive), negative_(negative), gamma_(gamma) {
        if (whole && positive + negative <= kTable) {
            for (Int k = 0; k <= static_cast<Int>(positive + negative); ++k) {
                table_.push_back(x_log_x(static_cast<double>(k)));
            }
        }
        before_ = mixed(positive_, negative_);
    }

    double operator()(double p, double n, Int length) const {
        const double after = mixed(p, n) + mixed(positive_ - p, negative_ - n);
        return (before_ - after) / (positive_ + negative_) - gamma_ * static_cast<double>(length);
    }

private:
    static constexpr double kTable = 1 << 20;  // weights up to here, if whole, are looked up

    static double x_log_x(double x) { return x > 0 ? x * std::log2(x) : 0; }
    double term(double x) const { return table_.empty() ? x_log_x(x) : table_[static_cast<Int>(x)]; }
    // Weight times entropy.
    double mixed(double p, double n) const { return term(p + n) - term(p) - term(n); }

    double positive_, negative_, gamma_, before_ = 0;
    std::vector<double> table_;
};

class Miner {
public:
    using Item = std::int32_t;

    // Patterns of one length; `rows` of each class only where they are joined further.
    struct Block {
        Int length = 0, begin = 0;  // the next one to be joined
        std::vector<Item> items;
        std::vector<Int> family_end;  // per pattern, where its parent's children end
        Vector<Word> positive, negative;
        double done = 0, share = 1;  // of the whole work: what came before, and what this block is
        Int pairs = 0, joined = 0;

        Int size() const { return static_cast<Int>(family_end.size()); }
        const Item* pattern(Int i) const { return items.data() + i * length; }
    };

    // What a batch gave: patterns that are wanted, their literals ascending, and how many more were below the
    // floor.
    struct Batch {
        Int length = 0, tested = 0, below = 0;
        double done = 0;
        std::vector<Item> items;
        std::vector<double> positive, negative;
    };

    // `wanted[l]` is the least positive weight of a pattern of length l, up to `longest`; the literals in
    // `first` are those to begin with, in order.
    Miner(Sections positive, Sections negative, const Item* attribute, const Item* first, Int count,
          const double* wanted, Int longest, Int threads)
        : positive_(positive), negative_(negative), attribute_(attribute), wanted_(wanted, wanted + longest + 1),
          alive_(wanted_), longest_(longest), threads_(threads) {
        // What is too rare for its own length may have descendants that are not, where thresholds fall.
        for (Int l = longest - 1; l >= 0; --l) alive_[l] = std::min(alive_[l], alive_[l + 1]);
        if (longest > 1 && count > 1) blocks_.push_back(literals(first, count));
    }

    // Hand over only what has at least so much merit, about.
    void set_merit(const Merit& merit) { merit_.assign(1, merit); }
    void set_floor(double floor) { floor_ = floor; }

    // Join one batch; false if there is none left.
    bool advance() {
        while (!blocks_.empty() && blocks_.back().joined == blocks_.back().pairs) blocks_.pop_back();
        if (blocks_.empty()) return false;
        Block& block = blocks_.back();
        const Int begin = block.begin, end = batch_end(block);
        std::vector<Joined> parts(end - begin);
        in_pieces(end - begin, 1, threads_, [&](Int from, Int to) {
            for (Int k = from; k < to; ++k) parts[k] = join(block, begin + k);
        });
        Block children = merge(block, parts);
        block.begin = end;
        if (children.pairs > 0) blocks_.push_back(std::move(children));
        return true;
    }

    const Batch& batch() const { return batch_; }

private:
    static constexpr Int kWords = 1 << 20;      // of a batch whose children are kept, about
    static constexpr Int kLeafWords = 1 << 22;  // of a batch whose children are the longest patterns
    static constexpr Int kPairs = 1 << 17;      // of any batch
    static constexpr double kAbout = 1e-9;      // more than rounding makes of a merit, in bits

    // What one pattern and its later siblings make.
    struct Joined {
        Batch found;
        std::vector<Item> items;  // that are joined further
        Vector<Word> positive, negative;
        Int pairs = 0;
    };

    bool is_leaf(Int length) const { return length == longest_; }

    Block literals(const Item* first, Int count) const {
        Block block;
        block.length = 1;
        block.items.assign(first, first + count);
        block.family_end.assign(count, count);
        block.pairs = count * (count - 1) / 2;
        for (Int i = 0; i < count; ++i) {
            append(block.positive, positive_.literals[first[i]], positive_.literals.words());
            append(block.negative, negative_.literals[first[i]], negative_.literals.words());
        }
        return block;
    }

    static void append(Vector<Word>& rows, const Word* more, Int words) { rows.insert(rows.end(), more, more + words); }

    // As many patterns as make a batch, one at least.
    Int batch_end(const Block& block) const {
        const Int words = std::max<Int>(1, positive_.literals.words() + negative_.literals.words());
        const Int most = std::min(kPairs, (is_leaf(block.length + 1) ? kLeafWords : kWords) / words);
        Int end = block.begin, pairs = 0;
        do {
            pairs += block.family_end[end] - end - 1;
            ++end;
        } while (end < block.size() && pairs + block.family_end[end] - end - 1 <= most);
        return end;
    }

    Joined join(const Block& block, Int i) const {
        Joined result;
        const Int length = block.length + 1, right = positive_.literals.words(), wrong = negative_.literals.words();
        const bool leaf = is_leaf(length);
        const double least = leaf ? wanted_[length] : alive_[length];
        const Word *own = block.positive.data() + i * right, *harm = block.negative.data() + i * wrong;
        const Item last = block.pattern(i)[block.length - 1];
        result.pairs = block.family_end[i] - i - 1;
        for (Int j = i + 1; j < block.family_end[i]; ++j) {
            const Item added = block.pattern(j)[block.length - 1];
            if (attribute_[last] == attribute_[added]) continue;
            ++result.found.tested;
            const Word *rows = block.positive.data() + j * right, *wrongs = block.negative.data() + j * wrong;
            const double positive = positive_.weigh(own, rows);
            if (positive < least) continue;
            if (positive >= wanted_[length]) {
                note(result.found, block.pattern(i), block.length, added, positive, negative_.weigh(harm, wrongs));
            }
            if (!leaf) keep(result, block.pattern(i), block.length, added, own, rows, harm, wrongs);
        }
        return result;
    }

    void note(Batch& found, const Item* items, Int length, Item added, double positive, double negative) const {
        if (!merit_.empty() && merit_[0](positive, negative, length + 1) < floor_ - kAbout) {
            ++found.below;
            return;
        }
        found.items.insert(found.items.end(), items, items + length);
        found.items.push_back(added);
        std::sort(found.items.end() - length - 1, found.items.end());
        found.positive.push_back(positive);
        found.negative.push_back(negative);
    }

    void keep(Joined& result, const Item* items, Int length, Item added, const Word* a, const Word* b, const Word* c,
              const Word* d) const {
        result.items.insert(result.items.end(), items, items + length);
        result.items.push_back(added);
        intersect(result.positive, a, b, positive_.literals.words());
        intersect(result.negative, c, d, negative_.literals.words());
    }

    static void intersect(Vector<Word>& rows, const Word* a, const Word* b, Int words) {
        const std::size_t start = rows.size();
        rows.resize(start + words);
        Word* to = rows.data() + start;
        for (Int w = 0; w < words; ++w) to[w] = a[w] & b[w];
    }

    // Put the parts together: the batch, and the block of those that are joined further.
    Block merge(Block& block, std::vector<Joined>& parts) {
        batch_ = Batch();
        batch_.length = block.length + 1;
        batch_.done = block.done + block.share * static_cast<double>(block.joined) / static_cast<double>(block.pairs);
        Block children;
        children.length = block.length + 1;
        children.done = batch_.done;
        for (Joined& part : parts) {
            batch_.tested += part.found.tested;
            batch_.below += part.found.below;
            move_to(batch_.items, part.found.items);
            move_to(batch_.positive, part.found.positive);
            move_to(batch_.negative, part.found.negative);
            block.joined += part.pairs;
            add_family(children, part);
        }
        const double after = block.done + block.share * static_cast<double>(block.joined) / static_cast<double>(block.pairs);
        children.share = after - children.done;
        return children;
    }

    static void add_family(Block& children, Joined& part) {
        const Int size = static_cast<Int>(part.items.size()) / children.length;
        if (size < 2) return;  // nobody to be joined with
        children.family_end.insert(children.family_end.end(), size, children.size() + size);
        children.pairs += size * (size - 1) / 2;
        move_to(children.items, part.items);
        move_to(children.positive, part.positive);
        move_to(children.negative, part.negative);
    }

    template <class Some>
    static void move_to(Some& all, Some& part) {
        all.insert(all.end(), part.begin(), part.end());
        Some().swap(part);
    }

    const Sections positive_, negative_;
    const Item* attribute_;
    const std::vector<double> wanted_;
    std::vector<double> alive_;
    Int longest_, threads_;
    std::vector<Block> blocks_;  // of lengths 1, 2, ...: the last one is joined first
    std::vector<Merit> merit_;   // none, or one
    double floor_ = -std::numeric_limits<double>::infinity();
    Batch batch_;
};

}  // namespace ooa
