import { getStatus } from "@crosscall/sdk";
import { findNetwork, openService } from "../../options/network.ts";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { toJsonLine, writeOutput } from "../../terminal/output.ts";
import { describeInjected, findInjectedIn } from "../replay/injected.ts";
import { toStatusLine } from "../watch/run.ts";
import { readNetworkStatus, toNetworkStatusText } from "./networkStatus.ts";
import { printableData } from "@crosscall/protocol/core";

interface StatusOptions extends ServiceOptions {
  readonly json?: boolean;
}

export async function runStatus(
  requestId: string | undefined,
  { json = false, ...options }: StatusOptions,
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  if (requestId === undefined) {
    const network = await readNetworkStatus(options.apiUrl, interrupt.signal);
    writeOutput(json ? toJsonLine({ ok: true, ...network }) : toNetworkStatusText(printableData(network)));
    return;
  }
  const status = await getStatus(openService(options), { requestId, signal: interrupt.signal });
  if (json) {
    writeOutput(toJsonLine({ ok: true, requestId, ...status }));
    return;
  }
  const scenarios = await findInjectedIn({ requestId, ...status }, findNetwork(options.apiUrl), interrupt.signal);
  writeOutput(toStatusLine(status) + describeInjected(scenarios));
}
