// The library as Python sees it: plain functions on plain arrays, called through ctypes.
//
// Arrays belong to the caller, who keeps them alive as long as what was made from them. A function that runs
// out of memory returns null, or the least number there is; nothing is thrown across the border.
#include <cstring>
#include <exception>
#include <limits>

#include "api.h"
#include "best_pattern.h"
#include "boxes_search.h"
#include "dominance.h"
#include "gains.h"
#include "layout.h"
#include "limited.h"
#include "mining.h"
#include "set_search.h"

using namespace ooa;

namespace {

constexpr Int kFailure = std::numeric_limits<Int>::min();  // no gain and no bound is that low

Patterns patterns_of(const Word* right, const Int* right_factor, Int right_words, const Word* wrong,
                     const Int* wrong_factor, Int wrong_words, const Int* price, Int count) {
    return Patterns{RowSets(right, right_words), RowSets(wrong, wrong_words),
                    Factors(right_factor, right_words), Factors(wrong_factor, wrong_words), price, count};
}

template <class Make>
auto or_null(Make make) -> decltype(make()) {
    try {
        return make();
    } catch (const std::exception&) {
        return nullptr;
    }
}

template <class Run>
Int or_failure(Run run) {
    try {
        return run();
    } catch (const std::exception&) {
        return kFailure;
    }
}

}  // namespace

// -- the set search --------------------------------------------------------------------------------

OOA_API SetSearch* ooa_sets_new(const Word* right, const Int* right_factor, Int right_words, const Word* wrong,
                                const Int* wrong_factor, Int wrong_words, const Int* price, const Int* positive,
                                const Int* negative, Int count, Int most, Int many) {
    return or_null([&] {
        return new SetSearch(patterns_of(right, right_factor, right_words, wrong, wrong_factor, wrong_words, price,
                                         count),
                             positive, negative, most, many);
    });
}

OOA_API Int ooa_sets_begin(SetSearch* search, Int target, Int known, Int threads, Int goal, Int free, Int quick) {
    return or_failure([&] {
        search->begin(target, known, threads, goal, free != 0, quick != 0);
        return Int(0);
    });
}

// Before the search: only the sets that have one of the first so many patterns.
OOA_API void ooa_sets_first(SetSearch* search, Int many) { search->only_first(many); }

// As `begin`, to list all sets above the target; with `lean`, those in which no pattern is redundant.
OOA_API Int ooa_sets_list(SetSearch* search, Int target, Int below, Int lean, Int threads, Int goal) {
    return or_failure([&] {
        search->begin_listing(target, below, lean != 0, threads, goal);
        return Int(0);
    });
}

// As `begin`, for the best set within limits: coefficients by sum and word, by sum and pattern, limits and prices.
OOA_API Int ooa_sets_within(SetSearch* search, const Int* right, const Int* wrong, const Int* own, const Int* limit,
                            const Int* price, Int count, Int scale, Int constant, Int highest, Int known,
                            Int threads, Int goal, Int free) {
    return or_failure([&] {
        search->begin_within(std::make_unique<Within>(Within{
                                 LimitedSums(search->patterns(), right, wrong, own, limit, count),
                                 std::vector<Int>(price, price + count), scale, constant}),
                             highest, known, threads, goal, free != 0);
        return Int(0);
    });
}

// How many sets, and patterns in them, wait to be taken.
OOA_API Int ooa_sets_waiting(SetSearch* search, Int* names) {
    *names = static_cast<Int>(search->listed().names.size());
    return static_cast<Int>(search->listed().size.size());
}

OOA_API void ooa_sets_take(SetSearch* search, Int* size, Int* names, Int* gain) {
    const Listed& found = search->listed();
    std::copy(found.size.begin(), found.size.end(), size);
    std::copy(found.names.begin(), found.names.end(), names);
    std::copy(found.gain.begin(), found.gain.end(), gain);
    search->listed().clear();
}

