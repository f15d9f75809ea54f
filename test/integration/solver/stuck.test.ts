import { expect } from "chai";
import { createWalletClient, type Hex, http, parseEther, toHex, zeroAddress } from "viem";
import { sendTransaction } from "viem/actions";

import { createServiceClient } from "../../../sdk/src/index.ts";
import type { Quote } from "../../../sdk/src/protocol/complete.ts";
import { describeChain } from "../../../src/devchain/chainClient.ts";
import type { LocalnetChain } from "../../../src/localnet/index.ts";
import { getStatus } from "../../support/complete.ts";
import { until } from "../../support/until.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { reader } from "../support/parties.ts";
import { startAnvil, stopPrograms } from "../support/processes.ts";
import { depositNative, onNode, orderIdOf, quoteEther, requestIdOf, watchToEnd } from "../support/requests.ts";
import { recordOf } from "../support/serviceCalls.ts";

const GWEI = 10n ** 9n;

// Anvil keeps what cannot be mined yet, as live nodes do.
describe("a fill that is stuck", () => {
  const network = useNetwork(async () => {
    const nodes = await Promise.all([startAnvil(31_337), startAnvil(31_338)]);
    return {
      chains: nodes.map(({ ready }, index) => ({ id: 31_337 + index, rpcUrl: ready })),
      inclusionTimeoutMs: 500_000,
    };
  });
  let destination: LocalnetChain;

  before(() => {
    destination = network.chains[1];
  });
  after(stopPrograms);
  beforeEach(() => onNode(destination, "evm_setAutomine", false));
  afterEach(async () => {
    network.clock.reset();
    await onNode(destination, "evm_setAutomine", true);
  });

  it("below a base fee that rises is sent with higher fees, under the same nonce, and pays once", async () => {
    const quote = await submitted();
    const first = await hashOf(quote);
    const { nonce } = await reader(destination).getTransaction({ hash: first });
    await onNode(destination, "anvil_setNextBlockBaseFeePerGas", toHex(100n * GWEI));
    await onNode(destination, "evm_mine");
    await until(async () => (await hashOf(quote)) !== first);
    await mineUntilEnd(quote, "success");
    const sent = await reader(destination).getTransaction({ hash: await hashOf(quote) });
    expect([sent.nonce, sent.hash === first]).to.deep.equal([nonce, false]);
    expect(await countFills(quote)).to.equal(1);
  });

  it("that the node dropped is sent again", async () => {
    const quote = await submitted();
    await onNode(destination, "anvil_dropAllTransactions");
    await mineUntilEnd(quote, "success");
    expect(await countFills(quote)).to.equal(1);
  });

  it("whose nonce a stranger used gets another one", async () => {
    const quote = await submitted();
    const first = await hashOf(quote);
    await useNonce();
    await mineUntilEnd(quote, "success");
    expect(await hashOf(quote)).not.to.equal(first);
    expect(await countFills(quote)).to.equal(1);
  });

  it("for too long is given up: its nonce is used up first, and then the deposit goes back", async () => {
    const quote = await givenUp();
    await mineUntilEnd(quote, "refund");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect([data.failReason, await countFills(quote)]).to.deep.equal(["TRANSACTION_NOT_INCLUDED", 0]);
    expect((await network.transitionsOf(requestIdOf(quote))).map(({ to, reason }) => [to, reason])).to.deep.equal([
      ["pending", null],
      ["submitted", null],
      ["submitted", "TRANSACTION_NOT_INCLUDED"],
      ["pending", "TRANSACTION_NOT_INCLUDED"],
      ["pending", null],
      ["refund", null],
    ]);
  });

  it("for too long goes back, too, if a stranger uses its nonce while it is given up", async () => {
    const quote = await givenUp();
    await useNonce();
    await mineUntilEnd(quote, "refund");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect([data.failReason, await countFills(quote)]).to.deep.equal(["TRANSACTION_NOT_INCLUDED", 0]);
  });

  /** A request whose fill waited too long: what uses its nonce up waits in its place. */
  async function givenUp(): Promise<Quote> {
    const quote = await submitted();
    const fill = await hashOf(quote);
    network.clock.setOffset(500_001);
    // Until the cancellation has taken its place the fill may still be mined, and then stands.
    await until(async () => (await onNode(destination, "eth_getTransactionByHash", fill)) === null);
    return quote;
  }

  /** A request whose fill waits for a block that nobody mines. */
  async function submitted(): Promise<Quote> {
    const quote = await quoteEther(network);
    await depositNative(network, { id: orderIdOf(quote) });
    const client = createServiceClient({ baseUrl: network.url });
    await until(async () => (await getStatus(client, { requestId: requestIdOf(quote) })).status === "submitted");
    const hash = await hashOf(quote);
    // It is written down before it is sent.
    await until(async () => (await onNode(destination, "eth_getTransactionByHash", hash)) !== null);
    return quote;
  }

  async function hashOf(quote: Quote): Promise<Hex> {
    const client = createServiceClient({ baseUrl: network.url });
    const { txHashes = [] } = await getStatus(client, { requestId: requestIdOf(quote) });
    return txHashes[0] as Hex;
  }

  async function mineUntilEnd(quote: Quote, status: string): Promise<void> {
    const client = createServiceClient({ baseUrl: network.url });
    const isOver = async () =>
      ["success", "refund", "failure"].includes((await getStatus(client, { requestId: requestIdOf(quote) })).status);
    await until(async () => {
      if (await isOver()) return true;
      await onNode(destination, "evm_mine");
      return false;
    });
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal(status);
  }

  /** Sends something else from the solver's wallet under the nonce of a transaction. */
  async function useNonce(): Promise<void> {
    const { rpcUrl, id } = destination;
    const wallet = createWalletClient({
      account: network.accounts.solver,
      chain: describeChain(id, rpcUrl),
      transport: http(rpcUrl),
    });
    const latest = await reader(destination).getTransactionCount({ address: network.solver });
    await sendTransaction(wallet, {
      to: zeroAddress,
      value: parseEther("0.001"),
      nonce: latest,
      gas: 21_000n,
      maxFeePerGas: 1_000n * GWEI,
      maxPriorityFeePerGas: 100n * GWEI,
    });
    await onNode(destination, "evm_mine");
    expect(await reader(destination).getTransactionCount({ address: network.solver })).to.equal(latest + 1);
  }

  /** How many transactions of the destination carry the order. */
  async function countFills(quote: Quote): Promise<number> {
    const client = reader(destination);
    const latest = await client.getBlockNumber();
    let fills = 0;
    for (let blockNumber = 0n; blockNumber <= latest; blockNumber += 1n) {
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true });
      fills += transactions.filter(({ input }) => input.endsWith(orderIdOf(quote).slice(2))).length;
    }
    return fills;
  }
});
