import type { Address, Hex } from "viem";

import type { Clock } from "@crosscall/sdk/internal/core/clock";
import type { VmType } from "@crosscall/sdk/internal/protocol/vms/vmCodec";
import type { AdditionalData } from "../chainFiles.ts";
import type { RpcObserver } from "../rpc/chainRpc.ts";

export interface Deposit {
  readonly onchainId: Hex;
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

export interface DepositsAnswer {
  /** In order of execution. */
  readonly deposits: readonly Deposit[];
  /** `fast` if the transaction is not final, but deep enough for these amounts. */
  readonly mode: "fast" | "slow";
}

/** A transaction that fills or refunds an order. */
export interface SettlementRequest {
  readonly transactionId: string;
  readonly orderId: Hex;
  /** The transaction's block must not be later; Unix seconds. */
  readonly deadline: number;
  /** The order's `extraData` of this output or refund. */
  readonly extraData: Hex;
}

export interface PaymentsRequest extends SettlementRequest {
  readonly recipient: string;
  readonly currency: string;
  readonly hints: unknown;
}

export interface CallsRequest extends SettlementRequest {
  /** As the order encodes them. */
  readonly calls: readonly Hex[];
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
  /**
   * Decoded separately, since a depository can execute other calls too.
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
  readDeposits(request: DepositsRequest): Promise<DepositsAnswer>;
  /**
   * @returns total, in the currency's smallest unit
   *
   * @throws {@link AttestationRefusedError} if the transaction is missing, reverted, late, not final or of another
   * order
   */
  readPayment(request: PaymentsRequest): Promise<bigint>;
  /**
   * In order; families without calls throw.
   *
   * @throws {@link AttestationRefusedError} if the transaction is missing, reverted, late, not final or of another
   * order
   */
  hasMadeCalls(request: CallsRequest): Promise<boolean>;
  /** Families without withdrawals throw. */
  decodeWithdrawal(payload: Hex): Withdrawal;
  readWithdrawalStatus(withdrawal: Withdrawal, hints: WithdrawalHints): Promise<WithdrawalStatus>;
  /**
   * EVM address that signs for a numbered account.
   *
   * @returns undefined if there is no such account
   */
  readonly readSigner?: (account: string) => Promise<string | undefined>;
  /**
   * For chains whose withdrawals spend outputs.
   *
   * @throws {@link AttestationRefusedError} for an output that is not final, not as stated, or spent
   */
  readonly requireUnspent?: (outputs: readonly SpentOutput[]) => Promise<void>;
  /**
   * One cheap request, which fails if no endpoint, or too few, can be read.
   *
   * @throws {@link RpcError}
   */
  probe(): Promise<unknown>;
  close(): void;
}

export interface VmChainOptions {
  readonly id: string;
  readonly rpcUrls: readonly string[];
  readonly depository: string | undefined;
  /** Further accounts that accept deposits. */
  readonly additionalDepositories?: readonly string[];
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
   * @throws {@link InvalidStateError} if the configuration has no such contract
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
  /** Endpoints from the family's settings besides `httpRpcUrl` and `rpcUrls`. */
  readonly furtherUrls?: (settings: AdditionalData) => readonly string[];
  /**
   * Checks beyond the schema of the chain files.
   *
   * @param warn for settings that have no effect
   */
  readonly checkSettings?: (settings: AdditionalData, report: ReportSetting, warn: ReportSetting) => void;
  open(options: VmChainOptions, tools: FamilyTools): VmChain;
}
