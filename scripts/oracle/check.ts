import { compact } from "@crosscall/sdk/internal/core/compact";
import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { checkOracle } from "../../src/oracle/check/checkOracle.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface CheckOptions {
  readonly apiKey?: string;
  readonly chain?: readonly string[];
  readonly signer?: string;
  readonly json?: boolean;
}

export async function runCheck(url: string, { apiKey, chain, signer, json = false }: CheckOptions): Promise<void> {
  if (!/^https?:$/u.test(URL.canParse(url) ? new URL(url).protocol : "")) {
    const reason = "it is not an HTTP URL";
    throw new InvalidInputError({ field: "<url>", value: url, reason, hint: "Pass the oracle's base URL." });
  }
  using interrupt = interruptOnCtrlC();
  const checks = await checkOracle({
    url,
    ...(apiKey === undefined || apiKey === "" ? {} : { apiKey }),
    ...compact({ chains: chain, signer }),
    signal: interrupt.signal,
  });
  const ok = checks.every(({ isMet }) => isMet);
  const lines = checks.map(({ name, isMet, seen }) => `${isMet ? "ok  " : "FAIL"} ${name}: ${seen}\n`);
  if (!ok && (apiKey === undefined || apiKey === "")) lines.push("Pass --api-key if the oracle requires one.\n");
  process.stdout.write(json ? toJsonLine({ ok, checks }) : lines.join(""));
  if (!ok) process.exitCode = 1;
}
