import { Option } from "commander";

import type { Command } from "../../options/command.ts";
import { addServiceOptions, parseInteger, rpcUrlOption } from "../../options/commonOptions.ts";

export function defineMcp(command: Command): Command {
  return addServiceOptions(command)
    .addOption(rpcUrlOption())
    .option("--allow-control", "add the tools that start, stop and change local networks")
    .addOption(
      new Option(
        "--http [port]",
        "listen on this port of loopback instead of standard input and output; 0 picks a free port",
      )
        .preset(3100)
        .argParser(parseInteger),
    )
    .examples([
      "crosscall mcp",
      "crosscall mcp --allow-control",
      "crosscall mcp --api-url https://… --rpc-url 8453=https://… --rpc-url 10=https://…",
      "crosscall mcp --http 3100",
    ])
    .lazyAction(async () => (await import("./run.ts")).runMcp);
}
