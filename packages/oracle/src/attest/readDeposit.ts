import { AttestationRefusedError } from "../attestationRefusedError.ts";
import type { OracleContext } from "../oracleContext.ts";
import type { Deposit } from "../vms/vmChain.ts";

export interface DepositReference {
  readonly chainId: string;
  readonly transactionId: string;
  readonly onchainId: string;
  readonly hints: unknown;
}

/** @throws {@link AttestationRefusedError} if the transaction has no such deposit, or cannot be attested */
export async function readDeposit(
  { chains }: OracleContext,
  { chainId, transactionId, onchainId, hints }: DepositReference,
): Promise<Deposit> {
  const { deposits } = await chains.vm(chainId).readDeposits({ transactionId, mode: "slow", hints });
  const deposit = deposits.find((other) => other.onchainId === onchainId);
  if (deposit !== undefined) return deposit;
  throw new AttestationRefusedError(`Deposit with onchainId ${onchainId} not found in transaction`);
}
