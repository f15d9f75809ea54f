import { parseEvmAddress } from "../../../chains/address.ts";
import { parseAmount } from "../../../core/amounts.ts";
import { transferExecutionKey } from "../../../protocol/attestation/execution.ts";
import type { ExecutionAttestation, TransferBody } from "../../../protocol/attestation/messages/transfer.ts";
import { type Derived, deriveExecution } from "./derived.ts";
import type { Trust } from "./trust.ts";

/** What an attestation of a transfer on the hub must be (spec 5, section 2). */
export function deriveTransfer(trust: Trust, request: TransferBody, answer: ExecutionAttestation): Derived {
  const { chainId, currency, ownerChainId, owner, nonce } = request;
  const from = trust.alias(ownerChainId, owner, "attested.request.owner");
  const to = parseEvmAddress(request.recipient.toLowerCase(), "attested.request.recipient");
  const amount = parseAmount(request.amount, "attested.request.amount");
  const tokenId = trust.token(chainId, currency, "attested.request.currency");
  const expected = {
    idempotencyKey: transferExecutionKey(trust.hub.id, tokenId, { from, to, nonce }),
    actions: [{ type: "transfer", from, to, tokenId, amount } as const],
  };
  return { ...deriveExecution(trust.hub, expected, answer.execution), unsigned: [] };
}
