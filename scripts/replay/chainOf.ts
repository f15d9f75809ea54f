import type { ReplayInput } from "../../src/replay/subject/findFill.ts";
import { fillOfRequest } from "../../src/replay/subject/fillOfRequest.ts";

/**
 * The chain that a fill runs on; undefined where only the chain's node knows.
 *
 * @throws {@link InvalidStateError} when a request's record tells of no fill
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
