import type { Address, Hex } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import type { VmType } from "@crosscall/protocol/vms";
import type { AdditionalData } from "../chainFiles.ts";
import type { RpcObserver } from "../rpc/chainRpc.ts";

export interface Deposit {
  readonly onchainId: Hex;
  /** Key of the deposit, which does not depend on the chain's name in the configuration. */
  readonly place: string;
  /** Depository as written in the configuration. */
  readonly depository: string;
  /** Id of 32 bytes; zero if the deposit has none. */
  readonly depositId: Hex;
  readonly depositor: string;
  readonly currency: string;
  /** Amount in the currency's smallest unit. */
  readonly amount: bigint;
  /** Time of the block in Unix seconds. */
  readonly timestamp: number;
}

export interface DepositsRequest {
  /** Transaction id as written by the caller. */
  readonly transactionId: string;
  /** Mode. `fast` needs fewer confirmations on chains that are configured for it. */
  readonly mode: "fast" | "slow";
  /** Family-specific hints to locate the transaction. */
  readonly hints: unknown;
}

export interface DepositsResponse {
  /** Deposits in order of execution. */
  readonly deposits: readonly Deposit[];
  /** Applied mode: `fast` if the transaction is not final, but deep enough for these amounts. */
  readonly mode: "fast" | "slow";
}

/** A transaction that fills or refunds an order. */
export interface SettlementRequest {
  readonly transactionId: string;
  readonly orderId: Hex;
  /** Latest allowed time of the transaction's block, in Unix seconds. */
  readonly deadline: number;
  /** `extraData` of the order's output or refund. */
  readonly extraData: Hex;
  /** Family-specific hints to locate the transaction. */
  readonly hints: unknown;
}

/** A recipient and a currency, as written in the order. */
export interface Payee {
  readonly recipient: string;
  readonly currency: string;
}

/** All payments in a transaction to one recipient in one currency. */
export interface Payment {
  /** Key of the payment, which does not depend on the chain's name in the configuration. */
  readonly place: string;
  /** Total amount in the currency's smallest unit. */
  readonly amount: bigint;
}

/** A final transaction that contains exactly one orderId. */
export interface Settlement {
  /** Key of the transaction, which does not depend on the chain's name in the configuration. */
  readonly place: string;
  /**
   * Depository into which the transaction is a deposit for the order. What such a transaction pays to the depositor,
   * such as change, is the depositor's own.
   */
  readonly depositedInto?: string | undefined;
  /** @throws {@link AttestationRefusedError} if the recipient is a depository, because payments to it are deposits */
  paidTo(payee: Payee): Payment | Promise<Payment>;
  /**
   * Returns whether the transaction made the calls, in order. Throws in families without calls.
   *
   * @param calls calls as encoded in the order
   */
  hasMadeCalls(calls: readonly Hex[]): boolean;
}

/** Status: 0 is pending, 1 executed, 2 expired. */
export type WithdrawalStatus = 0 | 1 | 2;

export interface Payout {
  readonly currency: string;
  readonly recipient: string;
  readonly amount: bigint;
}

export interface Withdrawal {
  readonly payload: Hex;
  readonly withdrawalId: string;
  /** Unix seconds. */
  readonly expiration: bigint;
  /** Number of hashes that the allocator signs; 1 by default. */
  readonly hashCount?: number;
  /**
   * Decodes the payment. This is a separate method, because a depository can also execute other calls.
   *
   * @throws {@link MalformedDataError} if the payload is not a payment
   */
  payout(): Payout;
}

/** Hints that locate the transaction that executed a withdrawal. */
export interface WithdrawalHints {
  /** Depository of the withdrawal, as written in the configuration; the primary depository by default. */
  readonly depository?: string;
  /** Transaction id as written by the caller. */
  readonly transactionId: string | undefined;
  readonly hints: unknown;
}

