import { Command } from "commander";

import { getSignature } from "../../src/client/getSignature.ts";
import { addServiceOptions, openService, type ServiceOptions } from "../options/serviceOptions.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";

/** `crosscall signature get`: the signature, unchecked. */
export function getCommand(): Command {
  return addServiceOptions(
    new Command("get")
      .description("Show the service's signature over a request, and what it covers. It is not checked.")
      .argument("<requestId>", "the request"),
  )
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      ["", "Examples:", "  crosscall signature get 0x…", "  crosscall signature get 0x… --json > signed.json"].join(
        "\n",
      ),
    )
    .action(runGet);
}

async function runGet(
  requestId: string,
  { json = false, ...options }: ServiceOptions & { readonly json?: boolean },
): Promise<void> {
  const interrupt = interruptOnCtrlC();
  try {
    const signed = await getSignature(openService(options), { requestId, signal: interrupt.signal });
    if (json) {
      process.stdout.write(toJsonLine({ ok: true, requestId, ...signed }));
      return;
    }
    const fields = Object.entries(signed.requestData ?? {}).map(([name, value]) => `${name.padEnd(18)}  ${value}\n`);
    process.stdout.write(`${fields.join("")}${"signature".padEnd(18)}  ${signed.signature}\n`);
  } finally {
    interrupt.release();
  }
}
