import type * as Type from "typebox";

import { InvalidStateError } from "@crosscall/protocol/core";
import type { PlannedStep, PlannedTransaction } from "@crosscall/protocol/quote/rules";
import { type Quote, QuoteSchema } from "@crosscall/protocol/quote";
import { isPresent, parseData, readResponse, requireJson } from "@crosscall/protocol/schema";
import type { ExecutionJournal } from "./journal.ts";
import {
  type BatchCalls,
  type BlockEntry,
  BlockEntrySchema,
  type DelegatedEntry,
  DelegatedEntrySchema,
  type JournaledBatch,
  JournaledBatchSchema,
  journaledCalls,
  type JournaledTransaction,
  JournaledTransactionSchema,
  OrderEntrySchema,
  SignatureEntrySchema,
  StepsEntrySchema,
} from "./journalEntries.ts";
import { digestsOf, digestsWithOrder } from "./stepDigest.ts";

/** Names in the journal: a request has one of each. */
const BATCH = "batch";
const STEPS = "steps";
const FOUND = "found";

function isIn(batch: JournaledBatch | undefined, { position }: PlannedStep): boolean {
  return batch?.calls.some((call) => call.position === position) === true;
}

/** Requests share a journal. */
function orderKey(orderId: string): string {
  return `orders/${orderId.toLowerCase()}`;
}

export class RequestJournal {
  private readonly journal: ExecutionJournal;
  private readonly requestId: string;

  constructor(journal: ExecutionJournal, requestId: string) {
    this.journal = journal;
    // The same bytes in other letters are the same request.
    this.requestId = requestId.toLowerCase();
  }

  /**
   * Refuses other steps under the id of a request that began: its entries say what became of other content.
   *
   * @throws {@link InvalidStateError} when a step or the order differs from what was recorded
   */
  async requireSameSteps(actions: readonly PlannedStep[], orderId: string | null | undefined): Promise<void> {
    const recorded = await this.read(STEPS, StepsEntrySchema);
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
   * Refuses the order of another request: it would be paid twice, and filled once.
   *
   * @throws {@link InvalidStateError} when another request began to pay it
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
      message: `request ${this.requestId} has order ${orderId}, which the journal began to pay for request ${owner}`,
      hint: "Do not pay this quote: the service sent an order again. Request a new quote.",
    });
  }

  /** Before the first of them begins. */
  async recordSteps(actions: readonly PlannedStep[], orderId: string | null | undefined): Promise<void> {
    const recorded = await this.read(STEPS, StepsEntrySchema);
    await this.write(STEPS, { ...recorded, ...digestsWithOrder(actions, orderId) });
    if (isPresent(orderId)) await this.journal.set(orderKey(orderId), JSON.stringify({ requestId: this.requestId }));
  }

  /**
   * Adds the steps of a response.
   *
   * @throws {@link InvalidStateError} when an earlier run got other steps
   */
  async recordLaterSteps(actions: readonly PlannedStep[]): Promise<void> {
    const recorded = (await this.read(STEPS, StepsEntrySchema)) ?? {};
    const added = digestsOf(actions);
    const differs = Object.entries(added).some(([name, digest]) => (recorded[name] ?? digest) !== digest);
    if (differs) throw this.otherSteps("has other later steps");
    await this.write(STEPS, { ...recorded, ...added });
  }

  /** Undefined if the step may begin. */
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

  setTransaction(position: string, entry: JournaledTransaction): Promise<void> {
    return this.write(position, entry);
  }

  /** Undefined if its calls may begin. */
  async batch(): Promise<JournaledBatch | undefined> {
    const entry = await this.read(BATCH, JournaledBatchSchema);
    return entry?.isVoid === true ? undefined : entry;
  }

  /** @throws {@link InvalidStateError} when it was written for other calls */
  async batchOf(made: BatchCalls): Promise<JournaledBatch | undefined> {
    const entry = await this.batch();
    if (entry === undefined) return undefined;
    const { chainId, from, calls } = entry;
    if (JSON.stringify({ chainId, from, calls }) === JSON.stringify(journaledCalls(made))) return entry;
    throw this.otherSteps("has other calls");
  }

  setBatch(entry: JournaledBatch): Promise<void> {
    return this.write(BATCH, entry);
  }

  async signature(position: string): Promise<`0x${string}` | undefined> {
    return (await this.read(position, SignatureEntrySchema))?.signature as `0x${string}` | undefined;
  }

  setSignature(position: string, signature: string): Promise<void> {
    return this.write(position, { signature });
  }

  handed(position: string): Promise<DelegatedEntry | undefined> {
    return this.read(position, DelegatedEntrySchema);
  }

  setHanded(position: string, entry: DelegatedEntry): Promise<void> {
    return this.write(position, entry);
  }

  /** Whether an earlier run began any of these actions; void ones do not count. */
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

  /** The first of these actions that an earlier run began, with its transaction hash as far as it is known. */
  async findBegun(actions: readonly PlannedStep[]): Promise<{ readonly txHash: string | undefined } | undefined> {
    for (const action of actions) {
      if (!(await this.hasBegun([action]))) continue;
      const entry = action.kind === "transaction" ? await this.transaction(action) : undefined;
      return { txHash: entry?.txHash ?? (await this.batch())?.txHash };
    }
    return undefined;
  }

  /** Whether there is an entry for any of these actions, of whatever quote. */
  async isUsed(actions: readonly PlannedStep[]): Promise<boolean> {
    const names = actions.length === 0 ? [] : [BATCH, ...actions.map(({ position }) => position)];
    const entries = await Promise.all(names.map((name) => this.journal.get(this.key(name))));
    return entries.some((entry) => entry !== undefined);
  }

  /** Whether an earlier run found the payment of a lost journal, and follows it. */
  async isFound(): Promise<boolean> {
    return (await this.journal.get(this.key(FOUND))) !== undefined;
  }

  setFound(): Promise<void> {
    return this.write(FOUND, true);
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

  /** The destination chain's latest block before the payment: the fill comes later. */
  blockBefore(): Promise<BlockEntry | undefined> {
    return this.read("destination", BlockEntrySchema);
  }

  setBlockBefore(block: BlockEntry): Promise<void> {
    return this.write("destination", block);
  }

  /** The quote that replaced this one. */
  successor(): Promise<Quote | undefined> {
    return this.readJson("successor").then((quote) =>
      quote === undefined ? undefined : readResponse(QuoteSchema, quote),
    );
  }

  setSuccessor(quote: Quote): Promise<void> {
    return this.write("successor", quote);
  }

  private otherSteps(what: string): InvalidStateError {
    return new InvalidStateError({
      message: `the journal ${what} for request ${this.requestId}`,
      hint: "Pass the quote that the journal belongs to. If the service sent this quote, do not sign it: it reuses the id of another request.",
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
