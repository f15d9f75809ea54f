import { expect } from "chai";
import pg from "pg";
import { type Hex, parseEther } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { Quote } from "../../../packages/protocol/src/complete.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { createLog } from "../../../packages/crosscall/src/localnet/log.ts";
import { attemptEach } from "../../../packages/crosscall/src/localnet/solver/attemptEach.ts";
import { getStatus } from "../../support/complete.ts";
import { newPostgresDatabase } from "../../support/postgres.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { userWallet } from "../support/parties.ts";
import { depositNative, onNode, orderIdOf, quoteEther, requestIdOf, watchToEnd } from "../support/requests.ts";
import { get, post } from "../support/serviceCalls.ts";

const TIMEOUT_MS = 10_000_000;

const DEADLOCK = "40P01";

describe("a request that cannot be processed", () => {
  let database: string;
  const network = useNetwork(async () => {
    database = await newPostgresDatabase();
    return {
      databaseUrl: database,
      chains: [{ id: 31_337 }, { id: 31_338, depositConfirmations: 2 }],
      sponsoringApiKeys: ["crosscall-local"],
      sponsorBalanceUsd: 10_000,
      depositTimeoutMs: TIMEOUT_MS,
      oracle: false,
    };
  });
  let origin: LocalnetChain;
  let destination: LocalnetChain;

  before(() => {
    [origin, destination] = network.chains;
  });
  afterEach(async () => {
    network.clock.reset();
    await onNode(destination, "evm_setAutomine", true);
    await heal();
  });

  const statusOf = async (quote: Quote): Promise<string> => {
    const { status } = await getStatus(createServiceClient({ baseUrl: network.url }), {
      requestId: requestIdOf(quote),
    });
    return status;
  };
  const untilStatus = (quote: Quote, status: string) => until(async () => (await statusOf(quote)) === status);
  const quoteTwo = async (change: Parameters<typeof quoteEther>[1] = {}): Promise<[Quote, Quote]> => [
    await quoteEther(network, change),
    await quoteEther(network, change),
  ];
  const backward = () => ({
    originChainId: destination.id,
    destinationChainId: origin.id,
    destinationCurrency: origin.contracts.dollar,
  });

  it("does not stop the processing of later deposits", async () => {
    const [broken, other] = await quoteTwo();
    await breakRequest(broken);
    await depositNative(network, { id: orderIdOf(broken) });
    await depositNative(network, { id: orderIdOf(other) });
    expect((await watchToEnd(network, requestIdOf(other))).status).to.equal("success");
    expect(await statusOf(broken)).to.equal("waiting");
    await heal();
    expect((await watchToEnd(network, requestIdOf(broken))).status).to.equal("success");
  });

  it("does not stop the processing of later deposit addresses", async () => {
    const [broken, other] = await quoteTwo({ useDepositAddress: true });
    await breakRequest(broken);
    for (const quote of [broken, other]) await payAddress(quote);
    expect((await watchToEnd(network, requestIdOf(other))).status).to.equal("success");
    expect(await statusOf(broken)).to.equal("waiting");
    await heal();
    expect((await watchToEnd(network, requestIdOf(broken))).status).to.equal("success");
  });

  it("does not stop the processing of later transactions", async () => {
    const [broken, other] = await quoteTwo();
    await onNode(destination, "evm_setAutomine", false);
    for (const quote of [broken, other]) {
      await depositNative(network, { id: orderIdOf(quote) });
      await untilStatus(quote, "submitted");
    }
    await breakRequest(broken);
    await onNode(destination, "evm_mine");
    expect((await watchToEnd(network, requestIdOf(other))).status).to.equal("success");
    expect(await statusOf(broken)).to.equal("submitted");
    await heal();
    expect((await watchToEnd(network, requestIdOf(broken))).status).to.equal("success");
  });

  it("does not stop the processing of later user calls", async () => {
    const [broken, other] = await quoteTwo({
      destinationChainId: origin.id,
      destinationCurrency: origin.contracts.dollar,
      amount: parseEther("0.01").toString(),
    });
    await breakRequest(broken);
    for (const quote of [broken, other]) await sendSwap(quote);
    expect((await watchToEnd(network, requestIdOf(other))).status).to.equal("success");
    expect(await statusOf(broken)).to.equal("waiting");
    await heal();
    expect((await watchToEnd(network, requestIdOf(broken))).status).to.equal("success");
  });

  it("does not stop the processing of later deposit announcements", async () => {
    const [broken, other] = await quoteTwo(backward());
    await breakRequest(broken);
    for (const quote of [broken, other]) await depositNative(network, { chain: destination, id: orderIdOf(quote) });
    await untilStatus(other, "depositing");
    expect(await statusOf(broken)).to.equal("waiting");
    await heal();
    await onNode(destination, "hardhat_mine", "0x2");
    for (const quote of [broken, other]) {
      expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    }
  });

  it("does not stop the processing of later timeouts", async () => {
    const [broken, other] = await quoteTwo(backward());
    for (const quote of [broken, other]) {
      await depositNative(network, { chain: destination, id: orderIdOf(quote) });
      await untilStatus(quote, "depositing");
    }
    await breakRequest(broken);
    network.clock.setOffset(TIMEOUT_MS + 1_000);
    expect((await watchToEnd(network, requestIdOf(other))).status).to.equal("failure");
    expect(await statusOf(broken)).to.equal("depositing");
  });

  it("does not stop the processing of later fast fill debits", async () => {
    const [broken, other] = await quoteTwo();
    for (const quote of [broken, other]) {
      const answer = await post(
        network,
        "/fast-fill",
        { requestId: requestIdOf(quote) },
        { "x-api-key": network.apiKey },
      );
      expect(answer).to.include({ status: 200 });
      await untilStatus(quote, "success");
    }
    await breakRequest(broken);
    network.clock.setOffset(TIMEOUT_MS + 1_000);
    const balance = async () => {
      const { body } = await get(network, `/admin/sponsors?apiKey=${network.apiKey}`, {
        "x-admin-key": network.adminKey,
      });
      return BigInt((body as { balance: string }).balance);
    };
    const first = await until(async () => {
      const present = await balance();
      return present < 10_000_000_000n && present;
    });
    const difference = Number(10_000_000_000n - first) / 1e6 - Number(other.details.currencyOut.amountUsd);
    expect(Math.abs(difference) < 0.000_002, `${difference}`).to.equal(true);
    await heal();
    await until(async () => (await balance()) < first);
  });

  async function payAddress(quote: Quote): Promise<void> {
    const to = quote.steps[0]?.depositAddress as Hex;
    const wallet = userWallet(network, origin);
    const hash = await sendTransaction(wallet, { to, value: parseEther("1") });
    await waitForTransactionReceipt(wallet, { hash });
  }

  async function sendSwap(quote: Quote): Promise<void> {
    const data = quote.steps.at(-1)?.items[0]?.data as { to: Hex; data: Hex; value: string };
    const wallet = userWallet(network, origin);
    const hash = await sendTransaction(wallet, { to: data.to, data: data.data, value: BigInt(data.value) });
    await waitForTransactionReceipt(wallet, { hash });
  }

  /** Makes the database reject every later change to the request. */
  async function breakRequest(quote: Quote): Promise<void> {
    await query(
      `create or replace function reject_change() returns trigger language plpgsql as $$
        begin raise exception 'this row cannot change'; end $$`,
      `create trigger broken before update on requests for each row
        when (old.id = '${requestIdOf(quote)}') execute function reject_change()`,
      `create trigger broken before update on fast_fills for each row
        when (old.request_id = '${requestIdOf(quote)}') execute function reject_change()`,
    );
  }

  async function heal(): Promise<void> {
    await query("drop trigger if exists broken on requests", "drop trigger if exists broken on fast_fills");
  }

  /** Runs each statement in its own transaction, again if its locks on partitions deadlock with the solver's. */
  async function query(...statements: readonly string[]): Promise<void> {
    const client = new pg.Client({ connectionString: database });
    await client.connect();
    try {
      for (const statement of statements) {
        await until(() =>
          client.query(statement).then(
            () => true,
            (error: unknown) => {
              if (error instanceof pg.DatabaseError && error.code === DEADLOCK) return false;
              throw error;
            },
          ),
        );
      }
    } finally {
      await client.end();
    }
  }
});

describe("processing several items", () => {
  const log = createLog("silent");

  it("stops and reports the abort when aborted", async () => {
    const stop = new AbortController();
    const tried: number[] = [];
    const work = attemptEach({ log }, [1, 2, 3], {
      what: "test",
      facts: (item) => ({ item }),
      attempt(item) {
        tried.push(item);
        if (item === 2) stop.abort();
        return item === 1 ? Promise.reject(new Error("no")) : Promise.resolve();
      },
      signal: stop.signal,
    });
    const error: unknown = await work.catch((reason: unknown) => reason);
    expect(error).to.include({ code: "ABORTED" });
    expect(tried).to.deep.equal([1, 2]);
  });
});
