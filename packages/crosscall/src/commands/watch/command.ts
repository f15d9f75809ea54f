import type { Command } from "../../options/command.ts";
import { parseInteger, parsePositive, addServiceOptions } from "../../options/commonOptions.ts";

export function defineWatch(command: Command): Command {
  return addServiceOptions(command)
    .argument("<requestId>", "request id")
    .option("--websocket <url>", "the service's websocket URL; polls while the websocket is unreachable")
    .option("--timeout <minutes>", "time after which to stop (default: 10)", parsePositive)
    .option("--refund-grace <seconds>", "time to wait for a refund after a failure (default: 60)", parseInteger)
    .option("--json", "print one JSON line per status instead of text")
    .examples(["crosscall watch 0x…", "crosscall watch 0x… --websocket wss://… --json"])
    .lazyAction(async () => (await import("./run.ts")).runWatch);
}
