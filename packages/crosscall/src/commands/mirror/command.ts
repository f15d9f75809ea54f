import type { Command } from "../../options/command.ts";
import { addDatabaseOptions, parseInteger, parsePositive, addServiceOptions } from "../../options/commonOptions.ts";

export function defineMirror(command: Command): Command {
  addServiceOptions(command).option(
    "--made-with <key>",
    "mirror requests made with this API key; repeatable (default: the API key of the command)",
    collect,
    [],
  );
  return addDatabaseOptions(command, "the mirror")
    .option("--serve <port>", "serve the listing on this loopback port until Ctrl-C; 0 picks a free port", parseInteger)
    .option("--every <seconds>", "with --serve: interval between updates", parsePositive, 30)
    .option("--json", "print one JSON object instead of progress and summary")
    .examples([
      "crosscall mirror --api-url https://api.example.com --database .crosscall/mirror",
      "crosscall mirror --database-url postgres://me@db.internal/mirror --serve 3001",
    ])
    .lazyAction(async () => (await import("./run.ts")).runMirror);
}

function collect(value: string, values: readonly string[]): readonly string[] {
  return [...values, value];
}
