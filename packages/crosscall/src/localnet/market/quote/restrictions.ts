import { isSameAddress } from "@crosscall/protocol/chains";
import type { QuoteProblem } from "@crosscall/protocol/quote";
import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { parseData } from "@crosscall/protocol/schema";
import { findRestrictions } from "../../store/network.ts";
import type { DatabaseUser } from "../market.ts";
import { type Restrictions, RestrictionsSchema } from "./restrictionsSchema.ts";

/** Reads the restrictions, which any process can set. */
export async function readRestrictions({ store }: DatabaseUser): Promise<Restrictions> {
  return parseData(RestrictionsSchema, (await findRestrictions(store.db)) ?? {}, "the restrictions");
}

export function findRestriction(restrictions: Restrictions, request: QuoteRequest): QuoteProblem | undefined {
  const chain = (["originChainId", "destinationChainId"] as const).find((field) =>
    restrictions.disabledChains?.includes(request[field]),
  );
  if (chain !== undefined) {
    return problem("CHAIN_DISABLED", request, chain, "the chain is currently disabled");
  }
  const wallet = (["user", "recipient", "refundTo", "recoveryAddress"] as const).find((field) =>
    isListed(restrictions.sanctionedWallets, request[field]),
  );
  if (wallet !== undefined) {
    return problem("SANCTIONED_WALLET_ADDRESS", request, wallet, "the wallet is on a sanctions list");
  }
  for (const [list, errorCode, reason] of [
    [restrictions.sanctionedCurrencies, "SANCTIONED_CURRENCY", "the currency is on a sanctions list"],
    [restrictions.unsupportedCurrencies, "UNSUPPORTED_CURRENCY", "the currency is currently not supported"],
  ] as const) {
    const field = (["originCurrency", "destinationCurrency"] as const).find((name) => isListed(list, request[name]));
    if (field !== undefined) return problem(errorCode, request, field, reason);
  }
  for (const [routes = [], errorCode, reason] of [
    [restrictions.restrictedRoutes, "ROUTE_TEMPORARILY_RESTRICTED", "the route is currently restricted"],
    [restrictions.unquotedRoutes, "NO_QUOTES", "there are currently no quotes for this route"],
  ] as const) {
    const isMeant = routes.some(
      ({ originChainId, destinationChainId }) =>
        originChainId === request.originChainId && destinationChainId === request.destinationChainId,
    );
    if (isMeant) return problem(errorCode, request, "destinationChainId", reason);
  }
  return undefined;
}

function isListed(list: readonly string[] = [], value: string | undefined): boolean {
  return value !== undefined && list.some((listed) => isSameAddress(listed, value));
}

function problem(
  errorCode: QuoteProblem["errorCode"],
  request: QuoteRequest,
  field: keyof QuoteRequest,
  reason: string,
): QuoteProblem {
  return { errorCode, field, value: request[field], reason, hint: "Use a different one, or try again later." };
}
