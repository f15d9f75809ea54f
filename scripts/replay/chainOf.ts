import type { ReplayInput } from "../../src/replay/subject/findFill.ts";
import { fillOfRequest } from "../../src/replay/subject/fillOfRequest.ts";

/**
 * Undefined if only the chain's node can report it.
 *
 * @throws {@link InvalidStateError} if a request's record has no fill
 */
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
