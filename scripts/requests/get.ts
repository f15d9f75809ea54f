import { getRequest } from "@crosscall/sdk/internal/client/getRequest";
import { formatFeeTable } from "@crosscall/sdk/internal/protocol/fees/formatFeeTable";
import { recordFeeTable } from "@crosscall/sdk/internal/protocol/request/recordFeeTable";
import type { ServiceOptions } from "../options/serviceOptions.ts";
import { openService } from "../options/openService.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toDetails } from "./describeRequests.ts";

interface GetOptions extends ServiceOptions {
  readonly includeAuthenticatedData?: boolean;
  readonly json?: boolean;
}

export async function runGet(requestId: string, { json = false, ...options }: GetOptions): Promise<void> {
  const { includeAuthenticatedData = false } = options;
  using interrupt = interruptOnCtrlC();
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
}