// Start from multipliers of positives, by their places, and of pairs, and leave out what they show to be in no set
// above the target; the names of what is left, and how many these are. Returns what no set gains more than.
OOA_API Int ooa_sets_filter(SetSearch* search, const double* own, Int places, const Int* right, const Int* wrong,
                            const double* amount, Int count, Int* names, Int* size) {
    return or_failure([&] {
        Multiplied from{{own, own + places}, {}};
        for (Int k = 0; k < count; ++k) {
            from.pairs.push_back({static_cast<std::int32_t>(right[k]), static_cast<std::int32_t>(wrong[k]),
                                  static_cast<float>(amount[k])});
        }
        const Int bound = search->filter(from);
        *size = static_cast<Int>(search->waiting().size());
        for (const Follower& one : search->waiting()) *names++ = one.name;
        return std::max<Int>(bound, 0);  // the empty set gains nothing, so that is no less true
    });
}

// 1 once all is searched, else 0.
OOA_API Int ooa_sets_advance(SetSearch* search, Int work) {
    return or_failure([&] { return Int(search->advance(work)); });
}

// The gain of the best set; its patterns, and how many these are (0 if none is above what was known).
OOA_API Int ooa_sets_best(const SetSearch* search, Int* choice, Int* size) {
    const Incumbent& found = search->incumbent();
    *size = static_cast<Int>(found.choice.size());
    std::copy(found.choice.begin(), found.choice.end(), choice);
    return found.best;
}

// The same where what a set is worth may be below 0.
OOA_API void ooa_sets_worth(const SetSearch* search, Int* worth, Int* choice, Int* size) {
    *worth = ooa_sets_best(search, choice, size);
}

// What no set gains more than, however far the search has got; no less than 2^60 if nothing is known.
OOA_API Int ooa_sets_excluded(const SetSearch* search) { return search->bound(); }

// The patterns of the sets that were not gone through; returns how many these are.
OOA_API Int ooa_sets_left(const SetSearch* search, Int* names) {
    return or_failure([&] {
        const std::vector<Int> left = search->left();
        std::copy(left.begin(), left.end(), names);
        return static_cast<Int>(left.size());
    });
}

// What one bound alone (0 counting, 1 multipliers) leaves of the patterns; returns what no set gains more than.
OOA_API Int ooa_sets_bound(SetSearch* search, Int needed, Int by_multipliers, Int* names, Int* size) {
    return or_failure([&] { return search->bound_alone(needed, by_multipliers != 0, names, *size); });
}

OOA_API double ooa_sets_share(const SetSearch* search) { return search->share_done(); }
OOA_API Int ooa_sets_nodes(const SetSearch* search, Int depth) { return search->nodes(depth); }
OOA_API void ooa_sets_free(SetSearch* search) { delete search; }

// -- the search within limits ----------------------------------------------------------------------

OOA_API LimitedSearch* ooa_limited_new(const Word* right, const Int* right_factor, Int right_words,
                                       const Word* wrong, const Int* wrong_factor, Int wrong_words,
                                       const Int* price, const Int* positive, const Int* negative, Int count,
                                       Int most, Int many) {
    return or_null([&] {
        return new LimitedSearch(patterns_of(right, right_factor, right_words, wrong, wrong_factor, wrong_words,
                                             price, count),
                                 positive, negative, most, many);
    });
}

OOA_API Int ooa_limited_begin(LimitedSearch* search, const Int* right, const Int* wrong, const Int* own,
                              const Int* limit, const Int* price, Int count, const Int* pay, Int scale,
                              Int constant, Int known) {
    return or_failure([&] {
        search->begin(right, wrong, own, limit, price, count, pay, scale, constant, known);
        return Int(0);
    });
}

// 1 once all is searched, else 0.
OOA_API Int ooa_limited_advance(LimitedSearch* search, Int work) {
    return or_failure([&] { return Int(search->advance(work)); });
}

// The patterns of the best set, and how many they are: none if none is above what was known.
OOA_API void ooa_limited_best(const LimitedSearch* search, Int* worth, Int* choice, Int* size) {
    *worth = search->worth();
    *size = static_cast<Int>(search->choice().size());
    std::copy(search->choice().begin(), search->choice().end(), choice);
}

OOA_API double ooa_limited_share(const LimitedSearch* search) { return search->share_done(); }

OOA_API Int ooa_limited_nodes(const LimitedSearch* search) { return search->nodes(); }

OOA_API void ooa_limited_free(LimitedSearch* search) { delete search; }

// -- dominance -------------------------------------------------------------------------------------

