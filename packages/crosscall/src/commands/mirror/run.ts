import { listRequests, PagingStuckError, type ServiceClient } from "@crosscall/sdk";
import {
  AbortedError,
  InvalidInputError,
  ServiceError,
  ServiceUnreachableError,
  sleep,
  systemClock,
} from "@crosscall/protocol/core";
import { isPresent } from "@crosscall/protocol/schema";
import { createLog } from "../../localnet/log.ts";
import { type Mirror, startMirror } from "../../mirror/startMirror.ts";
import { DatabaseError } from "../../localnet/store/databaseError.ts";
import type { ChangesSince, RecordPage } from "../../localnet/store/mirror/syncRequests.ts";
import type { Command } from "../../options/command.ts";
import {
  databaseOf,
  type DatabaseOptions,
  type DatabasePlace,
  type ServiceOptions,
} from "../../options/commonOptions.ts";
import { openService } from "../../options/network.ts";
import { interruptOnCtrlC } from "../../terminal/interrupt.ts";
import { progressBar } from "../../terminal/progressLines.ts";
import { Stages } from "../../terminal/stages.ts";
import { countOf, toJsonLine, writeNotice, writeOutput } from "../../terminal/output.ts";

interface MirrorCommandOptions extends ServiceOptions, DatabaseOptions {
  readonly madeWith: readonly string[];
  readonly serve?: number;
  readonly every: number;
  readonly json?: boolean;
}

export async function runMirror(options: MirrorCommandOptions, command: Command): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const { signal } = interrupt;
  const isSilent = options.json === true;
  const stages = new Stages({ isSilent, signal });
  const client = openService(options, { needsKey: true });
  const mirror = await startMirror({
    source: client.baseUrl,
    changesSince: requestPages(client),
    apiKeys: options.madeWith.length === 0 ? [client.apiKey].filter(isPresent) : [...new Set(options.madeWith)],
    database: requireDatabase(options, command),
    clock: systemClock,
    log: createLog("error"),
  });
  try {
    const records = await stages.run(`Mirror the requests of ${client.baseUrl}`, ({ update }) =>
      mirror.sync(signal, (progress) => update(progressBar(progress.records, progress.total))),
    );
    const url = options.serve === undefined ? undefined : await mirror.serve(options.serve);
    const served = url === undefined ? {} : { url };
    writeOutput(
      isSilent
        ? toJsonLine({ ok: true, records, ...served })
        : `${countOf(records, "record")}${url === undefined ? "" : `\nlisting at ${url}/requests/v3   Ctrl-C stops it.`}\n`,
    );
    if (url !== undefined) await keepInStep(mirror, options.every, signal);
  } finally {
    await mirror.close();
  }
}

/** Syncs until Ctrl-C. Continues after the service or the database was unavailable. */
async function keepInStep(mirror: Mirror, everySeconds: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await sleep(everySeconds * 1_000, signal, "the next sync");
      await mirror.sync(signal);
    } catch (error) {
      if (error instanceof AbortedError) return;
      if (!isTransient(error)) throw error;
      writeNotice(`sync failed: ${error.message}. Retrying in ${everySeconds} s.\n`);
    }
  }
}

function isTransient(error: unknown): error is Error {
  if (error instanceof DatabaseError) return error.flaw === "connection-lost" || error.flaw === "unreachable";
  return error instanceof ServiceError || error instanceof ServiceUnreachableError;
}

function requireDatabase(options: MirrorCommandOptions, command: Command): DatabasePlace {
  const place = databaseOf(options, command);
  if (place !== undefined) return place;
  throw new InvalidInputError({
    field: "--database",
    value: undefined,
    reason: "a mirror requires a persistent database",
    hint: "Pass --database with a folder, or --database-url.",
  });
}

/** Lists pages of requests, the oldest change first. */
export function requestPages(client: ServiceClient): ChangesSince {
  return async function* pages(madeWith, sinceSeconds, signal): AsyncGenerator<RecordPage, void, undefined> {
    const cursors = new Set<string>();
    let continuation: string | undefined;
    let listed = 0;
    do {
      const page = await listRequests(client, {
        apiKey: madeWith,
        sortBy: "updatedAt",
        sortDirection: "asc",
        includeAuthenticatedData: true,
        limit: 50,
        ...(sinceSeconds === undefined ? {} : { startTimestamp: sinceSeconds }),
        ...(continuation === undefined ? { includeTotal: true } : { continuation }),
        signal,
      });
      yield { records: page.requests, total: page.total };
      listed += page.requests.length;
      continuation = page.continuation;
      if (continuation !== undefined && cursors.has(continuation)) {
        const reason = "a cursor repeats";
        throw new PagingStuckError({ endpoint: "GET /requests/v3", continuation, listed, reason });
      }
      if (continuation !== undefined) cursors.add(continuation);
    } while (continuation !== undefined);
  };
}
