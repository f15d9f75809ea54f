import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { createWalletClient, type Hex, http, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import { createServiceClient, watchRequest } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import type { TransactionData } from "../../packages/protocol/src/quote/step.ts";
import { describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/index.ts";
import { countFills } from "../integration/support/heldFills.ts";
import { startAnvil, stopPrograms } from "../integration/support/processes.ts";
import { type RpcGate, startRpcGate } from "../integration/support/rpcGate.ts";
import { requestIdOf } from "../integration/support/requests.ts";
import { getQuote, getStatus } from "../support/complete.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { until } from "../support/until.ts";
import { type Service, startService } from "./crash/service.ts";

const ORIGIN_ID = 31_337;
const DESTINATION_ID = 31_338;

describe("held fills of a service that is killed", () => {
  let folder: string;
  let urls: [string, string];
  let gate: RpcGate;
  let service: Service;
  let database: readonly string[];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-held-"));
    const nodes = await Promise.all([startAnvil(ORIGIN_ID), startAnvil(DESTINATION_ID)]);
    gate = await startRpcGate(nodes[1].ready);
    urls = [nodes[0].ready, gate.url];
  });
  after(async () => {
    await stopPrograms();
    await gate.close();
    await rm(folder, { recursive: true, force: true });
  });

  const start = (): Promise<Service> =>
    startService({
      chains: [
        { id: ORIGIN_ID, rpcUrl: urls[0] },
        { id: DESTINATION_ID, rpcUrl: urls[1] },
      ],
      database,
    });
  const restart = async (): Promise<void> => {
    await service.stop("SIGKILL");
    service = await start();
  };
  async function call(path: string, body?: object, at: Service = service) {
    const response = await fetch(`${at.ready.url}/admin/fills${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { "x-admin-key": at.ready.adminKey, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as { held: { requestId: string }[] } };
  }
  const heldIds = async () => (await call("")).body.held.map(({ requestId }) => requestId);
  const client = (at: Service = service) => createServiceClient({ baseUrl: at.ready.url });

  async function deposit(at: Service = service): Promise<Quote> {
    const [, destination] = at.ready.chains;
    const quote = await getQuote(client(at), {
      user: localAccounts.user.address,
      originChainId: ORIGIN_ID,
      destinationChainId: DESTINATION_ID,
      originCurrency: zeroAddress,
      destinationCurrency: destination?.contracts.dollar ?? zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: parseEther("0.1").toString(),
    });
    const { to, data, value } = quote.steps[0]!.items[0]!.data as TransactionData;
    const wallet = createWalletClient({
      account: localAccounts.user,
      chain: describeChain(ORIGIN_ID, urls[0]),
      transport: http(urls[0]),
      pollingInterval: 10,
    });
    const hash = await sendTransaction(wallet, { to: to as Hex, data: data as Hex, value: BigInt(value ?? 0) });
    await waitForTransactionReceipt(wallet, { hash });
    return quote;
  }
  async function hold(at: Service = service): Promise<Quote> {
    const quote = await deposit(at);
    await until(async () => (await heldIds()).includes(requestIdOf(quote)));
    return quote;
  }
  async function expectFilledOnce(quote: Quote): Promise<void> {
    const { outcome } = await watchRequest(client(), {
      requestId: requestIdOf(quote),
      pollIntervalMs: 25,
      timeoutMs: 300_000,
    });
    expect([outcome, await countFills({ id: DESTINATION_ID, rpcUrl: urls[1] }, quote)]).to.deep.equal(["success", 1]);
  }

  for (const kind of ["PGlite", "PostgreSQL"] as const) {
    describe(`on ${kind}`, () => {
      before(async () => {
        database =
          kind === "PGlite"
            ? ["--database", join(folder, "database")]
            : ["--database-url", await newPostgresDatabase()];
        service = await start();
        await call("/hold", {});
      });
      after(() => service.stop("SIGKILL"));

      it("stay held, and are filled once after their release", async () => {
        const quote = await hold();
        await restart();
        expect(await heldIds()).to.deep.equal([requestIdOf(quote)]);
        expect((await getStatus(client(), { requestId: requestIdOf(quote) })).status).to.equal("pending");
        expect((await call("/release", { requestId: requestIdOf(quote) })).status).to.equal(200);
        await expectFilledOnce(quote);
      });

      it("are filled once if the service is killed right after the release", async () => {
        const quote = await hold();
        expect((await call("/release", { requestId: requestIdOf(quote) })).status).to.equal(200);
        await restart();
        expect((await call("/release", { requestId: requestIdOf(quote) })).status).to.equal(409);
        await expectFilledOnce(quote);
      });

      it("are filled once if the service is killed between the signature and the fill", async () => {
        const quote = await hold();
        const sent = gate.hold("eth_sendRawTransaction");
        await call("/release", { requestId: requestIdOf(quote) });
        await sent;
        await service.stop("SIGKILL");
        gate.release();
        service = await start();
        await expectFilledOnce(quote);
      });
    });
  }
});
