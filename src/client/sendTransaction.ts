import { type Account, type Address, BaseError, type Chain, type Hex, type Transport, type WalletClient } from "viem";
import { sendTransaction as send } from "viem/actions";

import { waitForInclusion } from "../chains/waitForInclusion.ts";
import { TransactionFailedError } from "../core/errors.ts";

/** A transaction that is not included after ten minutes needs a person. */
const INCLUSION_TIMEOUT_MS = 600_000;

/** What {@link sendTransaction} takes. */
export interface SendTransactionParameters {
  readonly to: Address;
  readonly data: Hex;
  /** Wei. */
  readonly value: bigint;
  readonly signal?: AbortSignal | undefined;
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
 * Sends a transaction from a wallet on the wallet's chain and waits until it is included.
 *
 * @throws {@link TransactionFailedError} without `txHash` when it is refused and so was not sent; with `txHash` when it
 * was sent, and reverted or was not seen included
 * @throws {@link AbortedError} when the signal fires; what was sent stays sent
 */
export async function sendTransaction(
  wallet: WalletClient<Transport, Chain, Account>,
  { to, data, value, signal, onSent }: SendTransactionParameters,
): Promise<SentTransaction> {
  const chainId = wallet.chain.id;
  const txHash = await failAs(send(wallet, { to, data, value }), (error) => ({
    message: `a transaction to ${to} on chain ${chainId} could not be sent: ${error.shortMessage}`,
    cure: "Check the wallet's native balance for value and gas, and its token balance and allowance.",
    chainId,
  }));
  onSent?.(txHash);
  const receipt = await failAs(
    waitForInclusion(wallet, { hash: txHash, timeoutMs: INCLUSION_TIMEOUT_MS, signal }),
    (error) => ({
      message: `transaction ${txHash} on chain ${chainId} was sent, but not seen included: ${error.shortMessage}`,
      cure: "Do not send it again: look its hash up on the chain first.",
      chainId,
      txHash,
    }),
  );
  if (receipt.status === "success") return { chainId, txHash, gasUsed: receipt.gasUsed };
  throw new TransactionFailedError({
    message: `transaction ${txHash} on chain ${chainId} reverted`,
    cure: "Look at its trace; quote again before another try.",
    chainId,
    txHash,
  });
}

type Failure = Omit<ConstructorParameters<typeof TransactionFailedError>[0], "cause">;

async function failAs<Result>(work: Promise<Result>, describe: (error: BaseError) => Failure): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    throw new TransactionFailedError({ ...describe(error), cause: error });
  }
}
