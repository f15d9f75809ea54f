import type { AuthorizationFields, OwnerOrder } from "@crosscall/protocol/attestation";
import type { Order } from "@crosscall/protocol/order";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { requireOwnerSignature } from "./ownerSignature.ts";
import { readDeposit } from "./readDeposit.ts";
import { requireUnsettledOrder } from "./requireUnsettledOrder.ts";

export interface AuthorizationRequest {
  readonly withdrawal: Omit<OwnerOrder, "operation">;
  readonly authorization: AuthorizationFields;
  /** The called path, for the log. */
  readonly endpoint: string;
}

/**
 * Requires the owner's signature or, in recover mode, an unsettled order whose refund is exactly this withdrawal (spec
 * 5, section 4).
 *
 * @throws {@link AttestationRefusedError} if it is not authorized
 */
export async function requireAuthorization(context: OracleContext, request: AuthorizationRequest): Promise<void> {
  const { withdrawal, authorization, endpoint } = request;
  const { recoverMode, ownerSignature } = authorization;
  if (recoverMode !== true) {
    requireAttested(ownerSignature !== undefined, "ownerSignature is required");
    await requireOwnerSignature(context, { operation: "withdrawal", ...withdrawal }, ownerSignature);
    return;
  }
  const recovery = readRecovery(authorization);
  await requireRefund(context, withdrawal, recovery);
  const { order: _order, orderSignature: _signature, ...deposit } = recovery;
  // No signature covers this, so each use is logged.
  context.log.info({ endpoint, ...deposit, ...withdrawal }, "a withdrawal was authorized in recover mode");
}

interface Recovery {
  readonly depositChainId: string;
  readonly depositTransactionId: string;
  readonly depositOnchainId: string;
  readonly order: Order;
  readonly orderSignature: string;
}

function readRecovery(fields: AuthorizationFields): Recovery {
  const { depositChainId, depositTransactionId, depositOnchainId, order, orderSignature } = fields;
  if (
    depositChainId === undefined ||
    depositTransactionId === undefined ||
    depositOnchainId === undefined ||
    order === undefined ||
    orderSignature === undefined
  ) {
    throw new AttestationRefusedError(
      "recoverMode requires depositChainId, depositTransactionId, depositOnchainId, order, and orderSignature",
    );
  }
  return { depositChainId, depositTransactionId, depositOnchainId, order, orderSignature };
}

async function requireRefund(
  context: OracleContext,
  { chainId, currency, amount, recipient, ownerChainId, owner }: AuthorizationRequest["withdrawal"],
  { depositChainId, depositTransactionId, depositOnchainId, order, orderSignature }: Recovery,
): Promise<void> {
  const { chains } = context;
  const [input, ...others] = order.inputs;
  if (input === undefined || others.length > 0) {
    throw new AttestationRefusedError("recoverMode only supports single-input orders");
  }
  const deposit = await readDeposit(context, {
    chainId: depositChainId,
    transactionId: depositTransactionId,
    onchainId: depositOnchainId,
    hints: undefined,
  });
  await requireUnsettledOrder(context, deposit, order, orderSignature);

  const { codec } = chains.get(chainId);
  const isSame = (a: string, b: string): boolean => codec.encodeAddress(a, "order") === codec.encodeAddress(b, "order");
  const refunds = input.refunds.filter((other) => other.chainId === chainId && isSame(other.currency, currency));
  const [refund] = refunds;
  if (refund === undefined || refunds.length > 1) {
    throw new AttestationRefusedError(
      `Expected exactly 1 refund entry for chain ${chainId} currency ${currency}, got ${refunds.length}`,
    );
  }
  // As recipient, the native currency's name means the depositor; no key owns that address.
  requireAttested(!isSame(refund.recipient, codec.nativeCurrency), "Recipient does not match the order refund entry");
  requireAttested(isSame(recipient, refund.recipient), "Recipient does not match the order refund entry");
  requireAttested(
    BigInt(amount) === deposit.amount,
    "Amount does not match the deposit amount (slow refund is full-amount only)",
  );
  requireAttested(ownerChainId === depositChainId, "Owner chain does not match the deposit chain");
  const isDepositor =
    chains.encode(ownerChainId, owner, "owner") === chains.encode(depositChainId, deposit.depositor, "depositor");
  requireAttested(isDepositor, "Owner does not match the deposit's depositor");
}
