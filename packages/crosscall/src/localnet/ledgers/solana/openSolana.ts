import { InvalidStateError } from "@crosscall/protocol/core";
import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import type { Ledger } from "../../market/ledger.ts";
import { findSimulatedChain } from "../../market/simulatedChains.ts";
import { followChain } from "../../store/scans.ts";
import type { LedgerParts } from "../ledgerParts.ts";
import { type LedgerServer, serveLedger } from "../serveLedger.ts";
import { serveSubscriptions } from "./serveSubscriptions.ts";
import { SWAP_SOURCES } from "./pools.ts";
import { GENESIS_HASH } from "./slots.ts";
import type { Simulator } from "./solanaChain.ts";
import type { SolanaLedger } from "./solanaLedger.ts";

/**
 * Opens the API of a Solana chain, which is created on first use.
 *
 * @throws {@link InvalidStateError} if the simulator cannot be loaded
 */
export async function openSolana(parts: LedgerParts): Promise<Ledger> {
  const simulator = await loadSimulator();
  // From now on, no process on the database simulates this chain's payments without running it.
  await followChain(parts.db, SVM_CHAIN_ID, GENESIS_HASH);
  const simulated = findSimulatedChain(SVM_CHAIN_ID);
  if (simulated === undefined) throw new Error("the network does not quote Solana");
  const open = async (): Promise<SolanaLedger> => {
    const { createSolanaLedger } = await import("./solanaLedger.ts");
    return createSolanaLedger(parts, simulated, simulator);
  };
  let loading: Promise<SolanaLedger> | undefined;
  const load = (): Promise<SolanaLedger> => {
    loading ??= open().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  let refreshing = Promise.resolve();
  // Subscribes now, because the first use may be in a transaction, and an embedded database has only one connection.
  const changes = await parts.onLedgerChange(SVM_CHAIN_ID, () => {
    refreshing = refreshing
      .then(async () => (await loading)?.refresh())
      .catch((error: unknown) => parts.log.error({ error }, "the Solana chain cannot be read"));
  });
  const { url, websocketUrl, close } = await serve(parts, load);
  return {
    url,
    websocketUrl,
    oracleChain: { vmType: "solana-vm", httpRpcUrl: url },
    swapSources: SWAP_SOURCES,
    findSwap: async (swap, purpose) => (await load()).findSwap(swap, purpose),
    rentOf: async (recipient, currency) => (await load()).rentOf(recipient, currency),
    balanceOf: async (account, currency) => (await load()).balanceOf(account, currency),
    depositData: async (deposit) => (await load()).depositData(deposit),
    pay: async (payment, db) => (await load()).pay(payment, db),
    fund: async (account, currency, amount) => (await load()).fund(account, currency, amount),
    hasTransaction: async (hash) => (await load()).hasTransaction(hash),
    async close() {
      await close();
      await loading?.catch(() => undefined);
      await changes.stop();
      await refreshing;
    },
  };
}

/** Number of attempts to find two free ports in a row. */
const PORT_ATTEMPTS = 20;

interface SolanaServer {
  readonly url: string;
  readonly websocketUrl: string;
  readonly close: () => Promise<void>;
}

/** Serves the API, and the subscriptions on the port after it, where @solana/web3.js looks for them. */
async function serve({ names, log }: LedgerParts, load: () => Promise<SolanaLedger>): Promise<SolanaServer> {
  for (let attempt = 1; ; attempt++) {
    const server = await serveLedger({ names, log, respond: async (call) => (await load()).respond(call) });
    const port = Number(new URL(server.url).port) + 1;
    const subscriptions = await openAt(port, server, attempt, () =>
      serveSubscriptions({ names, log, port, loadChain: load }),
    );
    if (subscriptions === undefined) continue;
    return {
      url: server.url,
      websocketUrl: subscriptions.url,
      async close() {
        await subscriptions.close();
        await server.close();
      },
    };
  }
}

/** Returns undefined if the port is in use, and another one can be tried. */
async function openAt(
  port: number,
  server: LedgerServer,
  attempt: number,
  open: () => Promise<LedgerServer>,
): Promise<LedgerServer | undefined> {
  try {
    return await open();
  } catch (error) {
    await server.close();
    const isUsed = (error as NodeJS.ErrnoException).code === "EADDRINUSE" || port > 65_535;
    if (!isUsed || attempt === PORT_ATTEMPTS) throw error;
    return undefined;
  }
}

async function loadSimulator(): Promise<Simulator> {
  try {
    return await import("litesvm");
  } catch (cause) {
    throw new InvalidStateError({
      message: "the Solana simulator litesvm, which runs chain 792703809, cannot be loaded",
      hint: "Install it: `npm install --save-dev litesvm`, or start the network without svm.",
      cause,
    });
  }
}
