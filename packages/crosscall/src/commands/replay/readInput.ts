import { readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Abi, Hex } from "viem";

import { getRequest, RequestNotFoundError, type ServiceClient } from "@crosscall/sdk";
import { isPassing } from "@crosscall/sdk/kit";
import { compact, InvalidInputError } from "@crosscall/protocol/core";
import { readAnyQuote } from "@crosscall/protocol/quote/rules";
import { type RequestRecord, RequestRecordSchema } from "@crosscall/protocol/request/records";
import { readResponse } from "@crosscall/protocol/schema";
import { fillOfRequest } from "../../replay/subject/fillOfRequest.ts";
import type { ReplayInput, FillOverrides } from "../../replay/subject/findFill.ts";
import type { PlannedFill } from "../../replay/subject/subjectOfPlan.ts";
import { readJson } from "../../options/readJson.ts";
import type { BuiltPlan } from "../plan/buildPlan.ts";
import { requireCalls } from "../plan/checkPlan.ts";
import { readAbi } from "../plan/readAbi.ts";
import { readPlan } from "../plan/readPlan.ts";
import { replaceFile } from "../../terminal/replaceFile.ts";
import { writeNotice } from "../../terminal/output.ts";
import type { ReplayOptions } from "./replayOptions.ts";
import { findNetwork, type FoundNetwork } from "../../options/network.ts";

export interface ReadInputParameters {
  /** Request id, transaction hash of a fill, or path to a quote or plan. */
  readonly what: string;
  /** Client of the service; if undefined, a hash is always a transaction hash. */
  readonly client: ServiceClient | undefined;
  /** Whether a hash can be a transaction hash if no request has this id. */
  readonly mayBeTransaction: boolean;
  readonly overrides: FillOverrides;
  /** Folder that caches records for runs without the service; undefined for no cache. */
  readonly cacheFolder?: string | undefined;
  readonly signal: AbortSignal;
}

export async function readInput(parameters: ReadInputParameters): Promise<ReplayInput> {
  const { what, overrides, signal } = parameters;
  if (isHash(what)) return readHash(what, parameters);
  if (/^0x[0-9a-fA-F]*$/u.test(what)) {
    throw new InvalidInputError({
      field: "what",
      value: what,
      reason: "it is not a request id or transaction hash, which have 64 digits after 0x",
      hint: "Pass the whole id or hash.",
    });
  }
  if (what.endsWith(".json")) {
    const content = await readJson(what, "what");
    if (typeof content === "object" && content !== null && "steps" in content) {
      return { kind: "quote", quote: readAnyQuote(content) };
    }
  }
  return { kind: "plan", plan: toPlannedFill(what, await readPlan({ file: what, signal }), overrides) };
}

/** Removes the given delivered amount from a plan that has its own amount. */
export function withOwnAmount(input: ReplayInput): ReplayInput {
  if (input.kind !== "plan" || input.plan.tradeType === "EXACT_INPUT") return input;
  return { kind: "plan", plan: { ...input.plan, delivered: undefined } };
}

/** Returns whether the text is a request id or a transaction hash. Any other text is a file path. */
export function isHash(what: string): what is Hex {
  return /^0x[0-9a-fA-F]{64}$/u.test(what);
}

async function readHash(hash: Hex, parameters: ReadInputParameters): Promise<ReplayInput> {
  const { client, mayBeTransaction, cacheFolder, signal } = parameters;
  if (client === undefined) return { kind: "transaction", hash };
  try {
    const onKept = (): void => {
      writeNotice(`the service cannot be reached: using the cached record of request ${hash}\n`);
    };
    const record = await findRequest({ requestId: hash, client, cacheFolder, onKept, signal });
    return { kind: "request", record };
  } catch (error) {
    if (error instanceof RequestNotFoundError && mayBeTransaction) return { kind: "transaction", hash };
    throw error;
  }
}

/** @param name path of the plan's file */
export function toPlannedFill(name: string, plan: BuiltPlan, overrides: FillOverrides = {}): PlannedFill {
  const { txs, tradeType, amount, destinationCurrency } = requireCalls(plan);
  const { destinationChainId, recipient = plan.request.user } = plan.request;
  if (destinationChainId === undefined) {
    throw missing(
      "destinationChainId",
      "the calls are executed on this chain",
      "Set the destination chain's id in the plan.",
    );
  }
  if (recipient === undefined) {
    throw missing(
      "recipient",
      "the plan has no recipient for the output",
      "Set recipient or user in the plan, or pass --recipient.",
    );
  }
  if (tradeType === "EXACT_INPUT" && overrides.amount === undefined) {
    const hint = "Pass the delivered amount in the smallest unit with --amount, or replay the quote.";
    throw missing(
      "--amount",
      "a plan with EXACT_INPUT contains the amount that the user sends, not the delivered amount",
      hint,
    );
  }
  const { router, routerVersion } = plan.contracts;
  return compact({
    name,
    destinationChainId,
    destinationCurrency,
    tradeType,
    amount,
    txs,
    recipient,
    delivered: overrides.amount,
    router,
    routerVersion,
  });
}

function missing(field: string, reason: string, hint: string): InvalidInputError {
  return new InvalidInputError({ field, value: undefined, reason, hint });
}

/** Returns the chain id, or undefined if only the chain's node can report it. */
export function chainOf(input: ReplayInput): number | undefined {
  switch (input.kind) {
    case "request":
      return fillOfRequest(input.record).chainId;
    case "quote":
      return input.quote.details?.currencyOut?.currency?.chainId ?? undefined;
    case "plan":
      return input.plan.destinationChainId;
    case "transaction":
      return undefined;
  }
}

/** Reads files with a JSON ABI, a list of signatures, or a compiler artifact. */
export async function readAbis(files: readonly string[] = []): Promise<Abi[]> {
  return Promise.all(
    files.map(async (file) => {
      const content = await readJson(file, "--abi");
      const isArtifact = typeof content === "object" && content !== null && "abi" in content;
      return readAbi(isArtifact ? content.abi : content, `--abi ${file}`);
    }),
  );
}

export interface FindRequestParameters {
  readonly requestId: Hex;
  readonly client: ServiceClient;
  /** Folder that caches records for runs without the service; undefined for no cache. */
  readonly cacheFolder: string | undefined;
  /** Called if a cached record is used. */
  readonly onKept: () => void;
  readonly signal: AbortSignal;
}

/** Reads a request record from the service, or from the cache if the service cannot be reached. */
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

/** Caches a record; null means that the service has no such record. */
async function keep(file: string | undefined, record: RequestRecord | null): Promise<void> {
  if (file === undefined) return;
  const write = replaceFile(file, (handle) => handle.writeFile(JSON.stringify(record?.unreadable?.raw ?? record)), {
    makesFolder: true,
  });
  // Ignores errors, because a full disk must not fail this run.
  await write.catch(() => undefined);
}

type Options = Pick<ReplayOptions, "apiUrl" | "rpcUrl"> & { readonly node?: string };

/**
 * Returns the network of the service. This folder's network is the default only without endpoints, because a given
 * endpoint can belong to another network.
 */
export function networkOf({ apiUrl, rpcUrl, node }: Options): FoundNetwork | undefined {
  const hasEndpoints = rpcUrl !== undefined || node !== undefined;
  return hasEndpoints && (apiUrl === undefined || apiUrl === "") ? undefined : findNetwork(apiUrl);
}
