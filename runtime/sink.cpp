#include "sink.h"

#include <cstring>
#include <optional>

#include "frontend/error.h"

namespace einloom {

struct SinkSet::Rows {
  SinkSet* set = nullptr;
  std::vector<Bytes> keys;
  Bytes values;
  std::int64_t last_combined = 0;  // rows left by the last combining
  std::optional<Error> failure;
};

namespace {

constexpr std::int64_t first_capacity = 64;
constexpr std::int64_t combine_at = std::int64_t{1} << 22;  // rows

Bytes resized(const Bytes& old, std::int64_t old_bytes, std::int64_t new_bytes) {
  Bytes fresh = allocate(new_bytes, "rows of a sparse result");
  if (old_bytes) std::memcpy(fresh.get(), old.get(), static_cast<std::size_t>(old_bytes));
  return fresh;
}

}  // namespace

SinkSet::SinkSet(std::int64_t chunks, KeyLayout layout, DType type, Semiring semiring, bool ordered)
    : layout_(std::move(layout)),
      type_(type),
      semiring_(semiring),
      ordered_(ordered),
      sinks_(static_cast<std::size_t>(chunks)) {
  for (Sink& sink : sinks_) {
    rows_.push_back(std::make_unique<Rows>());
    rows_.back()->set = this;
    rows_.back()->keys.resize(static_cast<std::size_t>(layout_.words));
    sink.owner = rows_.back().get();
    sink.grow = grow;
  }
}

SinkSet::~SinkSet() = default;

// Called from generated code, through which no exception may pass: a failure is kept and thrown by take().
std::int32_t SinkSet::grow(Sink* sink) noexcept {
  Rows& rows = *static_cast<Rows*>(sink->owner);
  SinkSet& set = *rows.set;
  if (set.failed_) return 1;
  try {
    const auto item = static_cast<std::int64_t>(size_of(set.type_));
    if (!set.ordered_ && sink->count >= combine_at && sink->count >= 2 * rows.last_combined) {
      Coo coo{set.layout_, sink->count, rows.keys, rows.values, set.type_, false};
      sort_and_combine(coo, set.semiring_);
      rows.last_combined = coo.count;
      for (std::size_t w = 0; w < rows.keys.size(); ++w)
        rows.keys[w] = resized(coo.keys[w], coo.count * 8, sink->capacity * 8);
      rows.values = resized(coo.values, coo.count * item, sink->capacity * item);
      sink->count = coo.count;
    }
    if (2 * sink->count > sink->capacity || sink->capacity == 0) {
      const std::int64_t capacity = std::max(first_capacity, checked_mul(sink->capacity, 2, "rows of a sparse result"));
      for (Bytes& k : rows.keys) k = resized(k, sink->count * 8, checked_mul(capacity, 8, "rows of a sparse result"));
      rows.values = resized(rows.values, sink->count * item, checked_mul(capacity, item, "rows of a sparse result"));
      sink->capacity = capacity;
    }
    for (std::size_t w = 0; w < rows.keys.size(); ++w) sink->keys[w] = static_cast<std::uint64_t*>(rows.keys[w].get());
    sink->values = rows.values.get();
  } catch (const Error& e) {
    rows.failure = e;
  } catch (const std::exception& e) {
    rows.failure = Error::internal(e.what());
  }
  if (rows.failure) set.failed_ = true;
  return rows.failure ? 1 : 0;
}

Coo SinkSet::take() {
  std::int64_t total = 0;
  for (std::size_t i = 0; i < sinks_.size(); ++i) {
    if (rows_[i]->failure) throw *rows_[i]->failure;
    total = checked_add(total, sinks_[i].count, "rows of a sparse result");
  }
  Coo coo;
  coo.layout = layout_;
  coo.dtype = type_;
  coo.count = total;
  const auto item = static_cast<std::int64_t>(size_of(type_));
  if (sinks_.size() == 1 && total) {
    coo.keys = rows_[0]->keys;
    coo.values = rows_[0]->values;
  } else {
    for (int w = 0; w < layout_.words; ++w) {
      coo.keys.push_back(allocate(total * 8, "rows of a sparse result"));
      char* to = static_cast<char*>(coo.keys.back().get());
      for (const Sink& s : sinks_) {
        if (s.count) std::memcpy(to, s.keys[w], static_cast<std::size_t>(s.count) * 8);
        to += s.count * 8;
      }
    }
    coo.values = allocate(total * item, "rows of a sparse result");
    char* to = static_cast<char*>(coo.values.get());
    for (const Sink& s : sinks_) {
      if (s.count) std::memcpy(to, s.values, static_cast<std::size_t>(s.count * item));
      to += s.count * item;
    }
  }
  sort_and_combine(coo, semiring_);
  return coo;
}

}  // namespace einloom
