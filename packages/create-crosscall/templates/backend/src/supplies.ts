import {
  createStatusFeed,
  executeSteps,
  getQuote,
  requestIdOf,
  RequestNotFilledError,
  type ServiceClient,
} from "@crosscall/sdk";
import { aaveV3Supply, planRecipe } from "@crosscall/sdk/calls";
import type { Quote } from "@crosscall/protocol";
import { routerOn } from "@crosscall/sdk/verify";
import { type Account, type Address, type Chain, type Transport, type WalletClient, zeroAddress } from "viem";

import type { Store, Supply } from "./store.ts";

/** Route from a payment on one chain to a supply to Aave on another chain. */
export interface Route {
  readonly originChainId: number;
  readonly destinationChainId: number;
  readonly asset: Address;
  readonly pool: Address;
  readonly aToken: Address;
}

export type Supplies = ReturnType<typeof createSupplies>;

/** Pays supplies one at a time, because they share one account's nonces. */
export function createSupplies({
  client,
  wallet,
  store,
  route,
}: {
  readonly client: ServiceClient;
  readonly wallet: WalletClient<Transport, Chain | undefined, Account>;
  readonly store: Store;
  readonly route: Route;
}) {
  const feed = createStatusFeed();
  const stop = new AbortController();
  let queue = Promise.resolve();

  /** Requests a quote and pays it. Safe to repeat with the same id. */
  async function create(id: string, amount: bigint, recipient: Address): Promise<Supply> {
    const known = store.find(id);
    if (known !== undefined) return known;
    const { originChainId, destinationChainId, asset, pool, aToken } = route;
    const quote = await getQuote(client, {
      user: wallet.account.address,
      originChainId,
      originCurrency: zeroAddress,
      destinationChainId,
      // reset the allowance, approve, supply, sweep the remainder
      ...planRecipe({
        recipe: aaveV3Supply,
        args: { pool, asset, aToken },
        tradeType: "EXACT_OUTPUT",
        router: routerOn(destinationChainId),
        recipient,
        amount,
      }),
    });
    // Another call with this id can have finished first.
    if (store.find(id) === undefined) {
      store.add(id, requestIdOf(quote), quote);
      enqueue(id, quote);
    }
    return store.find(id)!;
  }

  function enqueue(id: string, quote: Quote): void {
    queue = queue
      .then(() => execute(id, quote))
      .catch((error: unknown) => {
        // The store already has the status of a refund or failure.
        if (stop.signal.aborted || error instanceof RequestNotFilledError) return;
        console.error(`supply ${id}:`, error);
      });
  }

  /** Verifies the quote, sends its transactions, and waits until the request ends. */
  async function execute(id: string, quote: Quote): Promise<void> {
    await executeSteps(client, {
      quote,
      wallet,
      journal: store.journal,
      source: { kind: "webhook", feed },
      signal: stop.signal,
      onEvent(event) {
        if (event.kind === "requoted") store.setRequestId(id, requestIdOf(event.quote));
        if (event.kind === "status") store.setStatus(id, event.status.status);
      },
    });
  }

  return {
    create,
    find: (id: string) => store.find(id),
    /** Handles statuses from webhooks. */
    feed,
    /** Resumes supplies that an earlier process did not finish. */
    resume(): void {
      for (const { id, quote } of store.listOpen()) enqueue(id, quote);
    },
    async close(): Promise<void> {
      stop.abort();
      await queue;
    },
  };
}
