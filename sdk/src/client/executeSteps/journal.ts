import * as Type from "typebox";

import { InvalidStateError } from "../../core/errors.ts";
import { parseData } from "../../protocol/schema/parse.ts";
import { type Quote, QuoteSchema } from "../../protocol/quote/quote.ts";
import { readResponse } from "../../protocol/schema/readResponse.ts";
import { hexText } from "../../protocol/schema/schemaParts.ts";
import type { PlannedStep, PlannedTransaction } from "../../protocol/quote/planSteps.ts";
import { requireJson } from "../../protocol/schema/json.ts";

/**
 * Storage in which an execution records each action before it starts it, so that the next run with the same quote
 * resumes. `set` must be durable when it resolves, and only one execution of a request may use it at a time. It
 * contains signed transactions: a reader can broadcast them, and nothing else.
 */
export interface ExecutionJournal {
  /** The last value set, or undefined. */
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
}

/** Creates a journal that lasts as long as the process. */
export function createMemoryJournal(): ExecutionJournal {
  const entries = new Map<string, string>();
  return {
    get: (key) => Promise.resolve(entries.get(key)),
    set(key, value) {
      entries.set(key, value);
      return Promise.resolve();
    },
  };
}

const JournaledTransactionSchema = Type.Object({
  chainId: Type.Integer(),
  from: Type.String(),
  to: Type.String(),
  data: Type.String(),
  value: Type.String(),
  nonce: Type.Integer({ minimum: 0 }),
  fromBlock: Type.String({ pattern: "^[0-9]+$", description: "The chain's latest block when it was written." }),
  txHash: Type.Optional(hexText("Known before it is sent where the wallet signs first.", 32)),
  signed: Type.Optional(hexText("The signed bytes, where the wallet signs first.")),
  isDeclined: Type.Optional(Type.Boolean({ description: "The user declined, so nothing was sent." })),
});

/** First written before it is sent. */
export type JournaledTransaction = Type.Static<typeof JournaledTransactionSchema>;

const JournaledBatchSchema = Type.Object({
  kind: Type.Union([Type.Literal("bundle"), Type.Literal("gasless")]),
  id: Type.String({ description: "The bundle's id, or the nonce of the batch executor." }),
  chainId: Type.Integer(),
  from: Type.String(),
  calls: Type.Array(
    Type.Object({ position: Type.String(), to: Type.String(), data: Type.String(), value: Type.String() }),
  ),
  isDeclined: Type.Optional(
    Type.Boolean({ description: "The wallet or the service refused it, so nothing was sent." }),
  ),
  isAccepted: Type.Optional(Type.Boolean({ description: "The service sends it." })),
  txHash: Type.Optional(hexText("Of the transaction that made the calls.", 32)),
});

/** Calls that are made at once. First written before they are sent. */
export type JournaledBatch = Type.Static<typeof JournaledBatchSchema>;

const SignatureEntrySchema = Type.Object({ signature: hexText("What is posted.") });
const DelegatedEntrySchema = Type.Object({ isDone: Type.Boolean(), result: Type.Optional(Type.String()) });

const BlockEntrySchema = Type.Object({
  number: Type.String({ pattern: "^[0-9]+$" }),
  hash: hexText("Of the block with this number.", 32),
});

/** A block of the destination chain. */
export type BlockEntry = Type.Static<typeof BlockEntrySchema>;

/** Records that an action was passed to a callback, then its result. */
export type DelegatedEntry = Type.Static<typeof DelegatedEntrySchema>;

/** Its name in the journal: a request has one. */
const BATCH = "batch";

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

function isIn(batch: JournaledBatch | undefined, { position }: PlannedStep): boolean {
  return batch?.calls.some((call) => call.position === position) === true;
}

export class RequestJournal {
  private readonly journal: ExecutionJournal;
  private readonly requestId: string;

  constructor(journal: ExecutionJournal, requestId: string) {
    this.journal = journal;
    this.requestId = requestId;
  }

  /** Undefined if the user declined it. */
  async transaction(planned: PlannedTransaction): Promise<JournaledTransaction | undefined> {
    const entry = await this.read(planned.position, JournaledTransactionSchema);
    if (entry === undefined || entry.isDeclined === true) return undefined;
    const isSame =
      entry.chainId === planned.chainId &&
      entry.from === planned.from &&
      entry.to === planned.to &&
      entry.data === planned.data &&
      entry.value === planned.value.toString();
    if (isSame) return entry;
    throw new InvalidStateError({
      message: `the journal has another transaction for step ${planned.stepId} of request ${this.requestId}`,
      hint: "Pass the quote that the journal belongs to.",
    });
  }

  setTransaction(position: string, entry: JournaledTransaction): Promise<void> {
    return this.write(position, entry);
  }

  /** Undefined if the wallet or the service refused it. */
  async batch(): Promise<JournaledBatch | undefined> {
    const entry = await this.read(BATCH, JournaledBatchSchema);
    return entry?.isDeclined === true ? undefined : entry;
  }

  /** @throws {@link InvalidStateError} when it was written for other calls */
  async batchOf(made: BatchCalls): Promise<JournaledBatch | undefined> {
    const entry = await this.batch();
    if (entry === undefined) return undefined;
    const { chainId, from, calls } = entry;
    if (JSON.stringify({ chainId, from, calls }) === JSON.stringify(journaledCalls(made))) return entry;
    throw new InvalidStateError({
      message: `the journal has other calls for request ${this.requestId}`,
      hint: "Pass the quote that the journal belongs to.",
    });
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

  /** Whether an earlier run began any of these actions; declined ones do not count. */
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

  /** Whether there is an entry for any of these actions, of whatever quote. */
  async isUsed(actions: readonly PlannedStep[]): Promise<boolean> {
    const names = actions.length === 0 ? [] : [BATCH, ...actions.map(({ position }) => position)];
    const entries = await Promise.all(names.map((name) => this.journal.get(this.key(name))));
    return entries.some((entry) => entry !== undefined);
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
