import type { StepItem } from "@crosscall/protocol/complete";
import type { FailReason } from "@crosscall/protocol/request";
import type { StoreTransaction } from "../store/schema.ts";

/** A deposit that a quote requires. */
export interface LedgerDeposit {
  readonly user: string;
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly requestId: string;
  readonly orderId: string;
  /** Public key in hex, if the request has it. */
  readonly publicKey: string | undefined;
  /** Account that pays the transaction's fee; the user by default. */
  readonly feePayer?: string | undefined;
  /** Swap by which the user gets the currency. */
  readonly swap?: DepositSwap | undefined;
}

/** A swap in the transaction of a deposit. It yields at least the amount of the deposit. */
export interface DepositSwap {
  /** Currency that the user pays. */
  readonly input: string;
  readonly amountIn: bigint;
  readonly pools: readonly string[];
  /** Limit of the request, if it has one. */
  readonly maxRouteLength: number | undefined;
}

/** Parameters of a search for a swap. One of the amounts is given, in the smallest unit. */
export type LedgerSwapParameters = {
  readonly input: string;
  readonly output: string;
  readonly maxRouteLength?: number | undefined;
  /** Whether the swap can use a source. */
  readonly allows: (source: string) => boolean;
} & (
  | { readonly amountIn: bigint; readonly amountOut?: never }
  | { readonly amountOut: bigint; readonly amountIn?: never }
);

export interface LedgerSwap {
  readonly source: string;
  readonly amountIn: bigint;
  readonly amountOut: bigint;
  /** Pools from the input to the output. */
  readonly pools: readonly string[];
}

export type LedgerSwapSearch =
  | { readonly kind: "found"; readonly swap: LedgerSwap }
  | { readonly kind: "no-route" }
  /** The pools hold too little, or the amount is too small to yield any output. */
  | { readonly kind: "no-liquidity" };

/** A payment of the solver. */
export interface LedgerPayment {
  /** Key of the payment. Repeated payments with the same key return the first payment's hash. */
  readonly key: string;
  readonly recipient: string;
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
  readonly orderId: string;
  /** Swap by which the solver gets the currency. */
  readonly swap?: PaymentSwap;
}

export interface PaymentSwap {
  readonly source: string;
  /** Currency that the solver holds. */
  readonly currency: string;
  /** Maximum amount that the solver pays, in the smallest unit. */
  readonly maximumIn: bigint;
}

/** A payment that the chain rejects because of its recipient or amount. */
export class PaymentRejectedError extends Error {
  /** Reason to record for a fill that fails because of this payment. */
  readonly failReason: FailReason;

  constructor(message: string, failReason: FailReason) {
    super(message);
    this.failReason = failReason;
  }
}

/** A payment that arrived for a request. */
export interface LedgerArrival {
  readonly requestId: string;
  readonly txHash: string;
  /** Depositor; the user by default. */
  readonly depositor?: string;
  readonly currency: string;
  /** Smallest unit. */
  readonly amount: bigint;
}

/** A link from a transfer, which carries no id, to a request. */
export interface TransferLink {
  readonly requestId: string;
  readonly wallet: string;
  /** Nonce, unique among the wallet's transfers. */
  readonly nonce: number;
}

/** Settings with which an oracle reads the chain, as in its configuration. */
export interface LedgerOracleChain {
  readonly vmType: "bitcoin-vm" | "hyperliquid-vm" | "lighter-vm" | "solana-vm" | "tron-vm";
  readonly httpRpcUrl: string;
  readonly additionalData?: { readonly esploraCompatibleApiUrl: string };
}

/** A simulated chain with balances, transactions and the API that its wallets call. */
export interface Ledger {
  /** Base URL of the API, on loopback. */
  readonly url: string;
  /** URL of the websocket; undefined if the chain has none. */
  readonly websocketUrl?: string;
  /** Settings of the oracles; undefined if the local oracles do not read the chain. */
  readonly oracleChain?: LedgerOracleChain;
  /** Sources of swaps on the chain. Absent if the chain has none. */
  readonly swapSources?: readonly string[];
  /** Finds the best swap for a deposit or a fill at the current prices. Absent if the chain has no swaps. */
  findSwap?(swap: LedgerSwapParameters, purpose: "deposit" | "fill"): Promise<LedgerSwapSearch>;
  /** Returns the balance in the smallest unit. Absent if the ledger does not report balances. */
  balanceOf?(account: string, currency: string): Promise<bigint>;
  /**
   * Returns the native currency that a payment leaves in a new account of the recipient, in the smallest unit. Absent if
   * accounts cost nothing.
   */
  rentOf?(recipient: string, currency: string): Promise<bigint>;
  /** Returns the data of an approval step before the deposit, or undefined if the deposit needs no approval. */
  approvalData?(deposit: Pick<LedgerDeposit, "user" | "currency" | "amount">): Promise<StepItem["data"]>;
  /**
   * Returns the data of the deposit step, which the user's wallet signs, or undefined if the service builds the data.
   */
  depositData(deposit: LedgerDeposit): Promise<StepItem["data"]>;
  /**
   * Links an earlier or a later transfer to a request. Absent if transfers carry the id of their request.
   *
   * @throws {@link InvalidInputError} if the transfer is linked to another request
   */
  link?(link: TransferLink): Promise<void>;
  /**
   * Returns a fresh address. Plain payments to it count as deposits of the request from now on. Absent if the chain has
   * no deposit addresses.
   */
  depositAddress?(requestId: string): string;
  /**
   * Pays once in the caller's database transaction.
   *
   * @returns the hash of the payment
   * @throws {@link PaymentRejectedError} if the chain rejects the payment
   */
  pay(payment: LedgerPayment, db: StoreTransaction): Promise<string>;
  /**
   * Adds to the balance of an account.
   *
   * @param amount amount in the smallest unit
   */
  fund(account: string, currency: string, amount: bigint): Promise<void>;
  /** Returns whether a transaction is known. Absent if the ledger cannot check this. */
  hasTransaction?(hash: string): Promise<boolean>;
  close(): Promise<void>;
}
