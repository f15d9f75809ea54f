import { type KnownChain, VM_TYPE_BY_CHAIN_ID } from "@crosscall/protocol/chains";
import { rejectMisspelledOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { CrosscallError, InvalidInputError, throwIfAborted } from "@crosscall/protocol/core";
import { findQuoteProblem, type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import type { ServiceClient } from "./client.ts";
import { getChains } from "./readEndpoints.ts";

/** Options of `getQuote` beside the request, which may have fields that this version does not know. */
const OPTIONS = ["shortensSvmRoutes", "onSvmRoute", "checks", "clock", "signal"];

/** Names that the service's own SDK has for fields of a quote request (spec 2, section 6), and the fields. */
const OTHER_NAMES = {
  chainId: "originChainId",
  currency: "originCurrency",
  toChainId: "destinationChainId",
  toCurrency: "destinationCurrency",
} as const;

/**
 * @throws {@link InvalidInputError} with the first of the service's rules that the request breaks, or for a field by the
 * name that the service's own SDK has for it
 */
export async function requireValidRequest(
  client: ServiceClient,
  request: QuoteRequest,
  signal: AbortSignal | undefined,
): Promise<void> {
  // The service would ignore the field, and both SDKs have a different meaning of what is left.
  for (const [name, field] of Object.entries(OTHER_NAMES)) {
    const value: unknown = Reflect.get(request, name);
    if (value === undefined) continue;
    const hint = `Pass it as ${field}, the name that the service has for it.`;
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
    return await getChains(client, { signal });
  } catch (error) {
    throwIfAborted(signal, "the quote");
    if (error instanceof CrosscallError) return [];
    throw error;
  }
}
