import { Command } from "commander";

import { getRequest } from "../../src/client/getRequest.ts";
import { formatFeeTable } from "../../src/protocol/formatFeeTable.ts";
import { recordFeeTable } from "../../src/protocol/recordFeeTable.ts";
import { addServiceOptions, openService, type ServiceOptions } from "../options/serviceOptions.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toDetails } from "./describeRequests.ts";

interface GetOptions extends ServiceOptions {
  readonly includeAuthenticatedData?: boolean;
  readonly json?: boolean;
}

/** `crosscall requests get`: one request. */
export function getCommand(): Command {
  return addServiceOptions(
    new Command("get").description("Show the record of one request.").argument("<requestId>", "the request"),
  )
    .option("--include-authenticated-data", "what only the integrator may see, too")
    .option("--json", "print one JSON object with the whole record instead of text")
    .addHelpText(
      "after",
      ["", "Examples:", "  crosscall requests get 0x…", "  crosscall requests get 0x… --json"].join("\n"),
    )
    .action(runGet);
}

async function runGet(requestId: string, { json = false, ...options }: GetOptions): Promise<void> {
  const { includeAuthenticatedData = false } = options;
  const interrupt = interruptOnCtrlC();
  try {
    const request = await getRequest(openService(options), {
      requestId,
      ...(includeAuthenticatedData ? { includeAuthenticatedData } : {}),
      signal: interrupt.signal,
    });
    if (json) {
      process.stdout.write(toJsonLine({ ok: true, request }));
      return;
    }
    const fees = recordFeeTable(request, "actual") ?? recordFeeTable(request, "quoted");
    process.stdout.write(`${toDetails(request)}${fees === undefined ? "" : `\n${formatFeeTable(fees)}\n`}`);
  } finally {
    interrupt.release();
  }
}
