import type { AppFeeClaim, ClaimSteps } from "@crosscall/protocol/complete";
import type { CurrencyTable } from "../../market/currencies.ts";
import { amountObject } from "../../market/quote/buildDetails.ts";
import type { permitsPath } from "../deprecation.ts";
import type { ListedClaim } from "../../store/appFees.ts";

/** The one step of a claim: the wallet signs the id as a message of 32 bytes. */
export function toClaimSteps(id: string, endpoint: ReturnType<typeof permitsPath>): ClaimSteps {
  return {
    steps: [
      {
        id: "authorize",
        action: "Sign authorization",
        description: "Authorize claiming funds",
        kind: "signature",
        items: [
          {
            status: "incomplete",
            data: {
              sign: { signatureKind: "eip191", message: id },
              post: { endpoint, method: "POST", body: { kind: "claim", requestId: id } },
            },
          },
        ],
      },
    ],
  };
}

export function toClaimEntry(currencies: CurrencyTable, row: ListedClaim): AppFeeClaim {
  return {
    claimId: row.id,
    wallet: row.wallet,
    recipient: row.recipient,
    currency: amountObject(BigInt(row.amount), currencies.require(row.chain_id, row.currency)),
    txHash: row.tx_hash,
    status: row.state === "failed" ? "failure" : (row.tx_status ?? "pending"),
    createdAt: row.created_at.toISOString(),
  };
}
