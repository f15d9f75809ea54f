import { type KnownChain, VM_TYPE_BY_CHAIN_ID } from "@crosscall/protocol/chains";
import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { CrosscallError, InvalidInputError, throwIfAborted } from "@crosscall/protocol/core";
import { findQuoteProblem, type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import type { ServiceClient } from "./client.ts";
import { listQuotedChains } from "./listChains.ts";

/** Options of `getQuote` in addition to the request, which may have fields that this version does not know. */
const OPTIONS = ["shortensSvmRoutes", "onSvmRoute", "checks", "clock", "signal"];

/** Fields of a quote request, keyed by their names in the service's own SDK (spec 2, section 6). */
const OTHER_NAMES = {
  chainId: "originChainId",
  currency: "originCurrency",
  toChainId: "destinationChainId",
  toCurrency: "destinationCurrency",
} as const;

/**
 * @throws {@link InvalidInputError} with the first of the service's rules that the request breaks, or for a field with
 * its name from the service's own SDK
 */
export async function requireValidRequest(
  client: ServiceClient,
  request: QuoteRequest,
  signal: AbortSignal | undefined,
): Promise<void> {
  // The service would ignore the field, and the two SDKs interpret the remaining fields differently.
  for (const [name, field] of Object.entries(OTHER_NAMES)) {
    const value: unknown = Reflect.get(request, name);
    if (value === undefined) continue;
    const hint = `Pass it as ${field}, the service's name for it.`;
    throw new InvalidInputError({ field: name, value, reason: `its name in a quote request is ${field}`, hint });
  }
  rejectMisspelledOptions(request, [...Object.keys(QuoteRequestSchema.properties), ...OPTIONS]);
  const problem = findQuoteProblem(request, await findChains(client, request, signal));
  if (problem !== undefined) throw new InvalidInputError(problem);
}

/** Returns the service's chains if a chain's family is undocumented. Without a response, the family stays unknown. */
async function findChains(
  client: ServiceClient,
  { originChainId, destinationChainId }: QuoteRequest,
  signal: AbortSignal | undefined,
): Promise<readonly KnownChain[]> {
  const isKnown = [originChainId, destinationChainId].every((id) => VM_TYPE_BY_CHAIN_ID.has(id));
  if (isKnown) return [];
  try {
    return await listQuotedChains(client, signal);
  } catch (error) {
    throwIfAborted(signal, "the quote");
    if (error instanceof CrosscallError) return [];
    throw error;
  }
}
