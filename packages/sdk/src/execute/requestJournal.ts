import type * as Type from "typebox";
import { type Hex, keccak256, stringToHex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { PlannedStep, PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { type Quote, QuoteSchema } from "@crosscall/protocol/quote";
import { hexText, isObject, isPresent, parseData, readResponse, requireJson } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import type { ExecutionJournal } from "./journal.ts";

const hash = hexText(undefined, 32);
const blockNumber = T.String({ pattern: "^[0-9]+$" });
const flag = T.Optional(T.Boolean());

const TransactionSchema = T.Object({
  chainId: T.Integer(),
  from: T.String(),
  to: T.String(),
  data: T.String(),
  value: T.String(),
  nonce: T.Integer({ minimum: 0 }),
  /** Latest block when the entry was written. */
  fromBlock: blockNumber,
  /** Known before sending if the wallet signs first. */
  txHash: T.Optional(hash),
  /** Signed bytes, if the wallet signs first. */
  signed: T.Optional(hexText()),
  /** Time of the wallet prompt, or of signing the bytes. */
  askedAtMs: T.Integer(),
  /** Whether a node showed the transaction with this nonce. */
  isNonceKnown: flag,
  /** Whether the transaction was not sent, or another transaction used its nonce, so that the step can start again. */
  isVoid: flag,
});

/** Transaction that is journaled before it is sent. */
export type JournaledTransaction = Type.Static<typeof TransactionSchema>;

const BatchSchema = T.Object({
  kind: T.Union([T.Literal("bundle"), T.Literal("gasless")]),
  /** Id of the bundle, or nonce at the batch executor. */
  id: T.String(),
  chainId: T.Integer(),
  from: T.String(),
  calls: T.Array(T.Object({ position: T.String(), to: T.String(), data: T.String(), value: T.String() })),
  fromBlock: T.Optional(blockNumber),
  /** Time of the wallet prompt. */
  askedAtMs: T.Integer(),
  /** Deadline of a gasless batch, in Unix seconds. */
  deadline: T.Optional(T.Integer()),
  /** Whether the batch was not sent, or can no longer be executed. */
  isVoid: flag,
  /** Whether the service sends the batch. */
  isAccepted: flag,
  /** Whether the service rejected the batch, which can still be executed. */
  isRefused: flag,
  /** Hash of the transaction that made the calls. */
  txHash: T.Optional(hash),
});

/** Calls of a batch, journaled before they are sent. */
export type JournaledBatch = Type.Static<typeof BatchSchema>;

/** The posted signature. */
const SignatureSchema = T.Object({ signature: hexText() });

/** Action that was passed to a callback: the text that the callback recorded, and its result once there is one. */
const DelegatedSchema = T.Object({
  isDone: T.Boolean(),
  recorded: T.Optional(T.String()),
  result: T.Optional(T.String()),
});

/** Digests of the steps by position, and the order. */
const StepsSchema = T.Unsafe<Record<string, string>>({ type: "object", additionalProperties: T.String() });

/** Id of the request that paid the order. */
const OrderSchema = T.Object({ requestId: T.String() });

const BlockSchema = T.Object({ number: blockNumber, hash });

/** A block of the destination chain. */
export type BlockEntry = Type.Static<typeof BlockSchema>;

type StepEntry = JournaledTransaction | Type.Static<typeof SignatureSchema | typeof DelegatedSchema>;

/** Entries that a request has once, in addition to an entry for each step by position. */
interface Entries {
  readonly batch: JournaledBatch;
  readonly steps: Record<string, string>;
  /** Whether an earlier run found the payment of a lost journal and follows it. */
  readonly found: true;
  /** Latest block of the destination chain before the payment; the fill is in a later block. */
  readonly destination: BlockEntry;
  /** Quote that replaced this quote. */
  readonly successor: Quote;
}

/** Action that an earlier run started. */
interface Begun {
  readonly txHash?: string | undefined;
  /** Whether its outcome is not recorded. */
  readonly isUnclear: boolean;
}

/** Calls of one account on one chain. */
export type BatchCalls = readonly [PlannedTransaction, ...PlannedTransaction[]];

type OrderId = string | null | undefined;

export function journaledCalls(calls: BatchCalls): Pick<JournaledBatch, "chainId" | "from" | "calls"> {
  const [{ chainId, from }] = calls;
  return {
    chainId,
    from,
    calls: calls.map(({ position, to, data, value }) => ({ position, to, data, value: value.toString() })),
  };
}

/** Reads an entry of a journal. Returns undefined if there is none. */
export async function readEntry<Schema extends Type.TSchema>(
  journal: ExecutionJournal,
  key: string,
  schema: Schema,
): Promise<Type.Static<Schema> | undefined> {
  const text = await journal.get(key);
  const what = `journal entry ${key}`;
  // Storages such as `localStorage` return null for a missing entry.
  return isPresent(text) ? parseData(schema, requireJson(text, what), what) : undefined;
}

export class RequestJournal {
  private readonly journal: ExecutionJournal;
  private readonly requestId: string;

  constructor(journal: ExecutionJournal, requestId: string) {
    this.journal = journal;
    // Request ids are case-insensitive.
    this.requestId = requestId.toLowerCase();
  }

  /** @throws {@link InvalidStateError} when a step or the order differs from the recorded one */
  async requireSameSteps(actions: readonly PlannedStep[], orderId: OrderId): Promise<void> {
    const recorded = await this.read("steps", StepsSchema);
    if (recorded === undefined) {
      if (await this.isUsed(actions)) throw this.otherSteps("has entries of unrecorded steps");
      return;
    }
    const digests = Object.entries(digestsWithOrder(actions, orderId));
    if (digests.some(([name, digest]) => recorded[name] !== digest)) throw this.otherSteps("has other steps");
  }

  /**
   * Rejects the order of another request, which would be paid twice but filled once.
   * @throws {@link InvalidStateError} when another request started to pay the order
   */
  async requireOwnOrder(orderId: OrderId): Promise<void> {
    if (!isPresent(orderId)) return;
    const owner = await readEntry(this.journal, orderKey(orderId), OrderSchema);
    if (owner === undefined || owner.requestId === this.requestId) return;
    throw new InvalidStateError({
      message: `request ${this.requestId} has order ${orderId}, whose payment started for request ${owner.requestId}`,
      hint: "Do not pay this quote: the service reused an order. Request a new quote.",
    });
  }

  /** Records the steps before the first step starts. */
  async recordSteps(actions: readonly PlannedStep[], orderId: OrderId): Promise<void> {
    await this.set("steps", { ...(await this.read("steps", StepsSchema)), ...digestsWithOrder(actions, orderId) });
    if (isPresent(orderId)) await this.journal.set(orderKey(orderId), JSON.stringify({ requestId: this.requestId }));
  }

  /**
   * Adds the steps of a response.
   * @throws {@link InvalidStateError} when an earlier run recorded other steps
   */
  async recordLaterSteps(actions: readonly PlannedStep[]): Promise<void> {
    const recorded = (await this.read("steps", StepsSchema)) ?? {};
    const added = Object.entries(digestsOf(actions));
    const differs = added.some(([name, digest]) => (recorded[name] ?? digest) !== digest);
    if (differs) throw this.otherSteps("has other later steps");
    await this.set("steps", { ...recorded, ...Object.fromEntries(added) });
  }

  set<Name extends keyof Entries>(name: Name, value: Entries[Name]): Promise<void> {
    return this.journal.set(this.key(name), JSON.stringify(value));
  }

  setStep(position: string, entry: StepEntry): Promise<void> {
    return this.journal.set(this.key(position), JSON.stringify(entry));
  }

  /** Returns undefined if the step can start. */
  async transaction(planned: PlannedTransaction): Promise<JournaledTransaction | undefined> {
    const entry = await this.read(planned.position, TransactionSchema);
    if (entry === undefined || entry.isVoid === true) return undefined;
    const isSame =
      entry.chainId === planned.chainId &&
      entry.from === planned.from &&
      entry.to === planned.to &&
      entry.data === planned.data &&
      entry.value === planned.value.toString();
    if (isSame) return entry;
    throw this.otherSteps(`has a different transaction for step ${planned.stepId}`);
  }

  /** Returns undefined if the calls can start. */
  async batch(): Promise<JournaledBatch | undefined> {
    const entry = await this.read("batch", BatchSchema);
    return entry?.isVoid === true ? undefined : entry;
  }

  /** @throws {@link InvalidStateError} when the entry was written for other calls */
  async batchOf(made: BatchCalls): Promise<JournaledBatch | undefined> {
    const entry = await this.batch();
    if (entry === undefined) return undefined;
    const { chainId, from, calls } = entry;
    if (JSON.stringify({ chainId, from, calls }) === JSON.stringify(journaledCalls(made))) return entry;
    throw this.otherSteps("has other calls");
  }

  async signature(position: string): Promise<Hex | undefined> {
    return (await this.read(position, SignatureSchema))?.signature as Hex | undefined;
  }

  delegated(position: string): Promise<Type.Static<typeof DelegatedSchema> | undefined> {
    return this.read(position, DelegatedSchema);
  }

  /** Finds the actions that an earlier run started, in order. Void actions do not count. */
  async begun(actions: readonly PlannedStep[]): Promise<readonly Begun[]> {
    const batch = await this.batch();
    const begun = await Promise.all(
      actions.map(async (action): Promise<Begun | undefined> => {
        const { kind, position } = action;
        const isInBatch = batch?.calls.some((call) => call.position === position) === true;
        if (isInBatch) return { txHash: batch.txHash, isUnclear: true };
        if (kind === "transaction") {
          const entry = await this.transaction(action);
          return entry && { txHash: entry.txHash, isUnclear: entry.txHash === undefined };
        }
        if (kind === "signature") return (await this.signature(position)) && { isUnclear: true };
        const entry = await this.delegated(position);
        return entry && { isUnclear: !entry.isDone };
      }),
    );
    return begun.filter(isPresent);
  }

  /** Whether an earlier run started any of these actions. */
  async hasBegun(actions: readonly PlannedStep[]): Promise<boolean> {
    return (await this.begun(actions)).length > 0;
  }

  /** Whether there is an entry for any of these actions, from any quote. */
  async isUsed(actions: readonly PlannedStep[]): Promise<boolean> {
    const names = actions.length === 0 ? [] : ["batch", ...actions.map(({ position }) => position)];
    const entries = await Promise.all(names.map((name) => this.journal.get(this.key(name))));
    return entries.some(isPresent);
  }

  /** Whether an earlier run found the payment of a lost journal, and follows it. */
  async isFound(): Promise<boolean> {
    return isPresent(await this.journal.get(this.key("found")));
  }

  /** Returns the destination chain's latest block before the payment; the fill is in a later block. */
  blockBefore(): Promise<BlockEntry | undefined> {
    return this.read("destination", BlockSchema);
  }

  /** Returns the quote that replaced this quote. */
  async successor(): Promise<Quote | undefined> {
    const quote = await this.read("successor", T.Unknown());
    return quote === undefined ? undefined : readResponse(QuoteSchema, quote);
  }

  private otherSteps(what: string): InvalidStateError {
    return new InvalidStateError({
      message: `the journal ${what} for request ${this.requestId}`,
      hint: "Pass the quote of this journal. If the service sent this quote, do not sign it: it reuses the id of another request.",
    });
  }

  private read<Schema extends Type.TSchema>(name: string, schema: Schema): Promise<Type.Static<Schema> | undefined> {
    return readEntry(this.journal, this.key(name), schema);
  }

  private key(name: string): string {
    return `${this.requestId}/${name}`;
  }
}

/** Returns the journal key of an order. */
function orderKey(orderId: string): string {
  return `orders/${orderId.toLowerCase()}`;
}

/** Hashes a step without its quoted gas and fees. */
function digestOf(planned: PlannedStep): string {
  const omitted = ["position", "gas", "maxFeePerGas", "maxPriorityFeePerGas", "typedData"];
  const step = Object.fromEntries(Object.entries(planned).filter(([name]) => !omitted.includes(name)));
  return keccak256(stringToHex(sortedJson(step)));
}

export function isSameStep(a: PlannedStep, b: PlannedStep): boolean {
  return digestOf(a) === digestOf(b);
}

/** Sorts keys, because storage can reorder the keys of a quote. */
function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => {
    if (typeof inner === "bigint") return inner.toString();
    return isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner;
  });
}

/** Returns digests by position. */
function digestsOf(actions: readonly PlannedStep[]): Record<string, string> {
  return Object.fromEntries(actions.map((action) => [action.position, digestOf(action)]));
}

/** Adds the order that the steps pay. */
function digestsWithOrder(actions: readonly PlannedStep[], orderId: OrderId): Record<string, string> {
  return { ...digestsOf(actions), order: (orderId ?? "").toLowerCase() };
}
