import { type FeesUsd, mapFees } from "@crosscall/protocol/fees";
import { sponsoredFees } from "../market/actualFees.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import type { Database, StoreTransaction } from "../store/schema.ts";
import { findSponsorBalance, settleSponsorPayment, takeSponsorPayment } from "../store/sponsors.ts";

type SponsoredRequest = Pick<RequestRow, "id" | "api_key_hash" | "fees">;

/** Whether the sponsor can still pay its quoted part. */
export async function canSponsor(db: Database, request: SponsoredRequest): Promise<boolean> {
  const usdE18 = quotedPayment(request);
  if (usdE18 === 0n) return true;
  return ((await findSponsorBalance(db, request.api_key_hash ?? "")) ?? 0n) >= usdE18;
}

/**
 * Charges the sponsor's quoted part in the transaction that signs the fill.
 *
 * @returns false if the balance is too low; then roll back
 */
export async function takeSponsorship(db: Database, request: SponsoredRequest): Promise<boolean> {
  const usdE18 = quotedPayment(request);
  if (usdE18 === 0n) return true;
  return takeSponsorPayment(db, { requestId: request.id, apiKeyHash: request.api_key_hash ?? "", usdE18 });
}

/** Corrects the sponsor's part to the actual cost. Undefined returns it after a failed fill. */
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

/** Excess of a fixed rate over the market rate; negative if the sponsor gains. */
function fixedRateCost({ fees }: Pick<RequestRow, "fees">): bigint {
  return BigInt(fees.fixedRate ?? 0);
}