OOA_API Dominance* ooa_dominance_new(const Word* right, const Int* right_factor, Int right_words, const Word* wrong,
                                     const Int* wrong_factor, Int wrong_words, const Int* price, const Int* positive,
                                     const Int* negative, Int count, Int threads) {
    return or_null([&] {
        return new Dominance(patterns_of(right, right_factor, right_words, wrong, wrong_factor, wrong_words, price,
                                         count),
                             positive, negative, threads);
    });
}

// How many patterns have been seen by now.
OOA_API Int ooa_dominance_advance(Dominance* dominance, Int work) {
    return or_failure([&] { return dominance->advance(work); });
}

OOA_API Int ooa_dominance_count(const Dominance* dominance) { return dominance->count(); }
OOA_API void ooa_dominance_kept(const Dominance* dominance, Int* names) { dominance->kept(names); }
OOA_API void ooa_dominance_free(Dominance* dominance) { delete dominance; }

// -- the best single pattern -----------------------------------------------------------------------

OOA_API BestPattern* ooa_pattern_new(const Word* right, const Int* right_factor, Int right_words, const Word* wrong,
                                     const Int* wrong_factor, Int wrong_words, const Word* support,
                                     const Int* support_factor, Int support_words, Int least_support,
                                     const Int* attribute, const Int* chain, Int count, const Int* price, Int longest,
                                     Int slots, Int known, Int negatives) {
    return or_null([&] {
        Literals literals{RowSets(right, right_words),
                          RowSets(wrong, wrong_words),
                          RowSets(support, support_words),
                          Factors(right_factor, right_words),
                          Factors(wrong_factor, wrong_words),
                          Factors(support_factor, support_words),
                          {attribute, attribute + count},
                          {chain, chain + count},
                          {price, price + longest + 1},
                          least_support,
                          slots};
        return new BestPattern(std::move(literals), known, negatives);
    });
}

OOA_API Int ooa_pattern_begin(BestPattern* search, Int longest) {
    return or_failure([&] {
        search->begin(longest);
        return Int(0);
    });
}

OOA_API Int ooa_pattern_advance(BestPattern* search, Int work) {
    return or_failure([&] { return Int(search->advance(work)); });
}

OOA_API Int ooa_pattern_begin_beam(BestPattern* search, Int width) {
    return or_failure([&] {
        search->begin_beam(width);
        return Int(0);
    });
}

OOA_API Int ooa_pattern_advance_beam(BestPattern* search, Int work) {
    return or_failure([&] { return Int(search->advance_beam(work)); });
}

OOA_API Int ooa_pattern_bound(const BestPattern* search, Int anew) { return search->bound(anew != 0); }

// The value of the best pattern; its literals, and how many these are (0 if none is above what was known).
OOA_API Int ooa_pattern_best(const BestPattern* search, Int* items, Int* size) {
    *size = static_cast<Int>(search->notes.items.size());
    std::copy(search->notes.items.begin(), search->notes.items.end(), items);
    return search->notes.best;
}

// The value of the pattern in a slot, or 0; its literals, and how many these are.
OOA_API Int ooa_pattern_noted(const BestPattern* search, Int slot, Int* items, Int* size) {
    const std::vector<Int>& found = search->notes.patterns[slot];
    *size = static_cast<Int>(found.size());
    std::copy(found.begin(), found.end(), items);
    return search->notes.value[slot];
}

OOA_API void ooa_pattern_free(BestPattern* search) { delete search; }

// -- the best boxes --------------------------------------------------------------------------------

namespace {

// Boxes as arrays: for each attribute of each the option, the lower and the upper end; and masks of categories.
Int written(const FoundBoxes& found, Int* literals, Word* masks) {
    for (const Domain& one : found.domain) {
        *literals++ = one.options;
        *literals++ = one.la;
        *literals++ = one.ub;
    }
    std::copy(found.mask.begin(), found.mask.end(), masks);
    return found.gain;
}

}  // namespace

