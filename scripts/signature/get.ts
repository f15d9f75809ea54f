import { getSignature } from "@crosscall/sdk/internal/client/getSignature";
import type { ServiceOptions } from "../options/serviceOptions.ts";
import { openService } from "../options/openService.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";

export async function runGet(
  requestId: string,
  { json = false, ...options }: ServiceOptions & { readonly json?: boolean },
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const signed = await getSignature(openService(options), { requestId, signal: interrupt.signal });
  if (json) {
    process.stdout.write(toJsonLine({ ok: true, requestId, ...signed }));
    return;
  }
  const fields = Object.entries(signed.requestData ?? {}).map(([name, value]) => `${name.padEnd(18)}  ${value}\n`);
  process.stdout.write(`${fields.join("")}${"signature".padEnd(18)}  ${signed.signature}\n`);
}
