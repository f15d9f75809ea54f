import { parseJson } from "@crosscall/protocol/schema";
import { encodeAccount, requireEncoding } from "./accountJson.ts";
import { inContext, isRecord, keyAt, optionsAt, type Params, RpcError, signatureAt } from "./params.ts";
import { SLOT_MS } from "./slots.ts";
import type { IncludedTransaction, SolanaChain } from "./solanaChain.ts";
import { respondTo } from "./respondTo.ts";

/** The subscriptions of one connection. */
export interface Subscriptions {
  /** Handles a message of the client. */
  readonly receive: (text: string) => Promise<void>;
  readonly close: () => void;
}

interface Subscription {
  /** The type of the subscription: the start of its methods' names. */
  readonly type: string;
  /** Returns the notification for a transaction, or undefined if there is none. */
  readonly onTransaction?: (included: IncludedTransaction, chain: SolanaChain) => unknown;
  /** Transaction from before the subscription to report. */
  readonly first?: IncludedTransaction | undefined;
  /** Ends the subscription after its first notification. */
  readonly isOnce?: boolean;
}

type Open = (chain: SolanaChain, params: Params) => Omit<Subscription, "type">;

const TYPES: Readonly<Record<string, Open>> = {
  account(_chain, params) {
    const address = keyAt(params, 0);
    const format = { encoding: "base64", ...optionsAt(params, 1) };
    requireEncoding(format);
    return {
      onTransaction({ keys }, chain) {
        const account = keys.includes(address) ? chain.account(address) : undefined;
        return account && inContext(chain, encodeAccount(chain, account, format));
      },
    };
  },
  logs(_chain, [filter]) {
    const mentions = isRecord(filter) && Array.isArray(filter.mentions) ? keyAt(filter.mentions, 0) : undefined;
    return {
      onTransaction({ keys, signature, error, logs }, chain) {
        if (mentions !== undefined && !keys.includes(mentions)) return undefined;
        return inContext(chain, { signature, err: error ?? null, logs });
      },
    };
  },
  signature(chain, params) {
    const wanted = signatureAt(params, 0);
    return {
      isOnce: true,
      // The transaction may already be in a block.
      first: chain.transactions.get(wanted),
      onTransaction: ({ signature, error }, { slots }) =>
        signature === wanted ? inContext({ slots }, { err: error ?? null }) : undefined,
    };
  },
  slot: () => ({}),
};

const METHOD = /^(?<type>[a-z]+)(?<verb>Subscribe|Unsubscribe)$/u;

/** A chain that reports its transactions. */
export interface WatchedChain {
  readonly read: () => Promise<SolanaChain>;
  /** Calls the listener after each transaction is final. Returns a function that stops this. */
  readonly listen: (listener: (included: IncludedTransaction, chain: SolanaChain) => void) => () => void;
}

/** @param send sends a message to the client */
export function openSubscriptions({ read, listen }: WatchedChain, send: (message: object) => void): Subscriptions {
  const open = new Map<number, Subscription>();
  let lastId = 0;
  let slotTimer: NodeJS.Timeout | undefined;

  const notify = (id: number, { type, isOnce }: Subscription, result: unknown): void => {
    send({ jsonrpc: "2.0", method: `${type}Notification`, params: { result, subscription: id } });
    if (isOnce === true) open.delete(id);
  };
  const onTransaction = (included: IncludedTransaction, chain: SolanaChain): void => {
    for (const [id, subscription] of open) {
      const result = subscription.onTransaction?.(included, chain);
      if (result !== undefined) notify(id, subscription, result);
    }
  };
  /** Reports slots only to subscribers, so that an idle chain does nothing. */
  const watchSlots = ({ slots }: Pick<SolanaChain, "slots">): void => {
    const watching = [...open].filter(([, { type }]) => type === "slot");
    if (watching.length === 0) {
      clearInterval(slotTimer);
      slotTimer = undefined;
      return;
    }
    slotTimer ??= setInterval(() => {
      const { slot } = slots.current();
      for (const [id, subscription] of open) {
        if (subscription.type === "slot") notify(id, subscription, { parent: slot - 1, root: slot, slot });
      }
    }, SLOT_MS).unref();
  };

  const subscribe = (chain: SolanaChain, type: string, params: Params): number => {
    const openType = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    if (openType === undefined) throw new RpcError(-32_601, "Method not found");
    const subscription = { type, ...openType(chain, params) };
    lastId += 1;
    open.set(lastId, subscription);
    watchSlots(chain);
    return lastId;
  };
  const unsubscribe = (chain: SolanaChain, type: string, [id]: Params): true => {
    if (typeof id !== "number" || open.get(id)?.type !== type) throw new RpcError(-32_602, "Invalid subscription id.");
    open.delete(id);
    watchSlots(chain);
    return true;
  };

  const stop = listen(onTransaction);
  return {
    async receive(text) {
      const chain = await read();
      const before = lastId;
      const response = await respondTo(parseJson(text), (method, params) => {
        const { type = "", verb } = METHOD.exec(method)?.groups ?? {};
        if (verb === "Unsubscribe") return unsubscribe(chain, type, params);
        return subscribe(chain, type, params);
      });
      send(response);
      const subscription = lastId === before ? undefined : open.get(lastId);
      const { first } = subscription ?? {};
      if (subscription === undefined || first === undefined) return;
      // Reports at the next slot, like a node. Clients drop notifications that arrive before they listen.
      const id = lastId;
      setTimeout(() => {
        if (open.has(id)) notify(id, subscription, subscription.onTransaction?.(first, chain));
      }, SLOT_MS).unref();
    },
    close() {
      stop();
      open.clear();
      clearInterval(slotTimer);
    },
  };
}
