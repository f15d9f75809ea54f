import { Keypair } from "@solana/web3.js";
import { expect } from "chai";
import { sql } from "kysely";
import * as litesvm from "litesvm";

import type { LedgerParts } from "../../../packages/crosscall/src/localnet/ledgers/ledgerParts.ts";
import { FAUCET } from "../../../packages/crosscall/src/localnet/ledgers/solana/genesis.ts";
import { openSolana } from "../../../packages/crosscall/src/localnet/ledgers/solana/openSolana.ts";
import { Slots } from "../../../packages/crosscall/src/localnet/ledgers/solana/slots.ts";
import { createSolanaLedger } from "../../../packages/crosscall/src/localnet/ledgers/solana/solanaLedger.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import type { Ledger } from "../../../packages/crosscall/src/localnet/market/ledger.ts";
import { findSimulatedChain } from "../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { SVM_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import { createLocalNames } from "../../../packages/oracle/src/server.ts";
import { associatedTokenAccount } from "../../../packages/protocol/src/vms/solanaPrograms.ts";
import { until } from "../../support/until.ts";
import { failureOf } from "../support/failureOf.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";

const SOL = "11111111111111111111111111111111";
const USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const TOKEN = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
const ORDER = `0x${"cd".repeat(32)}`;

const newAddress = (): string => Keypair.generate().publicKey.toBase58();

/** A websocket client that keeps what it receives. */
async function connect(url: string) {
  const socket = new WebSocket(url);
  const received: { id?: number; error?: { code: number }; params?: { result: { value: unknown } } }[] = [];
  socket.addEventListener("message", ({ data }) => received.push(JSON.parse(String(data)) as (typeof received)[0]));
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let lastId = 0;
  return {
    async call(method: string, ...params: readonly unknown[]) {
      const id = ++lastId;
      socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
      return until(() => Promise.resolve(received.find((message) => message.id === id)));
    },
    values: () => received.flatMap(({ params }) => (params === undefined ? [] : [params.result.value])),
    close: () => socket.close(),
  };
}

