// The sub-commands. Each `setup_` function declares its arguments on `app` and returns the action to run once they are
// parsed; the action returns the exit status and throws Error, UsageError or ClosedPipe.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace einloom::tools {

using Action = std::function<int()>;

Action setup_run(CLI::App& app);
Action setup_explain(CLI::App& app);
Action setup_info(CLI::App& app);
Action setup_convert(CLI::App& app);
Action setup_gen(CLI::App& app);
Action setup_devices(CLI::App& app);

}  // namespace einloom::tools
