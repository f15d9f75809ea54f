import { bpsOf } from "@crosscall/protocol/encoding";
import { parseUsd, revenueShare, transactionTypeOf } from "@crosscall/protocol/fees";
import type { StoredFees } from "../store/requests/requests.ts";
import { findRevenueShareTerms, type StoredRevenueShare, sumVolume } from "../store/revenueShares.ts";
import type { DatabaseUser, Timed } from "./market.ts";
import type { PreparedQuote } from "./quote/prepareQuote.ts";

const VOLUME_DAYS = 30;

/** Returns the trailing volume of the key's integrator, in US dollars, scaled by 10^18. */
export async function trailingVolume(
  { store, clock }: Timed & DatabaseUser,
  apiKeyHash: string,
  otherVolumeUsd: string,
): Promise<bigint> {
  const since = new Date(clock.now() - VOLUME_DAYS * 24 * 60 * 60 * 1_000);
  const volume = await sumVolume(store.db, apiKeyHash, since);
  const usdOf = (text: string): bigint => parseUsd(text, "the stored volume", "usd");
  return usdOf(volume) + usdOf(otherVolumeUsd);
}

/** Returns the integrator's share of a quote's platform fee (spec 2, section 9.1), or undefined. */
export async function revenueShareOf(
  market: Timed & DatabaseUser,
  { quote, route }: Pick<PreparedQuote, "quote" | "route">,
  apiKeyHash: string | null,
): Promise<StoredRevenueShare | undefined> {
  const terms = apiKeyHash === null ? undefined : await findRevenueShareTerms(market.store.db, apiKeyHash);
  if (apiKeyHash === null || terms === undefined) return undefined;
  const share = revenueShare({
    type: transactionTypeOf(quote.input.currency, quote.output.currency),
    platformFeeUsdE18: route.price.fees.platform,
    hasApiKey: true,
    isBusinessVerified: terms.is_business_verified,
    volumeUsdE18: await trailingVolume(market, apiKeyHash, terms.other_volume_usd),
    wallet: terms.wallet ?? undefined,
  });
  return share.kind === "none" ? undefined : { wallet: share.wallet, shareBps: share.shareBps.toString() };
}

/** Returns the integrator's fee in US dollars, scaled by 10^18 and rounded down. */
export function integratorFee({ platform, revenueShare: share }: StoredFees): bigint {
  return share === undefined ? 0n : bpsOf(BigInt(platform), BigInt(share.shareBps));
}
