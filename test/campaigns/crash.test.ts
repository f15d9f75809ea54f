import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect } from "chai";
import { type Address, createWalletClient, type Hex, http, parseEther, zeroAddress } from "viem";
import { getTransactionReceipt, sendTransaction } from "viem/actions";

import { createServiceClient, watchRequest } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import { parseData } from "../../packages/protocol/src/index.ts";
import { TransactionDataSchema } from "../../packages/protocol/src/quote/step.ts";
import { chainClient, describeChain } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";
import { localAccounts } from "../../packages/crosscall/src/localnet/index.ts";
import { failureOf } from "../integration/support/failureOf.ts";
import { type RunningProgram, startAnvil, startProgram, stopPrograms } from "../integration/support/processes.ts";
import { type RpcGate, startRpcGate } from "../integration/support/rpcGate.ts";
import { getQuote, getStatus } from "../support/complete.ts";
import { until } from "../support/until.ts";

const ORIGIN_ID = 31_337;
const DESTINATION_ID = 31_338;

/** A service and its solver, running in a separate process. */
interface RunningService extends RunningProgram {
  readonly ready: { readonly url: string; readonly dollar: Address };
}

// The chains run in separate processes. The tests kill the service, its solver and its database.
describe("a service that is killed between deposit and fill", () => {
  let folder: string;
  let originUrl: string;
  let destinationUrl: string;
  let gate: RpcGate;
  let service: RunningService;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "crosscall-crash-"));
    const nodes = await Promise.all([startAnvil(ORIGIN_ID), startAnvil(DESTINATION_ID)]);
    originUrl = nodes[0].ready;
    gate = await startRpcGate(nodes[1].ready);
    destinationUrl = gate.url;
    service = await startService();
  });
  after(async () => {
    await stopPrograms();
    await gate.close();
    await rm(folder, { recursive: true, force: true });
  });

  it("fills each deposit made during its downtime once", async () => {
    const quote = await takeQuote();
    await service.stop("SIGKILL");
    await deposit(quote);
    service = await startService();
    await expectFilledOnce(quote);
  });

  it("fills once after a crash between signing and sending", async () => {
    const quote = await takeQuote();
    const reachedTheGate = gate.hold("eth_sendRawTransaction");
    await deposit(quote);
    await reachedTheGate;
    await service.stop("SIGKILL");
    gate.release();
    service = await startService();
    await expectFilledOnce(quote);
  });

  it("fills once after a crash between sending and inclusion", async () => {
    const destination = chainClient(DESTINATION_ID, destinationUrl);
    const setAutomine = (isOn: boolean) =>
      destination.request<{ Method: "evm_setAutomine"; Parameters: [boolean]; ReturnType: boolean }>({
        method: "evm_setAutomine",
        params: [isOn],
      });
    await setAutomine(false);
    const quote = await takeQuote();
    await deposit(quote);
    await untilStatus(quote, "submitted");
    await service.stop("SIGKILL");
    service = await startService();
    expect(await statusOf(quote)).to.equal("submitted");
    await setAutomine(true);
    await destination.request<{ Method: "evm_mine"; Parameters: []; ReturnType: string }>({
      method: "evm_mine",
      params: [],
    });
    await expectFilledOnce(quote);
  });

  it("rejects its database if other chains have the same ids", async () => {
    const other = await startAnvil(DESTINATION_ID);
    await service.stop("SIGKILL");
    const failure = await failureOf(startService(other.ready));
    service = await startService();
    expect(failure).to.be.instanceOf(Error);
    expect(JSON.parse((failure as Error).message)).to.have.nested.property("error.cause.code", "INVALID_STATE");
  });

  function startService(destination = destinationUrl): Promise<RunningService> {
    const args = [
      "packages/crosscall/src/main.ts",
      "up",
      "--keep-retired",
      "--json",
      "--chain",
      `${ORIGIN_ID}=${originUrl}`,
      "--chain",
      `${DESTINATION_ID}=${destination}`,
      "--database",
      folder,
      "--port",
      "0",
      "--limits",
      "off",
    ];
    return startProgram(process.execPath, args, (line) => {
      const up = JSON.parse(line) as { ok: boolean; url: string; chains: { contracts: { dollar: Address } }[] };
      if (!up.ok) throw new Error(line);
      return { url: up.url, dollar: up.chains[1]?.contracts.dollar ?? zeroAddress };
    });
  }

  function client() {
    return createServiceClient({ baseUrl: service.ready.url });
  }

  function takeQuote(): Promise<Quote> {
    return getQuote(client(), {
      user: localAccounts.user.address,
      originChainId: ORIGIN_ID,
      destinationChainId: DESTINATION_ID,
      originCurrency: zeroAddress,
      destinationCurrency: service.ready.dollar,
      tradeType: "EXACT_INPUT",
      amount: parseEther("1").toString(),
    });
  }

  async function deposit(quote: Quote): Promise<void> {
    const item = parseData(TransactionDataSchema, quote.steps[0]?.items[0]?.data, "the deposit");
    const wallet = createWalletClient({
      account: localAccounts.user,
      chain: describeChain(ORIGIN_ID, originUrl),
      transport: http(originUrl),
      pollingInterval: 10,
    });
    const hash = await sendTransaction(wallet, {
      to: item.to as Address,
      data: item.data as Hex,
      value: BigInt(item.value ?? 0),
    });
    // viem's waitForTransactionReceipt can miss the last block of a chain without further blocks.
    await until(() => getTransactionReceipt(wallet, { hash }).catch(() => undefined));
  }

  async function statusOf(quote: Quote): Promise<string> {
    return (await getStatus(client(), { requestId: quote.steps[0]?.requestId ?? "" })).status;
  }

  async function untilStatus(quote: Quote, status: string): Promise<void> {
    while ((await statusOf(quote)) !== status) await new Promise((resolve) => setTimeout(resolve, 10));
  }

  /** Watches the request until it succeeds, and returns the number of destination transactions with its order id. */
  async function expectFilledOnce(quote: Quote): Promise<void> {
    await watchRequest(client(), {
      requestId: quote.steps[0]?.requestId ?? "",
      pollIntervalMs: 25,
      timeoutMs: 300_000,
    });
    const destination = chainClient(DESTINATION_ID, destinationUrl);
    const orderId = quote.protocol?.v2.orderId.slice(2) ?? "missing";
    const latest = await destination.getBlockNumber();
    let fills = 0;
    for (let blockNumber = 0n; blockNumber <= latest; blockNumber += 1n) {
      const { transactions } = await destination.getBlock({ blockNumber, includeTransactions: true });
      fills += transactions.filter(({ input }) => input.endsWith(orderId)).length;
    }
    expect(fills).to.equal(1);
  }
});
