import { expect } from "chai";
import { type Address, encodeFunctionData, erc20Abi, type Hex, parseEther, parseUnits, zeroAddress } from "viem";
import { prepareTransactionRequest, signTransaction } from "viem/actions";

import type { Quote } from "../../../packages/protocol/src/complete.ts";
import { getStatus } from "../../support/complete.ts";
import { createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { dollarsOf, mintDollars, userWallet } from "../support/parties.ts";
import { onNode, orderIdOf, quoteEther, requestIdOf, watchToEnd } from "../support/requests.ts";
import { recordOf } from "../support/serviceCalls.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { until } from "../../support/until.ts";
import { depositoryAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const CONFIRMATIONS = 2;
const TIMEOUT_MS = 1_000_000;

describe("chains that wait for confirmations", () => {
  const network = useNetwork({
    chains: [
      { id: 31_337, depositConfirmations: CONFIRMATIONS },
      { id: 31_338, depositConfirmations: CONFIRMATIONS },
    ],
    depositTimeoutMs: TIMEOUT_MS,
    limits: "off",
  });
  let origin: LocalnetChain;
  let destination: LocalnetChain;

  before(() => {
    [origin, destination] = network.chains;
  });
  afterEach(() => network.clock.reset());

  it("fill nothing for a deposit that a reorg removes before it is confirmed, and fill once when it reappears", async () => {
    const quote = await quoteEther(network, { recipient: network.accounts.stranger.address });
    const delivered = await dollarsOf(destination, network.accounts.stranger.address);
    const snapshot = await onNode(origin, "evm_snapshot");
    const raw = await signNative(quote);
    await send(raw);
    await untilStatus(quote, "depositing");
    await mine(origin, CONFIRMATIONS - 1);
    await onNode(origin, "evm_revert", snapshot);
    await mine(origin, CONFIRMATIONS + 1);
    await settleAnother();
    expect(await stepsOf(quote)).to.deep.equal([["depositing", null]]);

    await send(raw);
    await mine(origin, CONFIRMATIONS);
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    expect(await stepsOf(quote)).to.deep.equal([
      ["depositing", null],
      ["pending", null],
      ["submitted", null],
      ["success", null],
    ]);
    const { data } = await recordOf(network, requestIdOf(quote));
    expect([data.inTxs.length, data.outTxs.length]).to.deep.equal([1, 1]);
    expect(await dollarsOf(destination, network.accounts.stranger.address)).to.equal(
      delivered + BigInt(quote.details.currencyOut.amount),
    );
  });

  it("end a request if a reorg permanently removes its deposit", async () => {
    const quote = await quoteEther(network);
    const snapshot = await onNode(origin, "evm_snapshot");
    await send(await signNative(quote));
    await untilStatus(quote, "depositing");
    await onNode(origin, "evm_revert", snapshot);
    await mine(origin, CONFIRMATIONS + 1);
    await settleAnother();
    network.clock.setOffset(TIMEOUT_MS + 1);
    expect(await watchToEnd(network, requestIdOf(quote))).to.include({ status: "failure", details: "DEPOSIT_REORGED" });
  });

  it("read a deposit again in its new block", async () => {
    const [before, after] = [parseUnits("100", 6), parseUnits("40", 6)];
    await mintDollars(network, origin, before);
    const { dollar, depository } = origin.contracts;
    const quote = await quoteEther(network, { originCurrency: dollar, amount: before.toString() });
    const snapshot = await onNode(origin, "evm_snapshot");
    const approve = (amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [depository, amount] });
    await send(await sign({ to: dollar, data: approve(before) }));
    // The deposit spends the entire allowance.
    const args = [network.accounts.user.address, dollar, orderIdOf(quote)] as const;
    const raw = await sign({
      to: depository,
      data: encodeFunctionData({ abi: depositoryAbi, functionName: "depositErc20", args }),
    });
    await send(raw);
    await untilStatus(quote, "depositing");
    await onNode(origin, "evm_revert", snapshot);
    await send(await sign({ to: dollar, data: approve(after) }));
    await send(raw);
    await mine(origin, CONFIRMATIONS);
    const refunded = await dollarsOf(origin, network.accounts.stranger.address);
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("refund");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect(data.failReason).to.equal("DEPOSITED_AMOUNT_TOO_LOW_TO_FILL");
    expect((await dollarsOf(origin, network.accounts.stranger.address)) - refunded).to.equal(after);
  });

  it("refund only after the failed fill is confirmed", async () => {
    const { quote } = await failFill();
    // The other request's fill adds one block.
    await settleAnother();
    expect((await stepsOf(quote)).at(-1)).to.deep.equal(["submitted", null]);
    await mine(destination, CONFIRMATIONS - 1);
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("refund");
  });

  it("do not refund a failed fill that succeeds after a reorg", async () => {
    const { quote, snapshot } = await failFill();
    await settleAnother();
    await onNode(destination, "evm_revert", snapshot);
    await mine(destination, CONFIRMATIONS + 1);
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    await settleAnother();
    expect(await stepsOf(quote)).to.deep.equal([
      ["depositing", null],
      ["pending", null],
      ["submitted", null],
      ["success", null],
    ]);
  });

  /** Makes a fill that fails in its block, but would succeed after the chain is reverted to the snapshot. */
  async function failFill(): Promise<{ quote: Quote; snapshot: unknown }> {
    const target = "0x00000000000000000000000000000000000f1a5c";
    await onNode(destination, "hardhat_setCode", target, "0x");
    const quote = await quoteEther(network, {
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_OUTPUT",
      amount: "5",
      txs: [{ to: target, data: "0x", value: "5" }],
    });
    await onNode(destination, "evm_setAutomine", false);
    await send(await signNative(quote, BigInt(quote.details.currencyIn.amount)));
    await mine(origin, CONFIRMATIONS);
    await untilStatus(quote, "submitted");
    const client = createServiceClient({ baseUrl: network.url, limits: false });
    const { txHashes = [] } = await getStatus(client, { requestId: requestIdOf(quote) });
    const [fill] = txHashes;
    await until(async () => (await onNode(destination, "eth_getTransactionByHash", fill)) !== null);
    const snapshot = await onNode(destination, "evm_snapshot");
    await onNode(destination, "hardhat_setCode", target, "0x5f5ffd");
    await onNode(destination, "evm_setAutomine", true);
    await onNode(destination, "evm_mine");
    const receipt = await onNode(destination, "eth_getTransactionReceipt", fill);
    expect(receipt).to.include({ status: "0x0" });
    return { quote, snapshot };
  }

  /** Settles another request, so that the service has read the chain up to this block. */
  async function settleAnother(): Promise<void> {
    const quote = await quoteEther(network);
    const args = [network.accounts.user.address, orderIdOf(quote)] as const;
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args });
    await onNode(origin, "eth_sendTransaction", {
      from: network.accounts.deployer.address,
      to: origin.contracts.depository,
      data,
      value: `0x${parseEther("1").toString(16)}`,
    });
    await mine(origin, CONFIRMATIONS);
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
  }

  const send = (raw: Hex) => onNode(origin, "eth_sendRawTransaction", raw);

  function signNative(quote: Quote, value = parseEther("1")): Promise<Hex> {
    const args = [network.accounts.user.address, orderIdOf(quote)] as const;
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args });
    return sign({ to: origin.contracts.depository, data, value });
  }

  async function sign(transaction: { to: Address; data: Hex; value?: bigint }): Promise<Hex> {
    const wallet = userWallet(network, origin);
    // A gas estimate would depend on the transactions mined so far.
    return signTransaction(wallet, await prepareTransactionRequest(wallet, { ...transaction, gas: 300_000n }));
  }

  async function mine(chain: LocalnetChain, blocks: number): Promise<void> {
    for (let block = 0; block < blocks; block += 1) await onNode(chain, "evm_mine");
  }

  async function stepsOf(quote: Quote): Promise<unknown[]> {
    return (await network.transitionsOf(requestIdOf(quote))).map(({ to, reason }) => [to, reason]);
  }

  async function untilStatus(quote: Quote, status: string): Promise<void> {
    const client = createServiceClient({ baseUrl: network.url, limits: false });
    await until(async () => (await getStatus(client, { requestId: requestIdOf(quote) })).status === status);
  }
});
