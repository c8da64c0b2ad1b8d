// einloom devices: what einloom can run on.
#include <CLI/CLI.hpp>
#include <memory>

#include "tools/commands.h"
#include "tools/report.h"

namespace einloom::tools {

namespace {

int devices(bool json) {
  const Context context;
  if (!json) {
    std::string text = context.device_text();
    if (!text.ends_with('\n')) text += '\n';
    put(text + "\ncuda: not built\n");
    return 0;
  }
  Json cpu = Json::parse(context.device_json(), nullptr, false);
  if (!cpu.is_object()) cpu = Json{{"text", context.device_text()}};
  if (!cpu.contains("device")) cpu["device"] = "cpu";
  put_json(Json{{"devices", Json::array({std::move(cpu)})}, {"cuda", "not built"}});
  return 0;
}

}  // namespace

Action setup_devices(CLI::App& app) {
  const auto json = std::make_shared<bool>(false);
  app.add_flag("--json", *json, "one JSON object instead of text");
  app.footer("Example: einloom devices --json");
  return [json] { return devices(*json); };
}

}  // namespace einloom::tools