onEachDatabase("a Solana ledger", (openStore) => {
  let store: Store;
  let parts: LedgerParts;
  let [ledger, other]: Ledger[] = [];

  before(async () => {
    store = await openStore();
    parts = {
      db: store.db,
      onLedgerChange: store.onLedgerChange,
      onArrival: () => Promise.resolve(),
      names: createLocalNames([]),
      clock: { now: () => Date.now() },
      log: createLog("silent"),
    };
    // As in two processes.
    ledger = await openSolana(parts);
    other = await openSolana(parts);
  });
  after(async () => {
    await ledger?.close();
    await other?.close();
    await store.close();
  });

  const ledgers = (): [Ledger, Ledger] => [ledger ?? expect.fail("no ledger"), other ?? expect.fail("no ledger")];
  const pay = (from: Ledger, recipient: string, currency = USDC, amount = 2_000_000n): Promise<string> =>
    store.db
      .transaction()
      .execute((db) => from.pay({ key: `fill ${recipient}`, recipient, currency, amount, orderId: ORDER }, db));

  // As after a restart that continues a refund.
  it("pays as its first use, within a transaction of the caller", async () => {
    const opened = await openSolana(parts);
    try {
      const paid = await pay(opened, newAddress());
      expect(await opened.hasTransaction?.(paid)).to.equal(true);
    } finally {
      await opened.close();
    }
  });

  it("lists blocks of other processes only when no payment in their slots is in progress", async () => {
    const [payer, reader] = ledgers();
    const currentSlot = (): number => new Slots(parts.clock).current().slot;
    const untilLater = (slot: number) => until(() => Promise.resolve(currentSlot() > slot));
    // The current slot may have payments of other tests.
    await untilLater(currentSlot());
    const start = currentSlot();
    let isCommitted = false;
    const { blocks } = await store.db.transaction().execute(async (db) => {
      const recipient = newAddress();
      await payer.pay({ key: `fill ${recipient}`, recipient, currency: USDC, amount: 2n, orderId: ORDER }, db);
      const paid = currentSlot();
      await untilLater(paid);
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getBlocks", params: [start, paid] });
      const listed = fetch(reader.url, { method: "POST", body })
        .then((response) => response.json())
        .then((response) => {
          expect(isCommitted).to.equal(true);
          return response as { result: number[] };
        });
      await Promise.race([listed, untilLater(currentSlot())]);
      isCommitted = true;
      // In an object, because the transaction would wait for a promise.
      return { blocks: listed };
    });
    expect((await blocks).result).to.have.length(1);
  });

  it("pays while a client watches an account that its encoding cannot contain", async () => {
    const [own] = ledgers();
    const recipient = newAddress();
    const account = associatedTokenAccount(recipient, USDC, TOKEN);
    const client = await connect(own.websocketUrl ?? "");
    try {
      const unknown = await client.call("accountSubscribe", account, { encoding: "base1" });
      expect(unknown.error?.code).to.equal(-32_602);
      expect(await client.call("accountSubscribe", account, { encoding: "base58" })).to.have.property("result");
      await pay(own, recipient);
      await own.fund(recipient, USDC, 3_000_000n);
      const balances = await Promise.all(ledgers().map((each) => each.balanceOf!(recipient, USDC)));
      expect(balances).to.deep.equal([5_000_000n, 5_000_000n]);
      await until(() => Promise.resolve(client.values().length === 2));
      const data = client.values().map((value) => (value as { data: unknown }).data);
      expect(data[0]).to.deep.equal(["error: data too large for bs58 encoding", "base58"]);
    } finally {
      client.close();
    }
  });

  it("reports payments of every process when they are committed, and none that is rolled back", async () => {
    const [own, second] = ledgers();
    const recipient = newAddress();
    const client = await connect(own.websocketUrl ?? "");
    try {
      await client.call("accountSubscribe", associatedTokenAccount(recipient, USDC, TOKEN), { encoding: "jsonParsed" });
      const rolledBack = new Error("rolled back");
      let lost = "";
      const failing = store.db.transaction().execute(async (db) => {
        const payment = { recipient, currency: USDC, amount: 1n, orderId: ORDER };
        lost = await own.pay({ ...payment, key: "lost" }, db);
        throw rolledBack;
      });
      expect(await failureOf(failing)).to.equal(rolledBack);
      expect(await own.hasTransaction!(lost)).to.equal(false);
      const amounts = (): string[] =>
        client.values().map((value) => {
          const { data } = value as { data: { parsed: { info: { tokenAmount: { amount: string } } } } };
          return data.parsed.info.tokenAmount.amount;
        });
      const hash = await pay(second, recipient);
      await until(() => Promise.resolve(amounts().length > 0));
      expect(await own.hasTransaction!(hash)).to.equal(true);
      await own.fund(recipient, USDC, 5n);
      await until(() => Promise.resolve(amounts().length > 1));
      expect(amounts()).to.deep.equal(["2000000", "2000005"]);
    } finally {
      client.close();
    }
  });

  it("rejects payments without applying the transactions of the chain again", async () => {
    let created = 0;
    class CountedSVM extends litesvm.LiteSVM {
      constructor() {
        super();
        created += 1;
      }
    }
    const simulated = findSimulatedChain(SVM_CHAIN_ID) ?? expect.fail("no Solana");
    const counted = createSolanaLedger(parts, simulated, { ...litesvm, LiteSVM: CountedSVM });
    const payCounted = (amount: bigint): Promise<string> => {
      const recipient = newAddress();
      const payment = { key: `counted ${recipient}`, recipient, currency: SOL, amount, orderId: ORDER };
      return store.db.transaction().execute((db) => counted.pay(payment, db));
    };
    expect(await failureOf(payCounted(1n))).to.have.property("failReason", "INSUFFICIENT_FUNDS_FOR_RENT");
    const airdrop = { jsonrpc: "2.0", id: 1, method: "requestAirdrop", params: [newAddress(), 1] };
    const query = new URLSearchParams();
    const { body } = await counted.respond({ method: "POST", path: "/", query, body: JSON.stringify(airdrop) });
    expect(body).to.have.nested.property("error.code", -32_603);
    expect(await failureOf(counted.fund(newAddress(), SOL, 1n))).to.have.property("code");
    await payCounted(1_000_000n);
    expect(created).to.equal(1);
  });

  it("pays more than the solver holds, whatever was funded before", async () => {
    const [own] = ledgers();
    const call = async (method: string, ...params: readonly unknown[]) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      return (await (await fetch(own.url, { method: "POST", body })).json()) as { error?: { code: number } };
    };
    for (const lamports of [0, 10 ** 15 + 1, Number.MAX_SAFE_INTEGER]) {
      expect((await call("requestAirdrop", newAddress(), lamports)).error?.code).to.equal(-32_602);
    }
    const faucet = await own.balanceOf!(FAUCET.address, SOL);
    expect(await call("requestAirdrop", newAddress(), 10 ** 15)).not.to.have.property("error");
    expect(await own.balanceOf!(FAUCET.address, SOL)).to.equal(faucet);
    for (const currency of [SOL, USDC]) {
      const refused = await failureOf(own.fund(newAddress(), currency, 2n ** 64n - 1n));
      expect(refused).to.have.property("code");
      await own.fund(newAddress(), currency, 10n ** 15n);
      const recipient = newAddress();
      await pay(own, recipient, currency, 10n ** 16n);
      expect(await own.balanceOf!(recipient, currency)).to.equal(10n ** 16n);
    }
  });

  it("does not continue if a stored transaction has another result", async () => {
    const [own] = ledgers();
    const simulated = findSimulatedChain(SVM_CHAIN_ID) ?? expect.fail("no Solana");
    await pay(own, newAddress());
    const changed = { error: { InstructionError: [0, "GenericError"] } };
    await sql`update ledger_entries set entry = (entry::jsonb || ${JSON.stringify(changed)}::jsonb)::json
      where position = (select max(position) from ledger_entries)`.execute(store.db);
    const restarted = createSolanaLedger(parts, simulated, litesvm);
    for (let attempt = 1; attempt <= 2; attempt++) {
      expect(await failureOf(restarted.read())).to.have.property("code", "INVALID_STATE");
    }
  });
});
