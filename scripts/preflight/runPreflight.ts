import { requestIdOf } from "@crosscall/sdk/internal/protocol/quote/planSteps";
import { simulateOrigin } from "../../src/preflight/simulateOrigin.ts";
import { connectChains, requireTarget } from "../options/connectChains.ts";
import { readQuote } from "../options/readQuote.ts";
import { readTrust } from "../options/readTrust.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { Stages } from "../terminal/stages.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface Options {
  readonly rpcUrl?: readonly string[];
  readonly trust?: string;
  readonly json?: boolean;
}

/** Exits with 1 if the steps do more than was asked for, or revert. */
export async function runPreflight(
  file: string,
  { rpcUrl = [], trust: trustFile, json = false }: Options,
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const stages = new Stages({ isSilent: json, signal });
  const quote = await readQuote(file);
  const request = quote.quotedRequest;
  const trust = await readTrust(trustFile);
  const target = requireTarget(await connectChains(rpcUrl, signal), request.originChainId);
  const findings = await stages.run("Execute the steps on a fork", () =>
    simulateOrigin({ request, quote, rpcUrl: target.rpcUrl, trust, signal }),
  );
  const isFine = findings.length === 0;
  const lines = findings.map(({ code, reason }) => `${code} ${reason}`);
  process.stdout.write(
    json
      ? toJsonLine({ ok: isFine, requestId: requestIdOf(quote), findings })
      : `${[...lines, isFine ? "The steps do what was asked for." : "Sign nothing of this quote."].join("\n")}\n`,
  );
  if (!isFine) process.exitCode = 1;
}
