import * as Type from "typebox";
import { Compile } from "typebox/compile";

import { requireAttested } from "../../attestationRefusedError.ts";
import type { ChainRpc } from "../../rpc/chainRpc.ts";
import { rejectResponse } from "../../rpc/rpcErrors.ts";
import { type CreateReadCache, createReadFinal } from "../readFinal.ts";

/** Top-level or nested. */
export interface SolanaInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  /** In base58. */
  readonly data: string;
}

interface TokenChange {
  readonly account: string;
  readonly mint: string;
  /** Owner of the token account; undefined if the node does not report it. */
  readonly owner: string | undefined;
  /** Balance in the token's smallest unit. */
  readonly amount: bigint;
}

interface NativeChange {
  readonly account: string;
  /** Balance in lamports; undefined if the node's JSON number cannot hold it exactly. */
  readonly amount: bigint | undefined;
}

export interface SolanaTransaction {
  readonly slot: number;
  /** Block time in Unix seconds, if the node reports it. */
  readonly blockTime: number | undefined;
  readonly isSuccess: boolean;
  /** Top-level instructions, then nested instructions. A deposit's id contains the index in this list. */
  readonly instructions: readonly SolanaInstruction[];
  readonly nativeChanges: readonly NativeChange[];
  readonly tokenChanges: readonly TokenChange[];
}

export interface SolanaAccount {
  /** The program. */
  readonly owner: string;
  /** In base64. */
  readonly data: string;
}

/** Only finalized data. */
export interface SolanaReader {
  /** Reads a transaction. Returns undefined if it is unknown or not finalized. */
  transaction(signature: string): Promise<SolanaTransaction | undefined>;
  /** Reads the time of a slot in Unix seconds, if the node still has it. */
  blockTime(slot: number): Promise<number | undefined>;
  finalizedSlot(): Promise<number>;
  /** Reads an account at a finalized slot of at least `minSlot`. Returns undefined if the account does not exist. */
  account(address: string, minSlot: number): Promise<SolanaAccount | undefined>;
}

const count = Type.Integer({ minimum: 0 });
const key = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" });
const base58Text = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]*$" });
const instructionSchema = Type.Object({ programIdIndex: count, accounts: Type.Array(count), data: base58Text });
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));
const tokenBalancesSchema = orNull(
  Type.Array(
    Type.Object({
      accountIndex: count,
      mint: key,
      owner: orNull(key),
      uiTokenAmount: Type.Object({ amount: Type.String({ pattern: "^[0-9]+$" }) }),
    }),
  ),
);
const transactionSchema = Type.Object({
  slot: count,
  blockTime: orNull(count),
  meta: Type.Object({
    err: Type.Unknown(),
    preBalances: Type.Array(count),
    postBalances: Type.Array(count),
    preTokenBalances: tokenBalancesSchema,
    postTokenBalances: tokenBalancesSchema,
    innerInstructions: orNull(Type.Array(Type.Object({ instructions: Type.Array(instructionSchema) }))),
    loadedAddresses: orNull(Type.Object({ writable: Type.Array(key), readonly: Type.Array(key) })),
  }),
  transaction: Type.Object({
    signatures: Type.Array(Type.String()),
    message: Type.Object({ accountKeys: Type.Array(key), instructions: Type.Array(instructionSchema) }),
  }),
});
const transactionCheck = Compile(transactionSchema);
const countCheck = Compile(count);
const accountCheck = Compile(
  Type.Object({
    value: Type.Union([
      Type.Null(),
      Type.Object({ owner: key, data: Type.Tuple([Type.String(), Type.Literal("base64")]) }),
    ]),
  }),
);

type RawTransaction = Type.Static<typeof transactionSchema>;

const FINALIZED = { commitment: "finalized" } as const;

export function createSolanaReader(rpc: ChainRpc): SolanaReader {
  return {
    transaction: (signature) =>
      rpc.read(
        "getTransaction",
        [signature, { ...FINALIZED, encoding: "json", maxSupportedTransactionVersion: 0 }],
        (answer) => parseTransaction(answer, signature),
      ),
    blockTime: (slot) =>
      rpc.read("getBlockTime", [slot], (answer) => {
        if (answer === null) return undefined;
        return countCheck.Check(answer) ? answer : rejectResponse("no time for the slot");
      }),
    finalizedSlot: () =>
      rpc.readHeight(
        "getSlot",
        [FINALIZED],
        (answer) => (countCheck.Check(answer) ? answer : rejectResponse("no slot")),
        (slot) => [slot],
      ),
    account: (address, minContextSlot) =>
      rpc.read("getAccountInfo", [address, { ...FINALIZED, encoding: "base64", minContextSlot }], (answer) => {
        if (!accountCheck.Check(answer)) return rejectResponse("no account");
        const { value } = answer;
        return value === null ? undefined : { owner: value.owner, data: value.data[0] };
      }),
  };
}

