import { base58 } from "@scure/base";

import { MEMO_PROGRAM, SYSTEM_PROGRAM } from "@crosscall/protocol/vms";
import { toTokenAmount } from "./accountJson.ts";
import { isTokenProgram } from "./accounts.ts";
import { type IncludedTransaction, type Outcome, type TokenBalance, usesOf } from "./solanaChain.ts";
import { invalidParams, RpcError } from "./params.ts";
import type { TransactionError } from "./transactionError.ts";
import type { CompiledInstruction } from "./wire.ts";

export interface TransactionFormat {
  readonly encoding?: unknown;
  readonly maxSupportedTransactionVersion?: unknown;
  readonly rewards?: unknown;
}

/** @throws {@link RpcError} if the client does not support the transaction's version */
export function toTransactionJson(included: IncludedTransaction, format: TransactionFormat) {
  const { slot, blockTime } = included;
  return { slot, blockTime, ...toBlockTransaction(included, format) };
}

/**
 * Formats a transaction within its block.
 *
 * @throws {@link RpcError} if the client does not support the transaction's version
 */
export function toBlockTransaction(included: IncludedTransaction, format: TransactionFormat) {
  const { encoding = "json" } = format;
  const version = versionOf(included, format);
  const transaction = encodeTransaction(included, encoding);
  return { transaction, meta: toMeta(included, encoding === "jsonParsed", format), ...version };
}

/**
 * Formats the accounts of a transaction and their balances.
 *
 * @throws {@link RpcError} if the client does not support the transaction's version
 */
export function toAccountsJson(included: IncludedTransaction, format: TransactionFormat) {
  const version = versionOf(included, format);
  const transaction = { signatures: signaturesOf(included), accountKeys: usesOf(included) };
  return { transaction, meta: toBalances(included, format), ...version };
}

function versionOf({ transaction }: IncludedTransaction, { maxSupportedTransactionVersion }: TransactionFormat) {
  const { version } = transaction.message;
  if (maxSupportedTransactionVersion !== undefined) return { version };
  if (version === "legacy") return {};
  throw new RpcError(
    -32_015,
    'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0',
  );
}

function signaturesOf({ transaction }: IncludedTransaction): string[] {
  return transaction.signatures.map((signature) => base58.encode(signature));
}

function encodeTransaction(included: IncludedTransaction, encoding: unknown): unknown {
  const { bytes, message } = included.transaction;
  switch (encoding) {
    case "base64":
      return [Buffer.from(bytes).toString("base64"), encoding];
    case "base58":
      return [base58.encode(bytes), encoding];
    case "json":
    case "jsonParsed": {
      const { requiredSignatures, readonlySigned, readonlyUnsigned, accountKeys, blockhash, lookups, version } =
        message;
      const isParsed = encoding === "jsonParsed";
      const instructions = message.instructions.map((instruction) =>
        toInstruction(included, { ...instruction, stackHeight: 1 }, isParsed),
      );
      return {
        signatures: signaturesOf(included),
        message: {
          ...(isParsed
            ? { accountKeys: usesOf(included) }
            : {
                header: {
                  numRequiredSignatures: requiredSignatures,
                  numReadonlySignedAccounts: readonlySigned,
                  numReadonlyUnsignedAccounts: readonlyUnsigned,
                },
                accountKeys,
              }),
          recentBlockhash: blockhash,
          instructions,
          ...(version === "legacy" ? {} : { addressTableLookups: lookups }),
        },
      };
    }
    default:
      throw invalidParams(`Invalid params: unknown variant \`${String(encoding)}\`.`);
  }
}

function toMeta(included: IncludedTransaction, isParsed: boolean, format: TransactionFormat) {
  return {
    ...toBalances(included, format),
    innerInstructions: toInnerInstructions(included, (inner) => toInstruction(included, inner, isParsed)),
    logMessages: included.logs,
    ...(isParsed ? {} : { loadedAddresses: included.loaded }),
    ...(included.returnData === undefined ? {} : { returnData: toReturnData(included) }),
    computeUnitsConsumed: included.unitsConsumed,
  };
}

function toBalances(included: IncludedTransaction, { rewards }: TransactionFormat) {
  const { error, fee, preBalances, postBalances, preTokenBalances, postTokenBalances } = included;
  return {
    ...toStatus(error),
    fee,
    preBalances,
    postBalances,
    preTokenBalances: preTokenBalances.map(toTokenBalance),
    postTokenBalances: postTokenBalances.map(toTokenBalance),
    ...(rewards === false ? {} : { rewards: [] }),
  };
}

export function toStatus(error: TransactionError | undefined) {
  return { err: error ?? null, status: error === undefined ? { Ok: null } : { Err: error } };
}

export function toReturnData({ returnData }: Outcome) {
  if (returnData === undefined) return null;
  const { programId, data } = returnData;
  return { programId, data: [Buffer.from(data).toString("base64"), "base64"] };
}

function toTokenBalance({ accountIndex, mint, owner, programId, amount, decimals }: TokenBalance) {
  return { accountIndex, mint, owner, programId, uiTokenAmount: toTokenAmount(amount, decimals) };
}

type Nested = CompiledInstruction & { readonly stackHeight: number };

function toInnerInstructions<Json>({ inner }: Outcome, toJson: (instruction: Nested) => Json) {
  return inner.flatMap((list, index) => (list.length === 0 ? [] : [{ index, instructions: list.map(toJson) }]));
}

/** Formats nested instructions for a simulation. */
export function toSimulatedInner(outcome: Outcome) {
  return toInnerInstructions(outcome, toCompiled);
}

function toCompiled({ programIdIndex, accounts, data, stackHeight }: Nested) {
  return { programIdIndex, accounts, data: base58.encode(data), stackHeight };
}

function toInstruction({ keys }: IncludedTransaction, instruction: Nested, isParsed: boolean) {
  if (!isParsed) return toCompiled(instruction);
  const { programIdIndex, data, stackHeight } = instruction;
  const programId = keys[programIdIndex] ?? "";
  const accounts = instruction.accounts.map((index) => keys[index] ?? "");
  const parsed = parseInstruction(programId, accounts, Buffer.from(data));
  return parsed === undefined
    ? { programId, accounts, data: base58.encode(data), stackHeight }
    : { ...parsed, programId, stackHeight };
}

/** Parses transfers and memos. Returns undefined for other instructions. */
function parseInstruction(programId: string, accounts: readonly string[], data: Buffer) {
  if (programId === MEMO_PROGRAM) return { program: "spl-memo", parsed: data.toString() };
  if (programId === SYSTEM_PROGRAM && data.length === 12 && data.readUInt32LE() === 2) {
    const [source, destination] = accounts;
    const info = { source, destination, lamports: data.readBigUInt64LE(4) };
    return { program: "system", parsed: { type: "transfer", info } };
  }
  if (!isTokenProgram(programId)) return undefined;
  const program = "spl-token";
  if (data[0] === 3 && data.length === 9) {
    const [source, destination, authority] = accounts;
    const info = { source, destination, authority, amount: data.readBigUInt64LE(1).toString() };
    return { program, parsed: { type: "transfer", info } };
  }
  if (data[0] === 12 && data.length === 10) {
    const [source, mint, destination, authority] = accounts;
    const tokenAmount = toTokenAmount(data.readBigUInt64LE(1), data[9] ?? 0);
    return {
      program,
      parsed: { type: "transferChecked", info: { source, mint, destination, authority, tokenAmount } },
    };
  }
  return undefined;
}
