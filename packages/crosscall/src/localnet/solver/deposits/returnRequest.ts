import { concat, type Hex, keccak256, numberToHex } from "viem";

import { encodeFillContract, type Order } from "@crosscall/protocol/order";
import type { FailReason } from "@crosscall/protocol/request";
import { storeUnquoted } from "../../market/storeUnquoted.ts";
import type { DepositRow } from "../../store/deposits.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import type { Database } from "../../store/schema.ts";
import { inputIndexOf } from "../inputs.ts";
import { findRefundRecipient } from "../refund.ts";
import type { ChainReader, Payer, Pricer, Signer } from "../solverParts.ts";

export interface ReturnParameters {
  readonly deposit: DepositRow;
  /** Request of the deposit's order. */
  readonly parent: RequestRow | undefined;
  readonly reason: FailReason;
}

/**
 * Creates a request that returns a deposit to the parent's refund address. A deposit that pays no input returns to the
 * depositor. Its id is derived from
 * the deposit, so that a deposit is returned once.
 *
 * @returns the id
 */
export async function insertReturnRequest(
  parts: ChainReader & Signer & Pricer,
  db: Database,
  { deposit, parent, reason }: ReturnParameters,
): Promise<string> {
  const id = keccak256(
    concat([deposit.order_id as Hex, deposit.tx_hash as Hex, numberToHex(deposit.position, { size: 32 })]),
  );
  const inputIndex = parent && inputIndexOf(parts, parent, deposit);
  const receiver =
    parent === undefined || inputIndex === undefined
      ? deposit.depositor
      : ((await findRefundRecipient(db, parent, inputIndex)) ?? parent.user);
  await storeUnquoted(parts, db, {
    id,
    // The orderId belongs to the first request of the order. Only the return for an unknown order uses it.
    order_id: parent === undefined ? deposit.order_id : keccak256(id),
    user: deposit.depositor,
    recipient: receiver,
    request_type: "Send",
    referrer: parent?.referrer ?? null,
    api_key_hash: parent?.api_key_hash ?? null,
    parent_request_id: parent?.id ?? null,
    operation: "bridge",
    input: parts.currencies.require(deposit.chain_id, deposit.currency),
    amount: BigInt(deposit.amount),
    depositBlock: deposit.block_number,
    order: parent?.order_data ?? orderOf(parts, deposit, receiver),
  });
  const at = new Date(parts.clock.now());
  await transition(db, { requestId: id, from: ["waiting"], to: "pending", at, set: { fail_reason: reason } });
  return id;
}

/** Returns a placeholder order, because the request is never filled. */
function orderOf(parts: ChainReader & Payer, deposit: DepositRow, receiver: string): Order {
  const chain = parts.chains.get(deposit.chain_id);
  const chainId = chain?.protocolChainId ?? String(deposit.chain_id);
  const extraData = chain === undefined ? "0x" : encodeFillContract(chain.contracts.router);
  const { currency, amount } = deposit;
  return {
    version: "v1",
    solverChainId: chainId,
    solver: parts.solver.address,
    salt: deposit.order_id,
    inputs: [
      {
        payment: { chainId, currency, amount, weight: "1" },
        refunds: [{ chainId, recipient: receiver, currency, minimumAmount: "0", deadline: 0, extraData }],
      },
    ],
    output: { chainId, payments: [], calls: [], deadline: 0, extraData },
    fees: [],
  };
}
