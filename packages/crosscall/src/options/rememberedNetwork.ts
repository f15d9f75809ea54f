import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { dirname, resolve } from "node:path";

import { isLoopback } from "@crosscall/oracle/server";
import { parseJson } from "@crosscall/protocol/schema";
import type { Localnet } from "../localnet/index.ts";

/** File in the working directory that stores the network. */
const FILE = ".crosscall/network.json";

/** URLs of the network that was last started in a folder. */
export interface RememberedNetwork {
  readonly url?: string;
  readonly oracleUrl?: string;
  /** API key; stored only if the user gave none. */
  readonly apiKey?: string;
  /** Admin key; stored only if it is random. */
  readonly adminKey?: string;
  /** Id of the process that runs the network; undefined after it stopped. */
  readonly pid?: number;
  /** Whether the network was stopped, and not started again. */
  readonly isStopped?: boolean;
  /** Of EVM chains, by chain id. */
  readonly rpcUrls: Readonly<Record<string, string>>;
  /** Of the Solana chain, if the network runs it. */
  readonly svmRpcUrl?: string;
}

/**
 * Returns empty values if no network was started, or the file is not readable. Ignores URLs of other machines, because
 * the file of a copied folder could name a host that collects keys.
 */
export function readRemembered(): RememberedNetwork {
  let text: string;
  try {
    text = readFileSync(resolve(FILE), "utf8");
  } catch {
    return { rpcUrls: {} };
  }
  const value = parseJson(text);
  const fields = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const { url, oracleUrl, apiKey, adminKey, pid, isStopped, rpcUrls, svmRpcUrl } = fields;
  return {
    ...(isLocalUrl(url) ? { url } : {}),
    ...(isLocalUrl(oracleUrl) ? { oracleUrl } : {}),
    ...(isText(apiKey) ? { apiKey } : {}),
    ...(isText(adminKey) ? { adminKey } : {}),
    ...(Number.isSafeInteger(pid) ? { pid: Number(pid) } : {}),
    ...(isStopped === true ? { isStopped } : {}),
    ...(isLocalUrl(svmRpcUrl) ? { svmRpcUrl } : {}),
    rpcUrls: Object.fromEntries(
      Object.entries(typeof rpcUrls === "object" && rpcUrls !== null ? rpcUrls : {}).filter(
        (entry): entry is [string, string] => isLocalUrl(entry[1]),
      ),
    ),
  };
}

/** Keys that the user gave, which are therefore not stored. */
interface GivenKeys {
  readonly hasApiKey: boolean;
  readonly hasAdminKey: boolean;
}

/** Stores the network in the working directory. Does nothing if the folder is not writable. */
export async function rememberNetwork(
  { url, oracle, apiKey, adminKey, chains, svm }: Localnet,
  { hasApiKey, hasAdminKey }: GivenKeys,
): Promise<void> {
  const remembered: RememberedNetwork = {
    url,
    ...(oracle === undefined ? {} : { oracleUrl: oracle.url }),
    ...(hasApiKey ? {} : { apiKey }),
    ...(hasAdminKey ? {} : { adminKey }),
    pid: process.pid,
    ...(svm === undefined ? {} : { svmRpcUrl: svm.rpcUrl }),
    rpcUrls: Object.fromEntries(chains.map(({ id, rpcUrl }) => [String(id), rpcUrl])),
  };
  await write(remembered);
}

/**
 * Stores that the network of this process stopped. Keeps its URLs and its admin key for the next start, but restores the
 * previously remembered network if it still runs.
 */
export async function rememberStop(before: RememberedNetwork = { rpcUrls: {} }): Promise<void> {
  const { pid, ...remembered } = readRemembered();
  if (pid === process.pid) await write(isAlive(before) ? before : { ...remembered, isStopped: true });
}

/** Returns whether the process that started a network still runs. */
export function isAlive({ pid, isStopped = false }: RememberedNetwork): boolean {
  if (pid === undefined || pid === process.pid || isStopped) return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function write(remembered: RememberedNetwork): Promise<void> {
  const file = resolve(FILE);
  try {
    await mkdir(dirname(file), { recursive: true });
    // Creates a new file, because an existing file keeps its mode, which may allow others to read it.
    const part = `${file}.${process.pid}.part`;
    await writeFile(part, `${JSON.stringify(remembered, null, 2)}\n`, { mode: 0o600 });
    await rename(part, file);
  } catch {
    // If writing fails, the next start uses other ports.
  }
}

/** Returns whether a value is an HTTP URL of this machine. */
export function isLocalUrl(value: unknown): value is string {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  if (!/^https?:$/u.test(protocol)) return false;
  const address = hostname.replace(/^\[(.*)\]$/u, "$1");
  return (
    isLoopback(hostname) ||
    Object.values(networkInterfaces())
      .flat()
      .some((own) => own?.address === address)
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
