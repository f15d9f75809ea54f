import { getStatus } from "@crosscall/sdk/internal/client/getStatus";
import type { ServiceOptions } from "../options/serviceOptions.ts";
import { openService } from "../options/openService.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toStatusLine } from "../watch/runWatch.ts";

export async function runStatus(
  requestId: string,
  { json = false, ...options }: ServiceOptions & { readonly json?: boolean },
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const status = await getStatus(openService(options), { requestId, signal: interrupt.signal });
  process.stdout.write(json ? toJsonLine({ ok: true, requestId, ...status }) : toStatusLine(status));
}