// `kind`: 0 ranges, 1 single categories, 2 sets of them. `lacks`, `missing`: whether rows of the table lack a value,
// and whether that is a literal. `high`: for rows that span ranks the last of these, or null.
OOA_API BoxSearch* ooa_boxes_new(const Rank* rank, const Rank* high, const Int* value, Int rows, const Int* kind,
                                 const Int* ranks, const Int* lacks, const Int* missing, Int attributes,
                                 Int literal_price, Int pattern_price, Int longest, Int slots) {
    return or_null([&] {
        std::vector<Scale> scales;
        for (Int j = 0; j < attributes; ++j) {
            scales.push_back(Scale{static_cast<Kind>(kind[j]), ranks[j], lacks[j] != 0, missing[j] != 0});
        }
        const BoxPrices prices{literal_price, pattern_price, longest};
        return new BoxSearch(rank, high, value, rows, std::move(scales), prices, slots);
    });
}

// A limit on a sum of flags: see Flag and Among in boxes_filters.h.
OOA_API Int ooa_boxes_limit(BoxSearch* search, Int among, Int most, Int terms, const Int* flag, const Int* attribute,
                            const Int* rank, const Int* amount) {
    return or_failure([&] {
        FlagLimit limit{static_cast<Among>(among), most, {}};
        for (Int i = 0; i < terms; ++i) {
            limit.terms.push_back(FlagTerm{static_cast<Flag>(flag[i]), attribute[i], rank[i], amount[i]});
        }
        search->filters().limit(std::move(limit));
        return Int(0);
    });
}

// Every box covers rows that weigh so much, of rows in the same ranks.
OOA_API Int ooa_boxes_support(BoxSearch* search, const Rank* rank, const Int* weight, Int rows, Int least) {
    return or_failure([&] {
        search->filters().support(search->rows_like(rank, weight, rows), least);
        return Int(0);
    });
}

// What rows in the same ranks count that boxes cover together is `most` at most.
OOA_API Int ooa_boxes_cover(BoxSearch* search, const Rank* rank, const Int* amount, Int rows, Int most) {
    return or_failure([&] {
        search->filters().cover(search->rows_like(rank, amount, rows), most);
        return Int(0);
    });
}

// No box is this one, given as boxes that are found are.
OOA_API Int ooa_boxes_forbid(BoxSearch* search, const Int* literals, const Word* masks) {
    return or_failure([&] {
        FoundBoxes box;
        for (Int j = 0; j < search->attributes(); ++j, literals += 3) {
            const Rank low = static_cast<Rank>(literals[1]), high = static_cast<Rank>(literals[2]);
            box.domain.push_back(Domain{low, low, high, high, static_cast<std::uint8_t>(literals[0])});
        }
        box.mask.assign(masks, masks + search->masks().total());
        search->filters().forbid(std::move(box));
        return Int(0);
    });
}

// Rows and pairs of rows with what they are worth by multipliers, in `scale` parts of a unit; `given` and `most` are
// what boxes gain beside their worth, and what one is worth, at most.
OOA_API Int ooa_boxes_reduce(BoxSearch* search, const Rank* rank, const Rank* high, const Int* value, Int rows,
                             Int given, Int scale, Int most) {
    return or_failure([&] {
        search->reduce(rank, high, value, rows, given, scale, most);
        return Int(0);
    });
}

// cap[i]: what at most i boxes gain at most, for i up to `boxes`.
OOA_API Int ooa_boxes_begin(BoxSearch* search, Int boxes, Int target, const Int* cap, Int threads) {
    return or_failure([&] {
        search->begin(boxes, target, cap, threads);
        return Int(0);
    });
}

// 1 once all is searched, else 0.
OOA_API Int ooa_boxes_advance(BoxSearch* search, Int work) {
    return or_failure([&] { return Int(search->advance(work)); });
}

// What the best boxes above the target gain, or 0 if none were found.
OOA_API Int ooa_boxes_best(const BoxSearch* search, Int* literals, Word* masks) {
    return written(search->best(), literals, masks);
}

// What the box in a slot gains, or 0 if there is none.
OOA_API Int ooa_boxes_noted(const BoxSearch* search, Int slot, Int* literals, Word* masks) {
    return written(search->noted(slot), literals, masks);
}

OOA_API Int ooa_boxes_mask_words(const BoxSearch* search) { return search->masks().total(); }
OOA_API Int ooa_boxes_bound(const BoxSearch* search) { return search->bound(); }
OOA_API double ooa_boxes_share(const BoxSearch* search) { return search->share_done(); }
OOA_API Int ooa_boxes_nodes(const BoxSearch* search) { return search->nodes(); }
OOA_API void ooa_boxes_free(BoxSearch* search) { delete search; }