/** An output that a withdrawal spends, as stated by the caller. */
export interface SpentOutput {
  readonly txid: string;
  readonly vout: number;
  /** Satoshi, decimal. */
  readonly value: string;
  /** Address that the output pays. */
  readonly address: string;
}

export interface VmChain {
  /** @throws {@link AttestationRefusedError} if the transaction is missing, reverted or not final */
  readDeposits(request: DepositsRequest): Promise<DepositsResponse>;
  /**
   * @throws {@link AttestationRefusedError} if the transaction is missing, reverted, late or not final, or if it
   * contains another orderId or several
   */
  readSettlement(request: SettlementRequest): Promise<Settlement>;
  /** Decodes a withdrawal. Throws in families without withdrawals. */
  decodeWithdrawal(payload: Hex): Withdrawal;
  readWithdrawalStatus(withdrawal: Withdrawal, hints: WithdrawalHints): Promise<WithdrawalStatus>;
  /** Returns the id of an executed withdrawal, for families in which it depends on the transaction. */
  readonly readExecutedId?: (withdrawal: Withdrawal, hints: WithdrawalHints) => Promise<string>;
  /**
   * Returns the EVM address that signs for a numbered account.
   *
   * @throws {@link AttestationRefusedError} if the account does not exist or has no EVM address
   */
  readonly readSigner?: (account: string) => Promise<string>;
  /**
   * Checks an output to spend, for chains with withdrawals that spend outputs.
   *
   * @throws {@link AttestationRefusedError} for an output that is not final, not as stated, or spent
   */
  readonly requireUnspent?: (outputs: readonly SpentOutput[]) => Promise<void>;
  /**
   * Sends one cheap request. It fails if too few endpoints can be read, or if one serves another chain.
   *
   * @throws {@link RpcError}
   */
  probe(): Promise<unknown>;
  /**
   * Checks the chain of the endpoints without a probe.
   *
   * @throws {@link RpcError} that names an endpoint of another chain
   */
  checkChain(): Promise<void>;
  close(): void;
}

export interface VmChainOptions {
  readonly id: string;
  readonly rpcUrls: readonly string[];
  readonly depository: string | undefined;
  /** Additional accounts that accept deposits. */
  readonly additionalDepositories?: readonly string[];
  /** Chain id of the nodes; only for EVM chains. */
  readonly hubChainId?: number | string;
  readonly additionalData: AdditionalData;
}

export interface VmTools {
  readonly clock: Clock;
  readonly observer: RpcObserver;
}

export interface MappingValue {
  readonly data: Hex;
  /** Time of the hub's block in Unix seconds. */
  readonly createdAt: number;
}

export interface MappingReader {
  /**
   * Reads a generic mapping from the hub. Returns undefined if there is none.
   *
   * @throws {@link InvalidStateError} if the configuration lacks the contract
   */
  mappingEntry(user: Address, id: Hex): Promise<MappingValue | undefined>;
}

export interface FamilyTools extends VmTools {
  readonly hub: MappingReader;
}

/** Reports a problem: name of the setting, reason and hint. */
export type ReportSetting = (setting: string, reason: string, hint: string) => void;

export interface VmFamily {
  readonly vmType: VmType;
  /** Whether deposits or fills need the hub's generic mapping. */
  readonly needsMapping?: boolean;
  /** Returns additional endpoints from the family's settings, other than `httpRpcUrl` and `rpcUrls`, by setting. */
  readonly furtherUrls?: (settings: AdditionalData) => Readonly<Record<string, string>>;
  /**
   * Returns the URL with the host that identifies an endpoint's provider. If undefined, the endpoint's own URL is used.
   */
  readonly providerUrl?: (url: string) => string;
  /**
   * Runs checks in addition to the schema of the chain files.
   *
   * @param warn reports settings that have no effect
   */
  readonly checkSettings?: (settings: AdditionalData, report: ReportSetting, warn: ReportSetting) => void;
  open(options: VmChainOptions, tools: FamilyTools): VmChain;
}
