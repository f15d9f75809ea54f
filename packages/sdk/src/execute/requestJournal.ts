import type * as Type from "typebox";
import { keccak256, stringToHex } from "viem";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { PlannedStep, PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { type Quote, QuoteSchema } from "@crosscall/protocol/quote";
import { doc, hexText, isObject, isPresent, parseData, readResponse, requireJson } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import type { ExecutionJournal } from "./journal.ts";

export const JournaledTransactionSchema = T.Object({
  chainId: T.Integer(),
  from: T.String(),
  to: T.String(),
  data: T.String(),
  value: T.String(),
  nonce: T.Integer({ minimum: 0 }),
  fromBlock: T.String({ pattern: "^[0-9]+$", description: doc("Latest block when the entry was written.") }),
  txHash: T.Optional(hexText(doc("Hash, known before sending if the wallet signs first."), 32)),
  signed: T.Optional(hexText(doc("Signed bytes, if the wallet signs first."))),
  askedAtMs: T.Integer({ description: doc("Time of the wallet prompt, or of signing the bytes.") }),
  isNonceKnown: T.Optional(T.Boolean({ description: doc("Whether a node showed the transaction with this nonce.") })),
  isVoid: T.Optional(
    T.Boolean({
      description: doc(
        "Whether the transaction was not sent, or another transaction used its nonce, so that the step can start again.",
      ),
    }),
  ),
});

/** Transaction that is journaled before it is sent. */
export type JournaledTransaction = Type.Static<typeof JournaledTransactionSchema>;

export const JournaledBatchSchema = T.Object({
  kind: T.Union([T.Literal("bundle"), T.Literal("gasless")]),
  id: T.String({ description: doc("Id of the bundle, or nonce at the batch executor.") }),
  chainId: T.Integer(),
  from: T.String(),
  calls: T.Array(T.Object({ position: T.String(), to: T.String(), data: T.String(), value: T.String() })),
  fromBlock: T.Optional(T.String({ pattern: "^[0-9]+$" })),
  askedAtMs: T.Integer({ description: doc("Time of the wallet prompt.") }),
  deadline: T.Optional(T.Integer({ description: doc("Deadline of a gasless batch, in Unix seconds.") })),
  isVoid: T.Optional(T.Boolean({ description: doc("Whether the batch was not sent, or can no longer be executed.") })),
  isAccepted: T.Optional(T.Boolean({ description: doc("The service sends it.") })),
  isRefused: T.Optional(
    T.Boolean({ description: doc("Whether the service rejected the batch, which can still be executed.") }),
  ),
  txHash: T.Optional(hexText(doc("Hash of the transaction that made the calls."), 32)),
});

/** Calls of a batch, journaled before they are sent. */
export type JournaledBatch = Type.Static<typeof JournaledBatchSchema>;

const SignatureEntrySchema = T.Object({ signature: hexText(doc("The posted content.")) });
export const DelegatedEntrySchema = T.Object({
  isDone: T.Boolean(),
  recorded: T.Optional(T.String({ description: doc("Text of the callback.") })),
  result: T.Optional(T.String()),
});

/** Digests of the steps by position, and of the order. */
const StepsEntrySchema = T.Unsafe<Record<string, string>>({
  type: "object",
  additionalProperties: T.String(),
});

/** Id of the request that paid the order. */
const OrderEntrySchema = T.Object({ requestId: T.String() });

export const BlockEntrySchema = T.Object({
  number: T.String({ pattern: "^[0-9]+$" }),
  hash: hexText(doc("Hash of the block with this number."), 32),
});

/** A block of the destination chain. */
export type BlockEntry = Type.Static<typeof BlockEntrySchema>;

type SignatureEntry = Type.Static<typeof SignatureEntrySchema>;

/** Entry for an action that was passed to a callback, with its result once there is one. */
export type DelegatedEntry = Type.Static<typeof DelegatedEntrySchema>;

/** Calls of one account on one chain. */
export type BatchCalls = readonly [PlannedTransaction, ...PlannedTransaction[]];

export function journaledCalls(calls: BatchCalls): Pick<JournaledBatch, "chainId" | "from" | "calls"> {
  const [{ chainId, from }] = calls;
  return {
    chainId,
    from,
    calls: calls.map(({ position, to, data, value }) => ({ position, to, data, value: value.toString() })),
  };
}

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

function isIn(batch: JournaledBatch | undefined, { position }: PlannedStep): boolean {
  return batch?.calls.some((call) => call.position === position) === true;
}

/** Returns the journal key of an order. */
function orderKey(orderId: string): string {
  return `orders/${orderId.toLowerCase()}`;
}

export class RequestJournal {
  private readonly journal: ExecutionJournal;
  private readonly requestId: string;

  constructor(journal: ExecutionJournal, requestId: string) {
    this.journal = journal;
    // Request ids are case-insensitive.
    this.requestId = requestId.toLowerCase();
  }

  /**
   * Rejects steps that differ from the steps recorded for this request.
   * @throws {@link InvalidStateError} when a step or the order differs from the recorded one
   */
  async requireSameSteps(actions: readonly PlannedStep[], orderId: string | null | undefined): Promise<void> {
    const recorded = await this.read("steps", StepsEntrySchema);
    if (recorded === undefined) {
      if (await this.isUsed(actions)) throw this.otherSteps("has entries of unrecorded steps");
      return;
    }
    const differs = Object.entries(digestsWithOrder(actions, orderId)).some(
      ([name, digest]) => recorded[name] !== digest,
    );
    if (differs) throw this.otherSteps("has other steps");
  }

  /**
   * Rejects the order of another request, which would be paid twice but filled once.
   * @throws {@link InvalidStateError} when another request started to pay the order
   */
  async requireOwnOrder(orderId: string | null | undefined): Promise<void> {
    if (!isPresent(orderId)) return;
    const key = orderKey(orderId);
    const text = await this.journal.get(key);
    if (text === undefined) return;
    const what = `journal entry ${key}`;
    const { requestId: owner } = parseData(OrderEntrySchema, requireJson(text, what), what);
    if (owner === this.requestId) return;
    throw new InvalidStateError({
      message: `request ${this.requestId} has order ${orderId}, whose payment started for request ${owner}`,
      hint: "Do not pay this quote, because the service reused an order. Request a new quote.",
    });
  }

  /** Records the steps before the first step starts. */
  async recordSteps(actions: readonly PlannedStep[], orderId: string | null | undefined): Promise<void> {
    const recorded = await this.read("steps", StepsEntrySchema);
    await this.set("steps", { ...recorded, ...digestsWithOrder(actions, orderId) });
    if (isPresent(orderId)) await this.journal.set(orderKey(orderId), JSON.stringify({ requestId: this.requestId }));
  }

  /**
   * Adds the steps of a response.
   *
   * @throws {@link InvalidStateError} when an earlier run recorded other steps
   */
  async recordLaterSteps(actions: readonly PlannedStep[]): Promise<void> {
    const recorded = (await this.read("steps", StepsEntrySchema)) ?? {};
    const added = digestsOf(actions);
    const differs = Object.entries(added).some(([name, digest]) => (recorded[name] ?? digest) !== digest);
    if (differs) throw this.otherSteps("has other later steps");
    await this.set("steps", { ...recorded, ...added });
  }

  set<Name extends keyof Entries>(name: Name, value: Entries[Name]): Promise<void> {
    return this.write(name, value);
  }

  setStep(position: string, entry: JournaledTransaction | SignatureEntry | DelegatedEntry): Promise<void> {
    return this.write(position, entry);
  }

  /** Returns undefined if the step can start. */
  async transaction(planned: PlannedTransaction): Promise<JournaledTransaction | undefined> {
    const entry = await this.read(planned.position, JournaledTransactionSchema);
    if (entry === undefined || entry.isVoid === true) return undefined;
    const isSame =
      entry.chainId === planned.chainId &&
      entry.from === planned.from &&
      entry.to === planned.to &&
      entry.data === planned.data &&
      entry.value === planned.value.toString();
    if (isSame) return entry;
    throw this.otherSteps(`has another transaction for step ${planned.stepId}`);
  }

  /** Returns undefined if the calls can start. */
  async batch(): Promise<JournaledBatch | undefined> {
    const entry = await this.read("batch", JournaledBatchSchema);
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

  async signature(position: string): Promise<`0x${string}` | undefined> {
    return (await this.read(position, SignatureEntrySchema))?.signature as `0x${string}` | undefined;
  }

  handed(position: string): Promise<DelegatedEntry | undefined> {
    return this.read(position, DelegatedEntrySchema);
  }

  /** Whether an earlier run started any of these actions. Void actions do not count. */
  async hasBegun(actions: readonly PlannedStep[]): Promise<boolean> {
    const batch = await this.batch();
    for (const action of actions) {
      if (isIn(batch, action)) return true;
      const entry =
        action.kind === "transaction"
          ? await this.transaction(action)
          : await this.journal.get(this.key(action.position));
      if (entry !== undefined) return true;
    }
    return false;
  }

  /** Finds the first of these actions that an earlier run started, with its transaction hash if known. */
  async findBegun(actions: readonly PlannedStep[]): Promise<{ readonly txHash: string | undefined } | undefined> {
    for (const action of actions) {
      if (!(await this.hasBegun([action]))) continue;
      const entry = action.kind === "transaction" ? await this.transaction(action) : undefined;
      return { txHash: entry?.txHash ?? (await this.batch())?.txHash };
    }
    return undefined;
  }

  /** Whether there is an entry for any of these actions, from any quote. */
  async isUsed(actions: readonly PlannedStep[]): Promise<boolean> {
    const names = actions.length === 0 ? [] : ["batch", ...actions.map(({ position }) => position)];
    const entries = await Promise.all(names.map((name) => this.journal.get(this.key(name))));
    return entries.some((entry) => entry !== undefined);
  }

  /** Whether an earlier run found the payment of a lost journal, and follows it. */
  async isFound(): Promise<boolean> {
    return (await this.journal.get(this.key("found"))) !== undefined;
  }

  /** Whether any of these actions has no recorded outcome. */
  async isUnclear(actions: readonly PlannedStep[]): Promise<boolean> {
    const batch = await this.batch();
    for (const action of actions) {
      if (isIn(batch, action)) return true;
      if (action.kind === "transaction") {
        const entry = await this.transaction(action);
        if (entry !== undefined && entry.txHash === undefined) return true;
      } else if (action.kind === "signature") {
        if ((await this.signature(action.position)) !== undefined) return true;
      } else if ((await this.handed(action.position))?.isDone === false) {
        return true;
      }
    }
    return false;
  }

  /** Returns the destination chain's latest block before the payment; the fill is in a later block. */
  blockBefore(): Promise<BlockEntry | undefined> {
    return this.read("destination", BlockEntrySchema);
  }

  /** Returns the quote that replaced this quote. */
  successor(): Promise<Quote | undefined> {
    return this.readJson("successor").then((quote) =>
      quote === undefined ? undefined : readResponse(QuoteSchema, quote),
    );
  }

  private otherSteps(what: string): InvalidStateError {
    return new InvalidStateError({
      message: `the journal ${what} for request ${this.requestId}`,
      hint: "Pass the quote of this journal. If the service sent this quote, do not sign it, because it reuses the id of another request.",
    });
  }

  private async read<Schema extends Parameters<typeof parseData>[0]>(
    name: string,
    schema: Schema,
  ): Promise<Type.Static<Schema> | undefined> {
    const value = await this.readJson(name);
    return value === undefined ? undefined : parseData(schema, value, `journal entry ${this.key(name)}`);
  }

  private async readJson(name: string): Promise<unknown> {
    const key = this.key(name);
    const text = await this.journal.get(key);
    return text === undefined ? undefined : requireJson(text, `journal entry ${key}`);
  }

  private write(name: string, value: unknown): Promise<void> {
    return this.journal.set(this.key(name), JSON.stringify(value));
  }

  private key(name: string): string {
    return `${this.requestId}/${name}`;
  }
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

/** Adds the digest of the order that the steps pay. */
function digestsWithOrder(actions: readonly PlannedStep[], orderId: string | null | undefined): Record<string, string> {
  return { ...digestsOf(actions), order: (orderId ?? "").toLowerCase() };
}
