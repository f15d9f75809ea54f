import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { isEvmNative } from "@crosscall/protocol/chains";
import { CALL_REQUEST_TYPES } from "@crosscall/protocol/attestation";
import { localAccounts } from "../../devchain/accounts.ts";
import type { DevChain, EvmCall } from "../../devchain/devChain.ts";
import type { RequestRow } from "../../store/tables/requestTables.ts";
import type { TransactionRow } from "../../store/tables/transactionTables.ts";
import { findTransaction } from "../../store/transactions.ts";
import { estimateTransaction } from "../estimateFill.ts";
import { weighRefund } from "../refund.ts";
import { signAndSend } from "../signedTransaction.ts";
import type { SolverParts } from "../solverParts.ts";

/**
 * Withdraws the deposit of a failed request from the depository to its recovery address, once; not if it is worth less
 * than the gas. The live service lets the address withdraw; here the solver sends the withdrawal.
 */
export async function recoverDeposit(
  parts: Pick<SolverParts, "clock" | "currencies" | "log" | "solver" | "store">,
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
): Promise<void> {
  const { db } = parts.store;
  const recoveryAddress = request.recovery_address ?? null;
  if (recoveryAddress === null || deposit.status !== "success") return;
  for (const purpose of ["refund", "recovery"] as const) {
    // A refund that was sent and failed is sent again if a reorg removes its block.
    if ((await findTransaction(db, request.id, purpose)) !== undefined) return;
  }
  const { currency } = deposit;
  const amount = BigInt(deposit.amount);
  const transaction = await withdrawal(chain, request, deposit, recoveryAddress as Address);
  const estimate = await estimateTransaction(parts, chain, transaction);
  if (!estimate.works || (await weighRefund(parts, chain, { currency, amount }, estimate.gas)) !== undefined) {
    parts.log.warn({ requestId: request.id, recoveryAddress }, "a deposit cannot be recovered, and is kept");
    return;
  }
  await signAndSend(parts, {
    requestId: request.id,
    purpose: "recovery",
    chain,
    transaction,
    gas: estimate.gas,
    amount,
    currency,
  });
}

/** Signed by the depository's allocator, whose key is public on local chains. */
async function withdrawal(
  chain: DevChain,
  request: RequestRow,
  deposit: TransactionRow,
  to: Address,
): Promise<EvmCall> {
  const { depository } = chain.contracts;
  const currency = deposit.currency as Address;
  const amount = BigInt(deposit.amount);
  const call = isEvmNative(currency)
    ? { to, data: "0x" as const, value: amount }
    : {
        to: currency,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
        value: 0n,
      };
  const message = { calls: [{ ...call, allowFailure: false }], nonce: BigInt(request.id), expiration: maxUint256 };
  const signature = await localAccounts.allocator.signTypedData({
    domain: { name: "RelayDepository", version: "1", chainId: chain.id, verifyingContract: depository },
    types: CALL_REQUEST_TYPES,
    primaryType: "CallRequest",
    message,
  });
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "execute", args: [message, signature] });
  return { to: depository, data, value: 0n };
}
