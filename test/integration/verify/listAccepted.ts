import { CrosscallError, createServiceClient, getQuote } from "../../../packages/sdk/src/index.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { QuoteSchema } from "../../../packages/protocol/src/quote/quote.ts";
import { readResponse } from "../../../packages/protocol/src/schema/readResponse.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify/verifyQuote.ts";
import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { isHarmless } from "./harmlessChanges.ts";
import { mutateQuote } from "./mutateQuote.ts";

export interface AcceptedChanges {
  /** Number of changes that were tried. */
  readonly tried: number;
  /** Changes that were accepted, but are not on the list of harmless ones. */
  readonly accepted: readonly string[];
}

/** Tries every change of a quote of this shape. */
export async function listAccepted(network: Localnet, shape: string, request: QuoteRequest): Promise<AcceptedChanges> {
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2, limits: false });
  const { quotedAtMs: _, quotedRequest: __, ...quote } = await getQuote(client, request);
  const accepted: string[] = [];
  let tried = 0;
  for (const mutation of mutateQuote(quote)) {
    tried += 1;
    if (isHarmless(mutation, shape)) continue;
    if (!(await isRefused(network, request, mutation.mutated))) accepted.push(`${mutation.path} ${mutation.name}`);
  }
  return { tried, accepted };
}

async function isRefused({ trust, clock }: Localnet, request: QuoteRequest, mutated: unknown): Promise<boolean> {
  try {
    const { verdict } = await verifyQuote({ request, quote: readResponse(QuoteSchema, mutated), trust, clock });
    return verdict === "refused";
  } catch (error) {
    if (error instanceof CrosscallError) return true;
    throw error;
  }
}
