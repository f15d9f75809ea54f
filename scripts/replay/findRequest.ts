import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Hex } from "viem";

import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import { RequestNotFoundError } from "@crosscall/sdk/internal/client/errors";
import { getRequest } from "@crosscall/sdk/internal/client/getRequest";
import { isPassing } from "@crosscall/sdk/internal/client/watchRequest/pollStatus";
import { readResponse } from "@crosscall/sdk/internal/protocol/schema/readResponse";
import { type RequestRecord, RequestRecordSchema } from "@crosscall/sdk/internal/protocol/request/requestRecord";
import { replaceFile } from "../terminal/replaceFile.ts";

export interface FindRequestParameters {
  readonly requestId: Hex;
  readonly client: ServiceClient;
  /** Caches records for runs without the service; undefined for none. */
  readonly cacheFolder: string | undefined;
  /** Called when a cached record is used. */
  readonly onKept: () => void;
  readonly signal: AbortSignal;
}

/** From the service, or the cache if it cannot be reached. */
export async function findRequest(parameters: FindRequestParameters): Promise<RequestRecord> {
  const { requestId, client, cacheFolder, onKept, signal } = parameters;
  const file = cacheFolder === undefined ? undefined : join(cacheFolder, "requests", `${requestId.toLowerCase()}.json`);
  try {
    const record = await getRequest(client, { requestId, signal });
    await keep(file, record);
    return record;
  } catch (error) {
    if (error instanceof RequestNotFoundError) await keep(file, null);
    if (file === undefined || !isPassing(error)) throw error;
    const kept = await readFile(file, "utf8").catch(() => undefined);
    if (kept === undefined) throw error;
    const content: unknown = JSON.parse(kept);
    if (content === null) throw new RequestNotFoundError({ requestId });
    const record = readResponse(RequestRecordSchema, content);
    onKept();
    return record;
  }
}

/** Also caches that there is none. */
async function keep(file: string | undefined, record: RequestRecord | null): Promise<void> {
  if (file === undefined) return;
  const write = replaceFile(file, (handle) => handle.writeFile(JSON.stringify(record?.unreadable?.raw ?? record)), {
    makesFolder: true,
  });
  // A full disk costs the next run the service, not this one its result.
  await write.catch(() => undefined);
}
