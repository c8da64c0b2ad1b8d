// The one exception type of Einloom.
//
// In: what went wrong, and for text the text and the byte position of the fault. Out: `what()` is the message alone, or
// the message, the text and a caret line under the fault. Every failure of the public interface throws this and nothing
// else. An Error is a value: copyable, no references to the failing object.
//
//   throw Error::input("label j is in no operand", text, position);
#pragma once

#include <cstddef>
#include <exception>
#include <string>

namespace einloom {

class Error : public std::exception {
 public:
  enum class Kind {
    input,     // the text, file, shape or option is wrong
    device,    // the device is absent or failed
    memory,    // an allocation could not be had
    internal,  // a fault of Einloom
  };
  static constexpr std::size_t no_position = static_cast<std::size_t>(-1);

  Error(Kind kind, std::string message, std::string text = {}, std::size_t position = no_position);

  static Error input(std::string message, std::string text = {}, std::size_t position = no_position);
  static Error device(std::string message);
  // `needed` and `available` in bytes; available 0 means unknown.
  static Error memory(std::string what, unsigned long long needed, unsigned long long available = 0);
  static Error internal(std::string message);

  Kind kind() const noexcept { return kind_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& text() const noexcept { return text_; }   // empty when the fault is not in a text
  std::size_t position() const noexcept { return position_; }  // byte offset in text(), or no_position
  const char* what() const noexcept override { return what_.c_str(); }

 private:
  Kind kind_;
  std::string message_, text_, what_;
  std::size_t position_;
};

}  // namespace einloom
