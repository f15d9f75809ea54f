import { Command } from "commander";

import { getStatus } from "../src/client/getStatus.ts";
import { addServiceOptions, openService, type ServiceOptions } from "./options/serviceOptions.ts";
import { interruptOnCtrlC } from "./terminal/interrupt.ts";
import { toJsonLine } from "./terminal/toJson.ts";
import { toStatusLine } from "./watch.ts";

/** `crosscall status`: one look at a request. */
export function statusCommand(): Command {
  return addServiceOptions(
    new Command("status")
      .description("Look once where a request stands. Exits with 0 whatever the status is.")
      .argument("<requestId>", "the request"),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText("after", ["", "Examples:", "  crosscall status 0x…", "  crosscall status 0x… --json"].join("\n"))
    .action(runStatus);
}

async function runStatus(
  requestId: string,
  { json = false, ...options }: ServiceOptions & { readonly json?: boolean },
): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    const status = await getStatus(openService(options), { requestId, signal: interrupt.signal });
    process.stdout.write(json ? toJsonLine({ ok: true, requestId, ...status }) : toStatusLine(status));
  } finally {
    interrupt.release();
  }
}
