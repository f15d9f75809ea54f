import { AbortedError, compact, InvalidInputError, StageFailedError, WrongChainError } from "@crosscall/protocol/core";
import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { extname, join } from "node:path";
import { iterateRequests, type RequestQuery } from "@crosscall/sdk";

import { ChainsNotServedError, type ReplayItem } from "../../../campaign/workCampaigns.ts";
import { replay } from "../../../replay/replay.ts";
import type { ReplayInput } from "../../../replay/subject/findFill.ts";
import type { PlannedFill } from "../../../replay/subject/subjectOfPlan.ts";
import { requireRpcUrl } from "../../../options/target.ts";
import { chainOf, networkOf, readAbis, readInput, type ReadInputParameters, withOwnAmount } from "../readInput.ts";
import type { ReplayOptions } from "../replayOptions.ts";
import type { CampaignItem } from "../../../localnet/store/campaigns.ts";
import { endpointsOf, openService } from "../../../options/network.ts";
import { type FilterOptions, toQuery } from "../../requests/toQuery.ts";

export async function replayingBy(options: ReplayOptions): Promise<ReplayItem> {
  const { cache } = options;
  const endpoints = endpointsOf(options.rpcUrl, networkOf(options));
  const abis = await readAbis(options.abi);
  return async ({ subject }, signal) => {
    const { exact } = subject as CampaignSubject;
    const input = toInput(subject as CampaignSubject);
    const chainId = chainOf(input);
    try {
      return await replay({
        input,
        rpcUrl: requireRpcUrl(endpoints, chainId),
        exact,
        ...(cache === false ? {} : { cacheFolder: cache }),
        abis,
        signal,
      });
    } catch (cause) {
      if (chainId === undefined || !isWithoutNode(cause)) throw cause;
      throw new ChainsNotServedError({ chainIds: [chainId], cause });
    }
  };
}

/** Returns whether the error means that this worker has no node for the fill's chain. */
function isWithoutNode(error: unknown): boolean {
  return error instanceof WrongChainError || (error instanceof InvalidInputError && error.field === "--rpc-url");
}

/** A stored fill, which every worker replays in the same way. Amounts are decimal strings. */
export type CampaignSubject = (Exclude<ReplayInput, { readonly kind: "plan" }> | StoredPlan) & ReplayedHow;

interface ReplayedHow {
  /** Whether to run the transactions before a past fill in its block first. */
  readonly exact: boolean;
}

interface StoredPlan {
  readonly kind: "plan";
  readonly plan: Omit<PlannedFill, "delivered" | "minimumDelivered"> & { readonly delivered?: string };
}

export function toSubject(input: ReplayInput, { exact }: ReplayedHow): CampaignSubject {
  if (input.kind !== "plan") return { ...input, exact };
  const { delivered, minimumDelivered: _minimum, ...plan } = input.plan;
  return {
    kind: "plan",
    plan: { ...plan, ...(delivered === undefined ? {} : { delivered: String(delivered) }) },
    exact,
  };
}

export function toInput({ exact: _exact, ...input }: CampaignSubject): ReplayInput {
  if (input.kind !== "plan") return input;
  const { delivered, ...plan } = input.plan;
  return { kind: "plan", plan: { ...plan, ...(delivered === undefined ? {} : { delivered: BigInt(delivered) }) } };
}

const ENDINGS = [".json", ".ts", ".mts", ".js", ".mjs"];

interface ListFilesParameters {
  readonly folder: string;
  /** Delivered amount of EXACT_INPUT plans, in the smallest unit; other plans contain it. */
  readonly amount: bigint | undefined;
  readonly signal: AbortSignal;
}

interface ListedFile {
  readonly name: string;
  readonly input: ReplayInput;
}

async function listFiles({ folder, amount, signal }: ListFilesParameters): Promise<ListedFile[]> {
  const names = await readdir(folder).catch((cause: unknown) => {
    throw refuse(folder, "the folder cannot be read", cause);
  });
  const files = names.filter((name) => ENDINGS.includes(extname(name))).toSorted();
  if (files.length === 0) throw refuse(folder, "the folder contains no plan or quote");
  const inputs: ListedFile[] = [];
  for (const name of files) {
    inputs.push({ name, input: await readFileInput({ what: join(folder, name), amount, signal }) });
  }
  return inputs;
}

