import * as Type from "typebox";
import { Errors, Value } from "typebox/value";

import { MalformedDataError } from "@crosscall/protocol/core";

// The response of `getTransaction` with encoding `json`. Unknown fields are ignored. The limits exceed those of
// transactions, so that no response takes long to show.

const MAX_ACCOUNTS = 256;
const MAX_INSTRUCTIONS = 128;
/** Accounts of all instructions together. */
const MAX_USES = 20_000;
const MAX_LOGS = 2_000;
const MAX_LOG_CHARACTERS = 20_000;
/** Data of a call between programs has at most 10,240 bytes. */
const MAX_DATA_CHARACTERS = 16_000;

const count = Type.Integer({ minimum: 0 });
const key = Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{32,44}$" });
const orNone = <Schema extends Type.TSchema>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const instruction = Type.Object({
  programIdIndex: count,
  accounts: Type.Array(count, { maxItems: MAX_ACCOUNTS }),
  data: Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]*$", maxLength: MAX_DATA_CHARACTERS }),
  stackHeight: orNone(count),
});

const instructions = Type.Array(instruction, { maxItems: MAX_INSTRUCTIONS });

const innerInstructions = orNone(
  Type.Array(Type.Object({ index: count, instructions }), { maxItems: MAX_INSTRUCTIONS }),
);

/** Not always exact, because JSON numbers are rounded. */
const lamports = Type.Number({ minimum: 0, maximum: 2 ** 64 });

const balances = Type.Array(lamports, { maxItems: MAX_ACCOUNTS });

const tokenBalances = orNone(
  Type.Array(
    Type.Object({
      accountIndex: count,
      mint: key,
      owner: orNone(key),
      uiTokenAmount: Type.Object({
        amount: Type.String({ pattern: "^[0-9]{1,20}$" }),
        decimals: Type.Integer({ minimum: 0, maximum: 255 }),
      }),
    }),
    { maxItems: MAX_ACCOUNTS },
  ),
);

const logMessages = orNone(Type.Array(Type.String({ maxLength: MAX_LOG_CHARACTERS }), { maxItems: MAX_LOGS }));

const keys = Type.Array(key, { maxItems: MAX_ACCOUNTS });

const loadedAddresses = orNone(Type.Object({ writable: keys, readonly: keys }));

const message = Type.Object({
  header: Type.Object({
    numRequiredSignatures: count,
    numReadonlySignedAccounts: count,
    numReadonlyUnsignedAccounts: count,
  }),
  accountKeys: keys,
  instructions,
});

const transaction = Type.Object({
  slot: count,
  blockTime: orNone(Type.Integer()),
  version: Type.Optional(Type.Union([Type.Literal("legacy"), count])),
  transaction: Type.Object({ signatures: Type.Array(Type.String({ maxLength: 100 })), message }),
  meta: orNone(
    Type.Object({
      err: Type.Unknown(),
      fee: lamports,
      preBalances: balances,
      postBalances: balances,
      preTokenBalances: tokenBalances,
      postTokenBalances: tokenBalances,
      innerInstructions,
      logMessages,
      loadedAddresses,
      computeUnitsConsumed: orNone(count),
    }),
  ),
});

/** The value of the response of `simulateTransaction`. Only newer nodes report balances and the fee. */
const simulation = Type.Object({
  err: Type.Unknown(),
  logs: logMessages,
  unitsConsumed: orNone(count),
  fee: orNone(lamports),
  preBalances: orNone(balances),
  postBalances: orNone(balances),
  preTokenBalances: tokenBalances,
  postTokenBalances: tokenBalances,
  innerInstructions: Type.Optional(Type.Unknown()),
});

export type RawInstruction = Type.Static<typeof instruction>;
export type RawMessage = Type.Static<typeof message>;
export type RawTransaction = Type.Static<typeof transaction>;
export type RawMeta = NonNullable<RawTransaction["meta"]>;

/**
 * Checks the response of `getTransaction`.
 *
 * @throws {@link MalformedDataError} if it is not a transaction with this signature
 */
export function readTransaction(response: unknown, signature: string): RawTransaction {
  const what = "the response of getTransaction";
  const found = check(transaction, response, what);
  const { instructions: own } = found.transaction.message;
  if (usesOf([{ instructions: own }, ...(found.meta?.innerInstructions ?? [])]) > MAX_USES) {
    throw new MalformedDataError({ what, path: "meta.innerInstructions", reason: "it has too many accounts" });
  }
  if (found.transaction.signatures[0] === signature) return found;
  throw new MalformedDataError({ what, path: "transaction.signatures", reason: "it is a different transaction" });
}

/**
 * Checks the response of `simulateTransaction`.
 *
 * @throws {@link MalformedDataError} if it is malformed
 */
export function readSimulation(response: unknown) {
  const what = "the response of simulateTransaction";
  const { innerInstructions: inner, ...value } = check(Type.Object({ value: simulation }), response, what).value;
  // Some nodes parse these instructions, and omit their data.
  const isKnown = Value.Check(innerInstructions, inner) && usesOf(inner ?? []) <= MAX_USES;
  return { ...value, innerInstructions: isKnown ? inner : undefined };
}

function usesOf(groups: readonly { readonly instructions: readonly RawInstruction[] }[]): number {
  const all = groups.flatMap((group) => group.instructions);
  return all.reduce((sum, { accounts }) => sum + accounts.length, 0);
}

function check<Schema extends Type.TSchema>(schema: Schema, value: unknown, what: string): Type.Static<Schema> {
  const [error] = Errors(schema, value);
  if (error === undefined) return value as Type.Static<Schema>;
  throw new MalformedDataError({
    what,
    path: error.instancePath.slice(1).replaceAll("/", "."),
    reason: `it ${error.message}`,
    hint: "Check that the URL belongs to a Solana node.",
  });
}
