import { type Hex, encodeFunctionData, hexToBigInt, isHex, zeroAddress } from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import { MalformedDataError } from "@crosscall/protocol/core";
import { decodeEvmWithdrawal, hashEvmWithdrawal, withdrawnByEvm } from "@crosscall/protocol/attestation";
import { requireAttested } from "../../attestationRefusedError.ts";
import type { Withdrawal, WithdrawalStatus } from "../vmChain.ts";
import type { EvmDialect } from "./dialect.ts";
import type { EvmChain } from "./evmChain.ts";

/** @throws {@link MalformedDataError} for a malformed payload */
export function decodeWithdrawal(dialect: EvmDialect, payload: Hex): Withdrawal {
  const withdrawal = decodeEvmWithdrawal(payload);
  return {
    payload,
    withdrawalId: hashEvmWithdrawal(withdrawal),
    expiration: withdrawal.expiration,
    payout() {
      const { currency, recipient, amount } = withdrawnByEvm(withdrawal);
      return {
        currency: currency === zeroAddress ? dialect.nativeCurrency : dialect.fromEvm(currency),
        recipient: dialect.fromEvm(recipient),
        amount,
      };
    },
  };
}

/**
 * As of the latest final block: executed if the depository says so; expired only if both that block and the latest,
 * less the time of finality, are past the expiration (spec 5, section 4).
 */
export async function readWithdrawalStatus(
  { dialect, reader, finality, depository }: EvmChain,
  { withdrawalId, expiration }: Withdrawal,
): Promise<WithdrawalStatus> {
  requireAttested(depository !== undefined, "Chain has no depository configured");
  if (!isHex(withdrawalId)) throw malformed("its id is not hex");
  const latest = await reader.latest();
  const finalNumber = Math.max(latest.number - finality.blocks, 0);
  const data = encodeFunctionData({ abi: depositoryAbi, functionName: "callRequests", args: [withdrawalId] });
  const [answer, finalBlock] = await Promise.all([
    reader.call(depository, data, dialect.callsAtPastBlocks ? finalNumber : undefined),
    reader.blockAt(finalNumber),
  ]);
  // An empty result means that there is no contract.
  if (finalBlock === undefined || answer === "0x") throw malformed("the depository returned nothing");
  if (hexToBigInt(answer) === 1n) return 1;
  const isExpired =
    BigInt(finalBlock.timestamp) > expiration && BigInt(latest.timestamp - finality.seconds) > expiration;
  return isExpired ? 2 : 0;
}

function malformed(reason: string): MalformedDataError {
  return new MalformedDataError({ what: "the withdrawal", path: "", reason });
}
