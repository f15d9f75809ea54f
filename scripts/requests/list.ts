import type { ServiceClient } from "@crosscall/sdk/internal/client/client";
import { listRequests } from "@crosscall/sdk/internal/client/listRequests";
import { listRequestsV2 } from "@crosscall/sdk/internal/client/listRequestsV2";
import { openService } from "../options/openService.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine } from "../terminal/toJson.ts";
import { toTable } from "./describeRequests.ts";
import { eachRequest, fromV2, type ListedRequest } from "./eachRequest.ts";
import { type FilterOptions, type ListingQuery, toQuery } from "./toQuery.ts";

interface ListOptions extends FilterOptions {
  readonly limit?: number;
  readonly continuation?: string;
  readonly includeTotal?: boolean;
  readonly all?: boolean;
  readonly json?: boolean;
}

interface Listing {
  readonly requests: readonly ListedRequest[];
  readonly continuation?: string | undefined;
  readonly total?: number | undefined;
}

export async function runList({ all = false, json = false, ...options }: ListOptions): Promise<void> {
  const { includeTotal = false } = options;
  using interrupt = interruptOnCtrlC();
  const client = openService(options);
  const listing = toQuery(options);
  const { requests, continuation, total } = all
    ? await everyPage(client, listing, { includeTotal, signal: interrupt.signal })
    : await pageOf(client, listing, interrupt.signal);
  if (json) {
    process.stdout.write(toJsonLine({ ok: true, requests: requests.map(({ raw }) => raw), continuation, total }));
    return;
  }
  process.stdout.write(toTable(requests));
  if (total !== undefined) process.stderr.write(`${total} in all\n`);
  if (continuation !== undefined) process.stderr.write(`more: --continuation ${continuation}\n`);
}

async function everyPage(
  client: ServiceClient,
  listing: ListingQuery,
  { includeTotal, signal }: { readonly includeTotal: boolean; readonly signal: AbortSignal },
): Promise<Listing> {
  const requests: ListedRequest[] = [];
  for await (const request of eachRequest(client, listing, signal)) requests.push(request);
  return { requests, total: includeTotal ? requests.length : undefined };
}

async function pageOf(client: ServiceClient, listing: ListingQuery, signal: AbortSignal): Promise<Listing> {
  if (listing.version === 3) {
    const page = await listRequests(client, { ...listing.query, signal });
    return { ...page, requests: page.requests.map((raw) => ({ raw, record: raw })) };
  }
  const { requests, continuation } = await listRequestsV2(client, {
    ...listing.query,
    force: listing.force,
    signal,
  });
  return { requests: requests.map(fromV2), continuation };
}
