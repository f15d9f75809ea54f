import type { Address, Hex } from "viem";

import type { Clock } from "@crosscall/sdk/internal/core/clock";
import type { VmType } from "@crosscall/sdk/internal/protocol/vms/vmCodec";
import type { AdditionalData } from "../chainFiles.ts";
import type { RpcObserver } from "../rpc/chainRpc.ts";

/** A deposit into a depository, as the chain shows it. */
export interface Deposit {
  readonly onchainId: Hex;
  /** As the configuration writes it. */
  readonly depository: string;
  /** 32 bytes; zero where the deposit names none. */
  readonly depositId: Hex;
  readonly depositor: string;
  readonly currency: string;
  /** In the currency's smallest unit. */
  readonly amount: bigint;
  /** Unix seconds of the block. */
  readonly timestamp: number;
}

/** Which transaction to look for deposits in. */
export interface DepositsRequest {
  /** As the caller wrote it. */
  readonly transactionId: string;
  /** Whether fewer blocks are enough where the chain is configured for it. */
  readonly mode: "fast" | "slow";
  /** What helps a family to find the transaction. */
  readonly hints: unknown;
}

/** The deposits of a transaction. */
export interface DepositsAnswer {
  /** In the order in which they happened. */
  readonly deposits: readonly Deposit[];
  /** `fast` where the transaction is not final but deep enough for amounts as small as these. */
  readonly mode: "fast" | "slow";
}

/** Which payments of a solver to look for. */
export interface PaymentsRequest {
  readonly transactionId: string;
  readonly orderId: Hex;
  /** Unix seconds that the transaction's block may not be after. */
  readonly deadline: number;
  /** The order's `extraData` of this output or refund. */
  readonly extraData: Hex;
  readonly recipient: string;
  readonly currency: string;
  readonly hints: unknown;
}

/** Which calls of a solver to look for. */
export interface CallsRequest {
  readonly transactionId: string;
  readonly extraData: Hex;
  /** As the order encodes them. */
  readonly calls: readonly Hex[];
}

/** What became of a withdrawal: 0 pending, 1 executed, 2 expired. */
export type WithdrawalStatus = 0 | 1 | 2;

/** What a withdrawal pays out. */
export interface Payout {
  readonly currency: string;
  readonly recipient: string;
  readonly amount: bigint;
}

/** A withdrawal that a depository is asked for. */
export interface Withdrawal {
  readonly withdrawalId: string;
  /** Unix seconds. */
  readonly expiration: bigint;
  /**
   * What it pays out; read apart, since a depository can be asked for other things, too.
   *
   * @throws {@link MalformedDataError} when it is no payment
   */
  payout(): Payout;
}

/** What helps a family to find what executed a withdrawal. */
export interface WithdrawalHints {
  /** As the caller wrote it. */
  readonly transactionId: string | undefined;
  readonly hints: unknown;
}

/** A chain of some family, as the attestations read it. */
export interface VmChain {
  /**
   * Finds the deposits of a transaction.
   *
   * @throws {@link AttestationRefusedError} when it is missing, reverted or not final
   */
  readDeposits(request: DepositsRequest): Promise<DepositsAnswer>;
  /**
   * Adds up what a transaction pays a recipient.
   *
   * @returns in the currency's smallest unit
   * @throws {@link AttestationRefusedError} when it is missing, reverted, late, not final or of another order
   */
  readPayment(request: PaymentsRequest): Promise<bigint>;
  /** Whether a transaction makes the calls, in their order; families without calls throw. */
  hasMadeCalls(request: CallsRequest): Promise<boolean>;
  /** Reads the payload of a withdrawal; families whose depository takes none throw. */
  decodeWithdrawal(payload: Hex): Withdrawal;
  readWithdrawalStatus(withdrawal: Withdrawal, hints: WithdrawalHints): Promise<WithdrawalStatus>;
  /**
   * The EVM address that signs for an account, where accounts are numbers and have one.
   *
   * @returns undefined when there is no such account
   */
  readonly readSigner?: (account: string) => Promise<string | undefined>;
  /** Closes connections. */
  close(): void;
}

/** What a family opens a chain with. */
export interface VmChainOptions {
  readonly id: string;
  readonly rpcUrls: readonly string[];
  readonly depository: string | undefined;
  /** Further accounts that deposits may go to; left out where there are none. */
  readonly additionalDepositories?: readonly string[];
  readonly additionalData: AdditionalData;
}

/** What every family reads chains with. */
export interface VmTools {
  readonly clock: Clock;
  readonly observer: RpcObserver;
}

/** An entry of the hub's generic mapping. */
export interface MappingValue {
  readonly data: Hex;
  /** Unix seconds of the hub's block. */
  readonly createdAt: number;
}

/** Reads the hub's generic mapping. */
export interface MappingReader {
  /**
   * The entry of a user under an id; undefined where there is none.
   *
   * @throws {@link InvalidStateError} when the configuration names no such contract
   */
  mappingEntry(user: Address, id: Hex): Promise<MappingValue | undefined>;
}

/** What a family reads the hub with, too. */
export interface FamilyTools extends VmTools {
  readonly hub: MappingReader;
}

/** Takes note of a setting that cannot be used: its name, why, and what to do about it as a sentence. */
export type ReportSetting = (setting: string, reason: string, hint: string) => void;

/** A family of chains: what a folder of `vms/` exports. */
export interface VmFamily {
  readonly vmType: VmType;
  /** Whether deposits or fills are told apart by entries of the hub's generic mapping. */
  readonly needsMapping?: boolean;
  /** Endpoints that settings of the family name beside `httpRpcUrl` and `rpcUrls`. */
  readonly furtherUrls?: (settings: AdditionalData) => readonly string[];
  /** Says what is wrong with settings that the schema of the chain files lets pass. */
  readonly checkSettings?: (settings: AdditionalData, report: ReportSetting) => void;
  open(options: VmChainOptions, tools: FamilyTools): VmChain;
}
