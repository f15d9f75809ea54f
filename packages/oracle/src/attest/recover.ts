import { zeroHash } from "viem";

import { type ExecutionAttestation, type RecoverBody, recoverExecutionKey } from "@crosscall/protocol/attestation";
import { AttestationRefusedError, requireAttested } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import { creditedAccount, depositedToken, readDeposit } from "./deposits.ts";
import { requireUnsettledOrder } from "./order.ts";
import { signExecution } from "./signedExecution.ts";

/** Age after which a deposit can be returned without the solver's statement, in seconds. */
const WAIT_SECONDS = 7 * 24 * 60 * 60;

/** Attests that the deposit of an unsettled order returns to its depositor. */
export async function attestRecover(context: OracleContext, body: RecoverBody): Promise<ExecutionAttestation> {
  const { chainId, transactionId, onchainId, order, orderSignature, hints } = body;
  const { chains, hubReader, clock } = context;
  const deposit = await readDeposit(context, { chainId, transactionId, onchainId, hints });
  requireAttested(deposit.depositId !== zeroHash, "Deposit does not have a depositId");
  const [from, tokenId] = [creditedAccount(context, chainId, deposit), depositedToken(context, chainId, deposit)];
  const { amount } = deposit;
  const balance = await hubReader.balanceOf(from, tokenId);
  requireAttested(balance >= amount, "Insufficient balance at order address for recovery");
  const age = Math.floor(clock.now() / 1000) - deposit.timestamp;
  if (age <= WAIT_SECONDS) {
    if (order === undefined || orderSignature === undefined) {
      throw new AttestationRefusedError("Order data and signature are required for deposits less than 7 days old");
    }
    await requireUnsettledOrder(context, deposit, order, orderSignature);
  }
  return {
    execution: await signExecution(context, {
      idempotencyKey: recoverExecutionKey(deposit.onchainId),
      actions: [{ type: "transfer", from, to: chains.alias(chainId, deposit.depositor), tokenId, amount }],
    }),
  };
}
