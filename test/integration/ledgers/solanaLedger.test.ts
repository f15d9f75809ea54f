import { Keypair } from "@solana/web3.js";
import { expect } from "chai";

import type { LedgerParts } from "../../../packages/crosscall/src/localnet/ledgers/ledgerParts.ts";
import { openSolana } from "../../../packages/crosscall/src/localnet/ledgers/solana/openSolana.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import type { Ledger } from "../../../packages/crosscall/src/localnet/market/ledger.ts";
import type { Store } from "../../../packages/crosscall/src/localnet/store/store.ts";
import { createLocalNames } from "../../../packages/oracle/src/server.ts";
import { associatedTokenAccount } from "../../../packages/protocol/src/vms/solanaPrograms.ts";
import { until } from "../../support/until.ts";
import { failureOf } from "../support/failureOf.ts";
import { onEachDatabase } from "../support/onEachDatabase.ts";

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
  const pay = (from: Ledger, recipient: string, currency = USDC): Promise<string> =>
    store.db
      .transaction()
      .execute((db) =>
        from.pay({ key: `fill ${recipient}`, recipient, currency, amount: 2_000_000n, orderId: ORDER }, db),
      );

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
});
