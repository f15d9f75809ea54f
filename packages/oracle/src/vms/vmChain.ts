import type { Address, Hex } from "viem";

import type { Clock } from "@crosscall/protocol/core";
import type { VmType } from "@crosscall/protocol/vms";
import type { AdditionalData } from "../chainFiles.ts";
import type { RpcObserver } from "../rpc/chainRpc.ts";

export interface Deposit {
  readonly onchainId: Hex;
  /** Equal for the same deposit, regardless of its chain's names in the configuration. */
  readonly place: string;
  /** As in the configuration. */
  readonly depository: string;
  /** 32 bytes; zero without an id. */
  readonly depositId: Hex;
  readonly depositor: string;
  readonly currency: string;
  /** In the currency's smallest unit. */
  readonly amount: bigint;
  /** Unix seconds of the block. */
  readonly timestamp: number;
}

export interface DepositsRequest {
  /** As the caller wrote it. */
  readonly transactionId: string;
  /** `fast` needs fewer confirmations on chains configured for it. */
  readonly mode: "fast" | "slow";
  /** Family-specific, to locate the transaction. */
  readonly hints: unknown;
}

export interface DepositsResponse {
  /** In order of execution. */
  readonly deposits: readonly Deposit[];
  /** `fast` if the transaction is not final, but deep enough for these amounts. */
  readonly mode: "fast" | "slow";
}

/** A transaction that fills or refunds an order. */
export interface SettlementRequest {
  readonly transactionId: string;
  readonly orderId: Hex;
  /** Latest time of the transaction's block, in Unix seconds. */
  readonly deadline: number;
  /** The order's `extraData` of this output or refund. */
  readonly extraData: Hex;
  /** Family-specific, to locate the transaction. */
  readonly hints: unknown;
}

/** A recipient and a currency, as the order writes them. */
export interface Payee {
  readonly recipient: string;
  readonly currency: string;
}

/** Everything that a transaction pays to one recipient in one currency. */
export interface Payment {
  /** Equal for the same currency, regardless of its chain's names in the configuration. */
  readonly place: string;
  /** Total, in the currency's smallest unit. */
  readonly amount: bigint;
}

/** A final transaction that names exactly one order. */
export interface Settlement {
  /** Equal for the same transaction, regardless of its chain's names in the configuration. */
  readonly place: string;
  /** @throws {@link AttestationRefusedError} if the recipient is a depository: its payments are deposits */
  paidTo(payee: Payee): Payment | Promise<Payment>;
  /**
   * Whether it made the calls, in order; families without calls throw.
   *
   * @param calls as the order encodes them
   */
  hasMadeCalls(calls: readonly Hex[]): boolean;
}

/** 0 pending, 1 executed, 2 expired. */
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
   * Decodes the payment. Separate, since a depository can execute other calls too.
   *
   * @throws {@link MalformedDataError} if it is not a payment
   */
  payout(): Payout;
}

/** Locates the transaction that executed a withdrawal. */
export interface WithdrawalHints {
  /** As the caller wrote it. */
  readonly transactionId: string | undefined;
  readonly hints: unknown;
}

/** An output that a withdrawal spends, as the caller states it. */
export interface SpentOutput {
  readonly txid: string;
  readonly vout: number;
  /** Satoshi, decimal. */
  readonly value: string;
  /** Whom it pays. */
  readonly address: string;
}

export interface VmChain {
  /** @throws {@link AttestationRefusedError} if the transaction is missing, reverted or not final */
  readDeposits(request: DepositsRequest): Promise<DepositsResponse>;
  /**
   * @throws {@link AttestationRefusedError} if the transaction is missing, reverted, late, not final, of another order, or
   * of several orders
   */
  readSettlement(request: SettlementRequest): Promise<Settlement>;
  /** Throws in families without withdrawals. */
  decodeWithdrawal(payload: Hex): Withdrawal;
  readWithdrawalStatus(withdrawal: Withdrawal, hints: WithdrawalHints): Promise<WithdrawalStatus>;
  /** Set for families where the id of an executed withdrawal depends on the transaction. */
  readonly readExecutedId?: (withdrawal: Withdrawal, hints: WithdrawalHints) => Promise<string>;
  /**
   * EVM address that signs for a numbered account.
   *
   * @throws {@link AttestationRefusedError} if there is no such account, or if it has no such address
   */
  readonly readSigner?: (account: string) => Promise<string>;
  /**
   * Set for chains whose withdrawals spend outputs.
   *
   * @throws {@link AttestationRefusedError} for an output that is not final, not as stated, or spent
   */
  readonly requireUnspent?: (outputs: readonly SpentOutput[]) => Promise<void>;
  /**
   * One cheap request, which fails if no endpoint, or too few, can be read, or if one serves another chain.
   *
   * @throws {@link RpcError}
   */
  probe(): Promise<unknown>;
  /**
   * Checks the endpoints' chain without a probe.
   *
   * @throws {@link RpcError} naming an endpoint of another chain
   */
  checkChain(): Promise<void>;
  close(): void;
}

export interface VmChainOptions {
  readonly id: string;
  readonly rpcUrls: readonly string[];
  readonly depository: string | undefined;
  /** Further accounts that accept deposits. */
  readonly additionalDepositories?: readonly string[];
  /** Chain id of the nodes, on EVM chains. */
  readonly hubChainId?: number | string;
  readonly additionalData: AdditionalData;
}

export interface VmTools {
  readonly clock: Clock;
  readonly observer: RpcObserver;
}

export interface MappingValue {
  readonly data: Hex;
  /** Unix seconds of the hub's block. */
  readonly createdAt: number;
}

export interface MappingReader {
  /**
   * Undefined if there is none.
   *
   * @throws {@link InvalidStateError} if the configuration lacks the contract
   */
  mappingEntry(user: Address, id: Hex): Promise<MappingValue | undefined>;
}

export interface FamilyTools extends VmTools {
  readonly hub: MappingReader;
}

/** Name of the setting, reason, and hint. */
export type ReportSetting = (setting: string, reason: string, hint: string) => void;

export interface VmFamily {
  readonly vmType: VmType;
  /** Whether deposits or fills need the hub's generic mapping. */
  readonly needsMapping?: boolean;
  /** Endpoints from the family's settings besides `httpRpcUrl` and `rpcUrls`, by setting. */
  readonly furtherUrls?: (settings: AdditionalData) => Readonly<Record<string, string>>;
  /** Returns the URL whose host identifies the endpoint's provider; its own URL if absent. */
  readonly providerUrl?: (url: string) => string;
  /**
   * Checks beyond the schema of the chain files.
   *
   * @param warn for settings that have no effect
   */
  readonly checkSettings?: (settings: AdditionalData, report: ReportSetting, warn: ReportSetting) => void;
  open(options: VmChainOptions, tools: FamilyTools): VmChain;
}