// -- all patterns at once --------------------------------------------------------------------------

OOA_API void ooa_gains(const Word* right, const double* right_factor, Int right_words, const Word* wrong,
                       const double* wrong_factor, Int wrong_words, const Word* covered, const Word* hit,
                       const double* price, Int count, double harshness, Int threads, double* result) {
    in_pieces(count, kTogether, threads, [&](Int from, Int to) {
        gains({right, right_factor, right_words}, {wrong, wrong_factor, wrong_words}, covered, hit, price, harshness,
              from, to, result);
    });
}

OOA_API Int ooa_reorder(const Word* sets, Int count, Int words, const Int* sources, Int places, Int absent,
                        Int threads, Word* result) {
    return or_failure([&] {
        const Reordering reordering(sources, places, absent);
        in_pieces(count, 16, threads, [&](Int from, Int to) {
            for (Int z = from; z < to; ++z) reordering(sets + z * words, result + z * reordering.words());
        });
        return Int(0);
    });
}

OOA_API Int ooa_intersections(const Word* sets, Int words, const std::int32_t* items, Int count, Int longest,
                              Int threads, Word* result) {
    return or_failure([&] {
        in_pieces(count, kTogether, threads, [&](Int from, Int to) {
            intersections(RowSets(sets, words), items, longest, from, to, result);
        });
        return Int(0);
    });
}

OOA_API Int ooa_chains(const Word* sets, Int words, const Int* named, Int many, Int* chain) {
    return or_failure([&] {
        chains(RowSets(sets, words), named, many, chain);
        return Int(0);
    });
}

OOA_API Int ooa_worth(const bool* right, Int positives, const bool* wrong, Int negatives, const Int* price,
                      const Int* names, Int count, const double* cover, const Int* first, const Int* second,
                      const double* amount, double* value, Int* leader) {
    return or_failure([&] {
        worth(right, positives, wrong, negatives, price, names, count, {cover, first, second, amount}, value, leader);
        return Int(0);
    });
}

// -- mining ----------------------------------------------------------------------------------------

OOA_API Miner* ooa_mining_new(const Word* right, Int right_words, const Int* right_end, const double* right_factor,
                              Int right_sections, const Word* wrong, Int wrong_words, const Int* wrong_end,
                              const double* wrong_factor, Int wrong_sections, const Miner::Item* attribute,
                              const Miner::Item* first, Int count, const double* wanted, Int longest, Int threads) {
    return or_null([&] {
        return new Miner({RowSets(right, right_words), right_end, right_factor, right_sections},
                         {RowSets(wrong, wrong_words), wrong_end, wrong_factor, wrong_sections}, attribute, first,
                         count, wanted, longest, threads);
    });
}

OOA_API Int ooa_mining_merit(Miner* miner, double positive, double negative, double gamma, Int whole) {
    return or_failure([&] {
        miner->set_merit(Merit(positive, negative, gamma, whole != 0));
        return Int(0);
    });
}

// Join the next batch: returns 0 if there is none, else 1; about[0..3] is the length of its patterns, how many
// there are to be taken, how many were below the floor and how many were tested, and `done` the share of the
// work before it.
OOA_API Int ooa_mining_advance(Miner* miner, double floor, Int* about, double* done) {
    return or_failure([&] {
        miner->set_floor(floor);
        if (!miner->advance()) return Int(0);
        const Miner::Batch& batch = miner->batch();
        about[0] = batch.length;
        about[1] = static_cast<Int>(batch.positive.size());
        about[2] = batch.below;
        about[3] = batch.tested;
        *done = batch.done;
        return Int(1);
    });
}

OOA_API void ooa_mining_take(const Miner* miner, Miner::Item* items, double* positive, double* negative) {
    const Miner::Batch& batch = miner->batch();
    std::copy(batch.items.begin(), batch.items.end(), items);
    std::copy(batch.positive.begin(), batch.positive.end(), positive);
    std::copy(batch.negative.begin(), batch.negative.end(), negative);
}

OOA_API void ooa_mining_free(Miner* miner) { delete miner; }
