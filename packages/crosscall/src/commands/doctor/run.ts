import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Address } from "viem";

import { createServiceClient } from "@crosscall/sdk";
import { CrosscallError, printableData } from "@crosscall/protocol/core";
import { PACKAGE_FOLDER } from "../../artifacts.ts";
import { readAccount } from "../../options/privateKey.ts";
import { readTrust } from "../../options/readQuote.ts";
import { endpointsOf, findNetwork } from "../../options/network.ts";
import { isLocalUrl } from "../../options/rememberedNetwork.ts";
import { parseRpcUrl } from "../../options/target.ts";
import type { ServiceOptions } from "../../options/commonOptions.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { outputColors, toJsonLine, writeOutput } from "../../terminal/output.ts";
import { type Check, type CheckState, checkProject, findIn, type Manifest } from "./checkProject.ts";
import { checkChain } from "./checkChain.ts";
import { checkService } from "./checkService.ts";

interface DoctorOptions extends ServiceOptions {
  readonly rpcUrl?: readonly string[] | string;
  readonly trust?: string;
  readonly keyFile?: string;
  readonly strict?: boolean;
  readonly json?: boolean;
}

/** Milliseconds after which a service without a response counts as down. */
const TIMEOUT_MS = 10_000;

const MARKS: Readonly<Record<CheckState, string>> = {
  ok: outputColors.green("ok"),
  warning: outputColors.yellow("warning"),
  failed: outputColors.red("failed"),
  skipped: outputColors.dim("skipped"),
};

const MARK_WIDTH = "skipped".length;

export async function runDoctor(options: DoctorOptions): Promise<void> {
  const { apiUrl, apiKey, rpcUrl = [], trust, keyFile, strict, json } = options;
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const now = (): number => Date.now();
  const network = findNetwork(apiUrl);
  const rpcUrls = endpointsOf([rpcUrl].flat(), network);
  const program = JSON.parse(readFileSync(join(PACKAGE_FOLDER, "package.json"), "utf8")) as Manifest;
  const checks: Check[] = [
    ...checkProject({ nodeVersion: process.versions.node, program, find: findIn(process.cwd()) }),
  ];
  const { account, check } = await checkAccount(keyFile);
  checks.push(check);
  let listed: readonly number[] | undefined;
  if (network === undefined) {
    const hint = "Pass --api-url or set CROSSCALL_API_URL; `crosscall up` starts a local one.";
    checks.push({
      area: "service",
      name: "it responds",
      state: "skipped",
      seen: "no URL",
      hint,
    });
  } else {
    const terms = { baseUrl: network.url, timeoutMs: TIMEOUT_MS };
    const key = apiKey === undefined || apiKey === "" ? network.apiKey : apiKey;
    const open = createServiceClient(terms);
    const client = key === undefined ? open : createServiceClient({ ...terms, apiKey: key });
    const report = await checkService({
      client,
      open,
      trust: await readTrust(trust),
      isLocal: isLocalUrl(network.url),
      signal,
      now,
    });
    checks.push(...report.checks);
    listed = report.listed;
  }
  if (rpcUrls.length === 0) {
    const hint = "Pass --rpc-url for each chain that you use, or set CROSSCALL_RPC_URL.";
    checks.push({ area: "chain", name: "its endpoint responds", state: "skipped", seen: "no endpoint", hint });
  }
  const own = Object.values(network?.rpcUrls ?? {});
  for (const url of rpcUrls) {
    const minesOnDemand = own.includes(parseRpcUrl(url).url);
    checks.push(...(await checkChain({ rpcUrl: url, listed, account, minesOnDemand, signal, now })));
  }
  const ok = checks.every(({ state }) => state !== "failed" && (strict !== true || state !== "warning"));
  writeOutput(json === true ? toJsonLine({ ok, checks }) : toText(printableData(checks)));
  if (!ok) process.exitCode = 1;
}

/** Shows the address, never the key. */
async function checkAccount(keyFile: string | undefined): Promise<{ account?: Address; check: Check }> {
  const what = { area: "project", name: "the private key is valid" } as const;
  try {
    const account = await readAccount(keyFile);
    if (account !== undefined) {
      return { account: account.address, check: { ...what, state: "ok", seen: account.address } };
    }
    const hint = "To sign with commands, pass --key-file or set CROSSCALL_PRIVATE_KEY.";
    return { check: { ...what, state: "skipped", seen: "no key", hint } };
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    return { check: { ...what, state: "failed", seen: error.message, hint: error.hint } };
  }
}

function toText(checks: readonly Check[]): string {
  const lines = checks.map(({ area, name, state, seen, hint }) => {
    const padding = " ".repeat(MARK_WIDTH - state.length);
    const text = `${MARKS[state]}${padding}  ${area}: ${name}: ${seen}\n`;
    return hint === undefined ? text : `${text}${" ".repeat(MARK_WIDTH + 2)}${hint}\n`;
  });
  return lines.join("");
}