async function readFileInput({
  what,
  amount,
  signal,
}: Omit<ListFilesParameters, "folder"> & Pick<ReadInputParameters, "what">): Promise<ReplayInput> {
  try {
    const terms = { what, client: undefined, mayBeTransaction: false, signal };
    return withOwnAmount(await readInput({ ...terms, overrides: amount === undefined ? {} : { amount } }));
  } catch (error) {
    throw error instanceof AbortedError ? error : new StageFailedError({ stage: what, cause: error });
  }
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 16);
}

function refuse(folder: string, reason: string, cause?: unknown): InvalidInputError {
  return new InvalidInputError({
    field: "--plans",
    value: folder,
    reason,
    hint: "Pass a folder with plan.json or quote.json files, or modules that export plan.",
    cause,
  });
}

export interface SelectionOptions extends FilterOptions {
  readonly plans?: string;
  readonly amount?: bigint;
  readonly limit?: number;
  readonly exact?: boolean;
}

interface Selection {
  /** Default campaign name. */
  readonly name: string;
  readonly selection: object;
  readonly list: (signal: AbortSignal) => AsyncIterable<CampaignItem>;
}

/** Names of options that do not select fills. */
const OTHERS = new Set([
  "rpcUrl",
  "abi",
  "cache",
  "database",
  "databaseUrl",
  "name",
  "workers",
  "retryErrors",
  "junit",
  "json",
]);

/** Selects the plans and quotes in a folder, or matching requests. */
export async function selectFills(options: SelectionOptions, signal: AbortSignal): Promise<Selection> {
  const { plans, amount, limit, exact = false, ...others } = options;
  const filters: FilterOptions = Object.fromEntries(Object.entries(others).filter(([name]) => !OTHERS.has(name)));
  if (plans !== undefined) return selectPlans({ folder: plans, amount, exact, filters, signal });
  if (amount === undefined) return selectRequests(filters, limit, { exact });
  throw new InvalidInputError({
    field: "--amount",
    value: amount,
    reason: "the record of a request contains the delivered amount",
    hint: "Omit --amount, or pass --plans.",
  });
}

interface PlansParameters extends ReplayedHow {
  readonly folder: string;
  readonly amount: bigint | undefined;
  readonly filters: FilterOptions;
  readonly signal: AbortSignal;
}

async function selectPlans({ folder, amount, exact, filters, signal }: PlansParameters): Promise<Selection> {
  const { apiUrl: _url, apiKey: _key, ...others } = filters;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new InvalidInputError({
      field: "--plans",
      value: folder,
      reason: `${other} selects requests from the service`,
      hint: "Pass either a folder or filters.",
    });
  }
  const inputs = await listFiles({ folder, amount, signal });
  const items = inputs.map(({ name, input }) => ({ id: name, subject: toSubject(input, { exact }) }));
  const digest = digestOf(items);
  return {
    name: `plans-${digest}`,
    selection: { kind: "plans", digest, exact },
    // oxlint-disable-next-line typescript/require-await
    list: async function* () {
      yield* items;
    },
  };
}

function selectRequests(filters: FilterOptions, limit: number | undefined, how: ReplayedHow): Selection {
  const client = openService(filters, { needsKey: true });
  // The cast is safe, because the command has no option for the v2 listing.
  const query = toQuery(filters).query as RequestQuery;
  const selection = { kind: "requests", service: client.baseUrl, query: toPlain(query), limit: limit ?? null, ...how };
  return {
    name: `requests-${digestOf(selection)}`,
    selection,
    list: async function* (signal) {
      const options = compact({ signal, limit });
      for await (const record of iterateRequests(client, query, options)) {
        yield { id: record.id ?? "the record has no id", subject: toSubject({ kind: "request", record }, how) };
      }
    },
  };
}

/** Returns the query in its stored form, with dates as strings and without the API key. */
function toPlain({ apiKey, ...query }: RequestQuery): object {
  return JSON.parse(
    JSON.stringify({ ...query, ...(apiKey === undefined ? {} : { apiKey: digestOf(apiKey) }) }),
  ) as object;
}
