import { type Account, type Address, BaseError, type Chain, type Hex, type Transport, type WalletClient } from "viem";
import { getChainId, sendTransaction as send, waitForTransactionReceipt } from "viem/actions";

import { TransactionFailedError, WrongChainError } from "../core/errors.ts";

/** What {@link sendTransaction} takes. */
export interface SendTransactionParameters {
  readonly chainId: number;
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  /** Told the hash as soon as the transaction is sent. */
  readonly onSent?: (txHash: Hex) => void;
}

/** A transaction that was included and succeeded. */
export interface SentTransaction {
  readonly chainId: number;
  readonly txHash: Hex;
  readonly gasUsed: bigint;
}

/**
 * Sends a transaction from a wallet and waits until it is included.
 *
 * @throws {@link WrongChainError} when the wallet is on another chain; nothing is sent then
 * @throws {@link TransactionFailedError} when it is refused, or reverts
 */
export async function sendTransaction(
  wallet: WalletClient<Transport, Chain, Account>,
  { chainId, to, data, value, onSent }: SendTransactionParameters,
): Promise<SentTransaction> {
  try {
    const actualChainId = await getChainId(wallet);
    if (actualChainId !== chainId) {
      throw new WrongChainError({ what: "the wallet", expectedChainId: chainId, actualChainId });
    }
    const txHash = await send(wallet, { to, data, value });
    onSent?.(txHash);
    const receipt = await waitForTransactionReceipt(wallet, { hash: txHash });
    if (receipt.status === "success") return { chainId, txHash, gasUsed: receipt.gasUsed };
    throw new TransactionFailedError({
      message: `transaction ${txHash} on chain ${chainId} reverted`,
      cure: "Look at its trace; quote again before another try.",
      chainId,
      txHash,
    });
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throw new TransactionFailedError({
      message: `a transaction to ${to} on chain ${chainId} could not be sent: ${error.shortMessage}`,
      cure: "Check the wallet's native balance for value and gas, and its token balance and allowance.",
      chainId,
      cause: error,
    });
  }
}
