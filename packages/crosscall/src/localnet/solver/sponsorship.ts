import { type FeesUsd, mapFees } from "@crosscall/protocol/fees";
import { sponsoredFees } from "../market/actualFees.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import type { Database, StoreTransaction } from "../store/schema.ts";
import { findSponsorBalance, settleSponsorPayment, takeSponsorPayment } from "../store/sponsors.ts";

type SponsoredRequest = Pick<RequestRow, "id" | "api_key_hash" | "fees">;

/** Returns whether the sponsor can still pay its quoted part. */
export async function canSponsor(db: Database, request: SponsoredRequest): Promise<boolean> {
  const usdE18 = quotedPayment(request);
  if (usdE18 === 0n) return true;
  return ((await findSponsorBalance(db, request.api_key_hash ?? "")) ?? 0n) >= usdE18;
}

/**
 * Charges the sponsor's quoted part in the transaction that signs the fill.
 *
 * @returns false if the balance is too low, so that the caller must roll back
 */
export async function takeSponsorship(db: Database, request: SponsoredRequest): Promise<boolean> {
  const usdE18 = quotedPayment(request);
  if (usdE18 === 0n) return true;
  return takeSponsorPayment(db, { requestId: request.id, apiKeyHash: request.api_key_hash ?? "", usdE18 });
}

/** Corrects the sponsor's part to the actual cost. If the cost is undefined, returns the part after a failed fill. */
export async function settleSponsorship(
  db: StoreTransaction,
  request: SponsoredRequest,
  actual: FeesUsd | undefined,
): Promise<void> {
  if (quotedPayment(request) === 0n) return;
  const usdE18 =
    actual === undefined ? 0n : sponsoredFees(request, actual).sponsoredTotalUsdE18 + fixedRateCost(request);
  await settleSponsorPayment(db, request.id, usdE18);
}

function quotedPayment(request: Pick<RequestRow, "fees">): bigint {
  const fees = mapFees(request.fees, BigInt);
  return sponsoredFees(request, fees).sponsoredTotalUsdE18 + fixedRateCost(request);
}

/** Returns the excess of a fixed rate over the market rate, which is negative if the sponsor gains. */
function fixedRateCost({ fees }: Pick<RequestRow, "fees">): bigint {
  return BigInt(fees.fixedRate ?? 0);
}
