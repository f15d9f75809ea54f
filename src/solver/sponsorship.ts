import { mapFees, type FeesUsd } from "@crosscall/sdk/internal/protocol/fees/feeComponents";
import { sponsoredFees } from "../market/actualFees.ts";
import { findSponsorBalance, settleSponsorPayment, takeSponsorPayment } from "../store/sponsors.ts";
import type { Database } from "../store/store.ts";
import type { RequestRow } from "../store/tables/requestTables.ts";

type SponsoredRequest = Pick<RequestRow, "id" | "api_key_hash" | "fees">;

/** Whether the sponsor of a request still has what the quote says it pays; a request without sponsor needs none. */
export async function canSponsor(db: Database, request: SponsoredRequest): Promise<boolean> {
  const usdE18 = quotedPayment(request);
  if (usdE18 === 0n) return true;
  return ((await findSponsorBalance(db, request.api_key_hash ?? "")) ?? 0n) >= usdE18;
}

/**
 * Takes the sponsor's part, as quoted, in the transaction that signs the fill.
 *
 * @returns false where the balance is too low: the caller must then roll back
 */
export async function takeSponsorship(db: Database, request: SponsoredRequest): Promise<boolean> {
  const usdE18 = quotedPayment(request);
  if (usdE18 === 0n) return true;
  return takeSponsorPayment(db, { requestId: request.id, apiKeyHash: request.api_key_hash ?? "", usdE18 });
}

/** Makes the sponsor's part what the fill came to; undefined gives it back, for a fill that failed. */
export async function settleSponsorship(
  db: Database,
  request: SponsoredRequest,
  actual: FeesUsd | undefined,
): Promise<void> {
  if (quotedPayment(request) === 0n) return;
  const usdE18 = actual === undefined ? 0n : sponsoredFees(request, actual).sponsoredTotalUsdE18;
  await settleSponsorPayment(db, request.id, usdE18);
}

function quotedPayment(request: Pick<RequestRow, "fees">): bigint {
  return sponsoredFees(request, mapFees(request.fees, BigInt)).sponsoredTotalUsdE18;
}