function parseTransaction(answer: unknown, signature: string): SolanaTransaction | undefined {
  if (answer === null) return undefined;
  if (!transactionCheck.Check(answer) || answer.transaction.signatures[0] !== signature) {
    return rejectResponse("the transaction does not match");
  }
  const { meta, transaction, slot, blockTime } = answer;
  const { writable = [], readonly = [] } = meta.loadedAddresses ?? {};
  // Accounts from lookup tables come after the transaction's own accounts.
  const keys = [...transaction.message.accountKeys, ...writable, ...readonly];
  const keyAt = (index: number): string => keys[index] ?? rejectResponse("an account index that is out of range");
  const inner = (meta.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
  return {
    slot,
    blockTime: blockTime ?? undefined,
    isSuccess: (meta.err ?? null) === null,
    instructions: [...transaction.message.instructions, ...inner].map(({ programIdIndex, accounts, data }) => ({
      program: keyAt(programIdIndex),
      accounts: accounts.map(keyAt),
      data,
    })),
    nativeChanges: toNativeChanges(keys, meta),
    tokenChanges: toTokenChanges(keyAt, meta),
  };
}

function toNativeChanges(
  keys: readonly string[],
  { preBalances, postBalances }: RawTransaction["meta"],
): readonly NativeChange[] {
  if (preBalances.length !== keys.length || postBalances.length !== keys.length) {
    return rejectResponse("balances of other accounts");
  }
  return keys.map((account, index) => {
    const [before = 0, after = 0] = [preBalances[index], postBalances[index]];
    const isExact = Number.isSafeInteger(before) && Number.isSafeInteger(after);
    return { account, amount: isExact ? BigInt(after) - BigInt(before) : undefined };
  });
}

function toTokenChanges(
  keyAt: (index: number) => string,
  { preTokenBalances, postTokenBalances }: RawTransaction["meta"],
): readonly TokenChange[] {
  const changes = new Map<number, TokenChange>();
  for (const [balances, sign] of [
    [preTokenBalances ?? [], -1n],
    [postTokenBalances ?? [], 1n],
  ] as const) {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances) {
      const amount = (changes.get(accountIndex)?.amount ?? 0n) + sign * BigInt(uiTokenAmount.amount);
      changes.set(accountIndex, { account: keyAt(accountIndex), mint, owner: owner ?? undefined, amount });
    }
  }
  return [...changes.values()];
}

export interface SolanaTransactions {
  /**
   * Reads a final transaction. Returns undefined if it is unknown or not finalized.
   *
   * @throws {@link AttestationRefusedError} if the transaction is finalized, but not as deep as configured
   */
  read(signature: string): Promise<SolanaTransaction | undefined>;
  /**
   * Reads the time of a transaction in Unix seconds.
   *
   * @throws {@link AttestationRefusedError} if no node has the time
   */
  timeOf(transaction: SolanaTransaction): Promise<number>;
}

/** @param finalizationSlots number of finalized slots that are required after the transaction's own slot */
export function createSolanaTransactions(
  reader: SolanaReader,
  finalizationSlots: number,
  createCache: CreateReadCache,
): SolanaTransactions {
  const readFinal = createReadFinal<string, SolanaTransaction>(createCache);
  const readTime = createReadFinal<number, number>(createCache);
  return {
    read: (signature) =>
      readFinal(signature, async () => {
        const [found, slot] = await Promise.all([
          reader.transaction(signature),
          finalizationSlots === 0 ? undefined : reader.finalizedSlot(),
        ]);
        if (found === undefined) return undefined;
        const isDeep = slot === undefined || slot - found.slot >= finalizationSlots;
        requireAttested(isDeep, `Transaction ${signature} is not finalized`);
        return { found, isFinal: true };
      }),
    async timeOf({ slot, blockTime }) {
      const time =
        blockTime ??
        (await readTime(slot, async () => {
          const found = await reader.blockTime(slot);
          return found === undefined ? undefined : { found, isFinal: true };
        }));
      requireAttested(time !== undefined, "Could not fetch the timestamp of the transaction");
      return time;
    },
  };
}
