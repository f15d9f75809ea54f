import { readFileSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import { parseJson } from "@crosscall/protocol/schema";
import type { Localnet } from "../localnet/index.ts";

/** File in the working directory that stores the network. */
const FILE = ".crosscall/network.json";

/** URLs of the network that was last started in a folder. */
export interface RememberedNetwork {
  readonly url?: string;
  readonly oracleUrl?: string;
  /** Admin key; stored only if it is random. */
  readonly adminKey?: string;
  /** By chain id. */
  readonly rpcUrls: Readonly<Record<string, string>>;
}

/** Returns empty values if no network was started, or the file is not readable. */
export function readRemembered(): RememberedNetwork {
  let text: string;
  try {
    text = readFileSync(resolve(FILE), "utf8");
  } catch {
    return { rpcUrls: {} };
  }
  const value = parseJson(text);
  const fields = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const { url, oracleUrl, adminKey, rpcUrls } = fields;
  return {
    ...(isUrl(url) ? { url } : {}),
    ...(isUrl(oracleUrl) ? { oracleUrl } : {}),
    ...(typeof adminKey === "string" && adminKey !== "" ? { adminKey } : {}),
    rpcUrls: Object.fromEntries(
      Object.entries(typeof rpcUrls === "object" && rpcUrls !== null ? rpcUrls : {}).filter(
        (entry): entry is [string, string] => isUrl(entry[1]),
      ),
    ),
  };
}

/** Returns the service of the network that was last started in this folder, or the default URL. */
export function networkUrl(): string {
  return readRemembered().url ?? "http://127.0.0.1:3000";
}

/**
 * Stores the network in the working directory. Does nothing if the folder is not writable.
 *
 * @param isKeyGiven whether the admin key was given by the user, and is therefore not stored
 */
export async function rememberNetwork({ url, oracle, adminKey, chains }: Localnet, isKeyGiven: boolean): Promise<void> {
  const remembered: RememberedNetwork = {
    url,
    ...(oracle === undefined ? {} : { oracleUrl: oracle.url }),
    ...(isKeyGiven ? {} : { adminKey }),
    rpcUrls: Object.fromEntries(chains.map(({ id, rpcUrl }) => [String(id), rpcUrl])),
  };
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

function isUrl(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value);
}
