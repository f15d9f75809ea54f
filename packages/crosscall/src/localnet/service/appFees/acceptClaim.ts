import { type Address, type Hex, isHex } from "viem";
import { verifyMessage } from "viem/actions";

import { readAppFeeBalance } from "../../market/appFeeBalance.ts";
import { refusePlain } from "../../market/refusal.ts";
import { findClaim, lockAppFees, moveClaim } from "../../store/appFees.ts";
import type { ServiceParts } from "../serviceParts.ts";

/**
 * Authorizes a claim by the wallet's signature of its id, once. Smart wallets sign by EIP-1271 on the chain of the
 * claim.
 *
 * @throws {@link RefusalError} if the signature is not the wallet's, or the claim is used, too old or too large
 */
export async function acceptClaim(
  parts: Pick<ServiceParts, "chains" | "clock" | "currencies" | "quoteTtlMs" | "store">,
  { requestId, signature }: { readonly requestId: string; readonly signature: string },
): Promise<void> {
  const claim = await findClaim(parts.store.db, requestId);
  const chain = claim === undefined ? undefined : parts.chains.get(claim.chain_id);
  if (claim === undefined || chain === undefined) throw refusePlain(400, "The claim does not exist.");
  const isValid =
    isHex(signature) &&
    (await verifyMessage(chain.client, {
      address: claim.wallet as Address,
      message: { raw: claim.id as Hex },
      signature,
    }));
  if (!isValid) throw refusePlain(400, "The signature is not by the wallet of the claim.");
  if (parts.clock.now() > claim.created_at.getTime() + parts.quoteTtlMs)
    throw refusePlain(400, "The claim has expired.");
  await parts.store.db.transaction().execute(async (db) => {
    await lockAppFees(db, claim.wallet);
    const isOpen = (await findClaim(db, claim.id))?.state === "quoted";
    if (!isOpen) throw refusePlain(400, "The claim was authorized already.");
    const balance = await readAppFeeBalance(parts, db, claim.wallet);
    if (BigInt(claim.usd_e18) > balance) throw refusePlain(400, "Insufficient app fee balance.");
    await moveClaim(db, claim.id, "quoted", "authorized");
    await parts.store.jobs.add({ requestId: claim.id }, db);
  });
}
