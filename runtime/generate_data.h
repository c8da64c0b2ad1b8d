// Parts of generate_data(): the generator, the spec, and a maker a kind. Private to the runtime room.
//
// The generator and everything drawn from it use only integer arithmetic and +, -, *, /, sqrt: the bits do not depend
// on the platform's mathematical library.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/storage.h"

namespace einloom {

// xoshiro256** seeded by splitmix64 (Blackman and Vigna).
class Generator {
 public:
  explicit Generator(std::uint64_t seed, std::uint64_t stream = 0);
  std::uint64_t next();
  double uniform();                          // [0, 1)
  std::uint64_t below(std::uint64_t limit);  // [0, limit), unbiased
  double normal();                           // standard normal, Marsaglia's polar method

 private:
  std::uint64_t state_[4];
  double spare_ = 0;
  bool has_spare_ = false;
};
double portable_log(double x);  // of positive, finite x
double portable_exp(double x);

// "random:50x50:nnz=1000:seed=1" taken apart. Options asked for are marked; finish() refuses the rest.
class Spec {
 public:
  explicit Spec(const std::string& text);
  const std::string& kind() const { return kind_; }
  const std::string& word() const { return word_; }                   // the second part: a shape or a name
  std::vector<std::int64_t> shape() const;                            // the second part as extents, at least one
  std::int64_t integer(const std::string& key, std::int64_t lowest);  // required
  std::int64_t integer(const std::string& key, std::int64_t lowest, std::int64_t otherwise);
  double real(const std::string& key, double lowest, double otherwise);
  std::vector<std::int64_t> integers(const std::string& key);  // comma-separated, positive, required
  std::uint64_t seed() { return static_cast<std::uint64_t>(integer("seed", 0, 1)); }
  bool has(const std::string& key) const { return options_.count(key) != 0; }
  void finish() const;
  [[noreturn]] void fail(const std::string& what) const;

 private:
  struct Option {
    std::string value;
    bool used = false;
  };
  std::string text_, kind_, word_;
  std::map<std::string, Option> options_;
};

// `count` distinct coordinates of `extents`, sorted, packed in natural order; values unset. `keep` (may be null) are
// coordinates that are in already and count as drawn. A skew above 0 draws each coordinate from a Zipf law.
Coo draw_distinct(Generator& generator, const std::vector<std::int64_t>& extents, std::int64_t count, DType type,
                  const Spec& spec, double skew = 0, const Coo* keep = nullptr);
// Standard normal values (whole numbers from -9 to 9, never 0, for integers; true for bool).
void fill_random(Generator& generator, DType type, void* values, std::int64_t count);

Tensor generate_random(Spec& spec, DType type);
Tensor generate_dense(Spec& spec, DType type);
Tensor generate_cp(Spec& spec, DType type);
Tensor generate_train(Spec& spec, DType type, bool ring);
Tensor generate_frostt(Spec& spec, DType type);
std::vector<Tensor> generate_published(Spec& spec, DType type);

}  // namespace einloom
