import { formatAmount } from "@crosscall/protocol/encoding";

/** Argument of an instruction. */
export interface SvmArgument {
  readonly name: string;
  /** Integer in decimal and the smallest unit, address in base58, bytes in hex, or text. */
  readonly value: string;
  /** The value with its unit, if it is an amount of a known currency. */
  readonly text: string;
}

/** Account of an instruction. */
export interface SvmAccount {
  readonly address: string;
  /** Name in the program's interface; undefined if unknown. */
  readonly name: string | undefined;
}

/** An instruction of the transaction, or of a program. */
export interface SvmCall {
  /** Positions from 0: `[2]` is an instruction of the transaction, `[2, 0]` its first call to another program. */
  readonly path: readonly number[];
  readonly program: string;
  /** Name of the program; undefined if unknown. */
  readonly programName: string | undefined;
  /** Name of the instruction; undefined if unknown. */
  readonly name: string | undefined;
  readonly arguments: readonly SvmArgument[];
  readonly accounts: readonly SvmAccount[];
  /** Data in hex, or in base58 if it is too long to decode. */
  readonly data: string;
  /** Undefined if the logs do not state them. */
  readonly computeUnits: number | undefined;
  /** Error in the logs; undefined if the call succeeded or did not run. */
  readonly error: string | undefined;
  readonly calls: readonly SvmCall[];
}

/** Balance before and after the transaction, in the smallest unit. */
export interface SvmBalanceChange {
  readonly account: string;
  /** Owner of a token account; undefined for native currency, or if the node does not report it. */
  readonly owner: string | undefined;
  /** The mint, or the system program for native currency. */
  readonly currency: string;
  readonly before: bigint;
  readonly after: bigint;
  /** Whether the amounts are exact. JSON numbers of 2^53 and more are rounded. */
  readonly isExact: boolean;
}

/** Why a transaction failed. */
export interface SvmFailure {
  /** The error as the node reports it. */
  readonly error: unknown;
  /** Instruction that failed; empty if the chain rejected the whole transaction. */
  readonly path: readonly number[];
  /** Program that returned the error; undefined if the chain did. */
  readonly program: string | undefined;
  /** Number of an error that the program defines. */
  readonly number: number | undefined;
  /** Name of the error, such as `InsufficientFunds`; undefined if unknown. */
  readonly name: string | undefined;
  /** What the error means here. */
  readonly reason: string;
  /** How to fix it. */
  readonly hint: string;
}

export interface SvmCurrency {
  /** The mint, or the system program for native currency. */
  readonly address: string;
  readonly symbol: string;
  readonly decimals: number;
}

/** Where a report comes from: a block, or a simulation on the current state. */
export type SvmSource =
  | {
      readonly kind: "transaction";
      readonly signature: string;
      readonly slot: number;
      /** Unix seconds; undefined if the node does not report it. */
      readonly blockTime: number | undefined;
    }
  | { readonly kind: "simulation" };

export interface SvmUsedAccount {
  readonly address: string;
  /** Name from the caller, or from the first instruction that uses the account. */
  readonly name: string | undefined;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** What a transaction of an SVM chain did, and why it failed. */
export interface SvmReport {
  readonly source: SvmSource;
  /** Undefined if the transaction succeeded. */
  readonly failure: SvmFailure | undefined;
  readonly feePayer: string;
  /** In lamports; undefined for a simulation whose node does not report it. */
  readonly fee: bigint | undefined;
  readonly computeUnits: number | undefined;
  readonly instructions: readonly SvmCall[];
  /** Whether the node recorded the calls between programs. */
  readonly hasInnerCalls: boolean;
  readonly balances: readonly SvmBalanceChange[];
  readonly accounts: readonly SvmUsedAccount[];
  readonly currencies: readonly SvmCurrency[];
  readonly logs: readonly string[];
}

/** Names that the caller knows. */
export interface SvmNames {
  /** By address. */
  readonly accounts?: Readonly<Record<string, string>>;
  readonly currencies?: readonly SvmCurrency[];
}

/** A token account, with its balances before and after the transaction. */
export interface HeldToken {
  readonly mint: string;
  readonly owner: string | undefined;
  readonly decimals: number;
  readonly before: bigint;
  readonly after: bigint;
}

/** Formats an amount in whole units, or in the smallest unit of an unknown currency. */
export function currencyText(amount: bigint, address: string, currencies: readonly SvmCurrency[]): string {
  const found = currencies.find((each) => each.address === address);
  return found === undefined
    ? `${amount} in the smallest unit of ${address}`
    : `${formatAmount(amount, found.decimals)} ${found.symbol}`;
}
