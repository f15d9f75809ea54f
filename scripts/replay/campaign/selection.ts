import { iterateRequests } from "../../../src/client/iterateRequests.ts";
import type { RequestQuery } from "../../../src/client/requestQuery.ts";
import { InvalidInputError } from "../../../src/core/errors.ts";
import type { CampaignItem } from "../../../src/store/campaigns.ts";
import { openService } from "../../options/serviceOptions.ts";
import { type FilterOptions, toQuery } from "../../requests/toQuery.ts";
import { digestOf, listFiles } from "./listFiles.ts";

/** Which fills a campaign is over, as commander hands it over. */
export interface SelectionOptions extends FilterOptions {
  readonly plans?: string;
  readonly limit?: number;
}

/** Which fills a campaign is over, and how to list them. */
export interface Selection {
  /** The campaign's name where it is given none. */
  readonly name: string;
  readonly selection: object;
  readonly list: (signal: AbortSignal) => AsyncIterable<CampaignItem>;
}

/** Options of the command that choose nothing. */
const OTHERS = new Set([
  ...["rpcUrl", "exact", "abi", "cache", "database", "databaseUrl"],
  ...["name", "workers", "retryErrors", "junit", "json"],
]);

/**
 * The fills that the options choose: those of a folder, or of the requests that match.
 *
 * @throws {@link InvalidInputError} when both are given, or one cannot be used
 */
export async function selectFills(options: SelectionOptions, signal: AbortSignal): Promise<Selection> {
  const { plans, limit, ...others } = options;
  const filters: FilterOptions = Object.fromEntries(Object.entries(others).filter(([name]) => !OTHERS.has(name)));
  return plans === undefined ? selectRequests(filters, limit) : selectPlans(plans, filters, signal);
}

async function selectPlans(folder: string, filters: FilterOptions, signal: AbortSignal): Promise<Selection> {
  const { apiUrl: _url, apiKey: _key, ...others } = filters;
  const [other] = Object.keys(others);
  if (other !== undefined) {
    throw new InvalidInputError({
      field: "--plans",
      value: folder,
      reason: `${other} chooses requests of the service`,
      cure: "Give a folder, or filters.",
    });
  }
  const items = await listFiles(folder, signal);
  const digest = digestOf(items);
  return {
    name: `plans-${digest}`,
    selection: { kind: "plans", digest },
    // eslint-disable-next-line @typescript-eslint/require-await
    list: async function* () {
      yield* items;
    },
  };
}

function selectRequests(filters: FilterOptions, limit: number | undefined): Selection {
  const client = openService(filters);
  // The command has no option for the other listing.
  const query = toQuery(filters).query as RequestQuery;
  const selection = { kind: "requests", service: client.baseUrl, query: toPlain(query), limit: limit ?? null };
  return {
    name: `requests-${digestOf(selection)}`,
    selection,
    list: async function* (signal) {
      const options = { signal, ...(limit === undefined ? {} : { limit }) };
      for await (const record of iterateRequests(client, query, options)) {
        yield { id: record.id, subject: { kind: "request", record } };
      }
    },
  };
}

/** The query as it is kept: dates as text, and no secret in it. */
function toPlain({ apiKey, ...query }: RequestQuery): object {
  return JSON.parse(
    JSON.stringify({ ...query, ...(apiKey === undefined ? {} : { apiKey: digestOf(apiKey) }) }),
  ) as object;
}
