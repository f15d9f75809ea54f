import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Hex } from "viem";

import type { ServiceClient } from "../../src/client/client.ts";
import { getRequest } from "../../src/client/getRequest.ts";
import { CrosscallError } from "../../src/core/errors.ts";
import { parseData } from "../../src/protocol/parse.ts";
import { type RequestRecord, RequestRecordSchema } from "../../src/protocol/requestRecord.ts";
import { replaceFile } from "../terminal/replaceFile.ts";

/** What {@link findRequest} takes. */
export interface FindRequestParameters {
  readonly requestId: Hex;
  readonly client: ServiceClient;
  /** Where records are kept for a run without the service; undefined where nothing is kept. */
  readonly cacheFolder: string | undefined;
  /** Told when a kept record stands for the service's. */
  readonly onKept: () => void;
  readonly signal: AbortSignal;
}

/**
 * The record of a request by the service, or as it was when it was last replayed where the service cannot be reached.
 *
 * @throws {@link RequestNotFoundError} when the service has no such request
 */
export async function findRequest(parameters: FindRequestParameters): Promise<RequestRecord> {
  const { requestId, client, cacheFolder, onKept, signal } = parameters;
  const file = cacheFolder === undefined ? undefined : join(cacheFolder, "requests", `${requestId.toLowerCase()}.json`);
  try {
    const record = await getRequest(client, { requestId, signal });
    if (file !== undefined) await keep(file, record);
    return record;
  } catch (error) {
    if (file === undefined || !isUnreachable(error)) throw error;
    const kept = await readFile(file, "utf8").catch(() => undefined);
    if (kept === undefined) throw error;
    const record = parseData(RequestRecordSchema, JSON.parse(kept), `the record kept in ${file}`);
    onKept();
    return record;
  }
}

async function keep(file: string, record: RequestRecord): Promise<void> {
  await replaceFile(file, (handle) => handle.writeFile(JSON.stringify(record)), {
    field: "--cache",
    makesFolder: true,
  });
}

function isUnreachable(error: unknown): boolean {
  return error instanceof CrosscallError && ["SERVICE_UNREACHABLE", "TIMED_OUT"].includes(error.code);
}
