import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import type { Address } from "viem";

import { type RunningProgram, startProgram } from "../../integration/support/processes.ts";
import type { CampaignChain } from "./accounting.ts";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));

/** API key for all requests in a campaign. */
export const API_KEY = "crash-campaign";

/** JSON output of the service when it is up. */
export interface ServiceUp {
  readonly url: string;
  readonly adminKey: string;
  readonly solver: Address;
  readonly chains: readonly {
    readonly id: number;
    readonly contracts: CampaignChain["contracts"];
  }[];
}

/** The service and its solver, in a separate process. */
export type Service = RunningProgram & { readonly ready: ServiceUp };

/** Chains to use, and the arguments for `crosscall up` that select the database. */
export interface ServiceParameters {
  readonly chains: readonly { readonly id: number; readonly rpcUrl: string }[];
  readonly database: readonly string[];
  /** Whether the service also runs Solana. */
  readonly svm?: boolean;
}

/** Starts the service and waits until it is up. */
export function startService(parameters: ServiceParameters): Promise<Service> {
  return startProgram(process.execPath, argumentsOf(parameters), (line) => {
    const up = JSON.parse(line) as { ok: boolean } & ServiceUp;
    if (!up.ok) throw new Error(line);
    return up;
  });
}

/** Starts the service and kills it after a delay, usually before it is up. */
export async function killWhileStarting(parameters: ServiceParameters, afterMs: number): Promise<void> {
  const child = spawn(process.execPath, argumentsOf(parameters), { cwd: ROOT, stdio: "ignore", detached: true });
  const closed = once(child, "close");
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  // The process group no longer exists if the program has exited.
  if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
  await closed;
}

function argumentsOf({ chains, database, svm }: ServiceParameters): string[] {
  return [
    "packages/crosscall/src/main.ts",
    "up",
    "--keep-retired",
    "--json",
    ...chains.flatMap(({ id, rpcUrl }) => ["--chain", `${id}=${rpcUrl}`]),
    "--api-key",
    API_KEY,
    "--limits",
    "off",
    "--port",
    "0",
    ...(svm === true ? ["--svm"] : []),
    ...database,
  ];
}
