// The cost of a loop nest as a function of its order. Private to this room.
#pragma once

#include <vector>

#include "build.h"

namespace einloom {

class NestModel {
 public:
  NestModel(const Local& local, const Problem& problem);
  int labels() const { return static_cast<int>(local_.ids.size()); }
  // Estimated seconds of the order; `realign` says of each input whether it is first stored anew to suit the order.
  double seconds(const std::vector<int>& order, const std::vector<bool>& realign);
  Nest nest(const std::vector<int>& order, const std::vector<bool>& realign);
  // Whether a sparse input's storage order disagrees with the loops'.
  bool discordant(std::size_t input, const std::vector<int>& order) const;

 private:
  struct Level {
    int label = 0;
    bool dense = false;
    double fan = 1, chance = 1;  // children a parent, and the chance that a given coordinate is one
    bool operator==(const Level&) const = default;
  };
  struct Sparse {
    std::size_t input = 0;
    std::vector<Level> levels;
    std::size_t next = 0;
  };
  struct Walk {  // what walking down the loops found
    double nanoseconds = 0, setup = 0, leaves = 1;
    int first_summed = 0, last_output = -1;
    int first_skip = 0;      // depth from which on a sparse level can be absent
    double outer_count = 0;  // iterations of the outermost loop
  };

  std::vector<Level> levels_of(std::size_t input, bool realign, const std::vector<int>& order) const;
  std::vector<int> aligned_modes(std::size_t input, const std::vector<int>& order) const;
  Walk walk(const std::vector<int>& order, const std::vector<bool>& realign, Nest* nest);
  double inner_cost(const std::vector<int>& order, bool led) const;
  void finish(const std::vector<int>& order, const Walk& walk, Nest& nest) const;
  void decide_sparse(const std::vector<int>& order, const Walk& walk, Nest& nest, double& extra) const;
  void decide_dense(const std::vector<int>& order, const Walk& walk, Nest& nest, double& extra) const;

  const Local& local_;
  const Problem& problem_;
  std::vector<Sparse> sparse_;
  std::vector<bool> in_output_;
  std::vector<int> position_;
  double bytes_ = 0, out_bytes_ = 0, flops_leaf_ = 1;
};

}  // namespace einloom
