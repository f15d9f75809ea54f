import { expect } from "chai";
import { concat, encodeFunctionData, erc20Abi, type Hex, parseEther, zeroAddress } from "viem";
import { sendTransaction, waitForTransactionReceipt } from "viem/actions";

import type { RequestRecord } from "../../../packages/protocol/src/complete.ts";
import { getStatus } from "../../support/complete.ts";
import { localDollarAbi } from "../../../packages/crosscall/src/abi/localDollar.generated.ts";
import { attest } from "../../../packages/sdk/src/attestation.ts";
import { announceDeposit, createServiceClient } from "../../../packages/sdk/src/index.ts";
import type { LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import { mintDollars, reader, userWallet } from "../support/parties.ts";
import {
  depositAndWatch,
  depositNative,
  deployMock,
  onNode,
  orderIdOf,
  quoteEther,
  requestIdOf,
  watchToEnd,
} from "../support/requests.ts";
import { listRequests, recordOf } from "../support/serviceCalls.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { until } from "../../support/until.ts";
import { depositoryAbi, routerAbi } from "../../../packages/protocol/src/abi/service.generated.ts";

const UNKNOWN_ORDER: Hex = `0x${"ab".repeat(32)}`;

describe("invalid deposits", () => {
  const network = useNetwork({ depositTimeoutMs: 1_000_000 });
  let origin: LocalnetChain;
  let destination: LocalnetChain;

  before(async () => {
    [origin, destination] = network.chains;
    await mintDollars(network, origin, 100_000_000n);
  });
  afterEach(() => network.clock.reset());

  const strangersEther = () => reader(origin).getBalance({ address: network.accounts.stranger.address });

  /** Waits until a filter finds a request with an id that is not yet known. */
  async function untilListed(query: string): Promise<RequestRecord> {
    return until(async () => (await listRequests(network, query)).requests[0]);
  }

  it("are each returned to the depositor once if no order has the id", async () => {
    const txHash = await depositNative(network, { id: UNKNOWN_ORDER, value: parseEther("0.3") });
    const { id } = await untilListed("?failReason=ORPHANED_DEPOSIT_REFUND&status=refund");
    const record = await recordOf(network, id);
    expect(record).to.include({ user: network.accounts.user.address, recipient: network.accounts.user.address });
    expect(record.data.inTxs.map((entry) => entry.txHash)).to.deep.equal([txHash]);
    expect(record.data.refundCurrencyData?.amount).to.equal(parseEther("0.3").toString());
    expect(record.protocol).to.include({ orderId: UNKNOWN_ORDER });
    const [refundTx] = record.data.outTxs;
    const sent = await reader(origin).getTransaction({ hash: refundTx?.txHash as Hex });
    expect([sent.to, sent.value]).to.deep.equal([network.accounts.user.address.toLowerCase(), parseEther("0.3")]);
  });

  it("are returned as child requests if the order already has a deposit", async () => {
    const quote = await quoteEther(network, { includeProtocolData: true });
    expect((await depositAndWatch(network, quote)).status).to.equal("success");
    const before = await strangersEther();
    const txHash = await depositNative(network, { id: orderIdOf(quote), value: parseEther("0.7") });
    const child = await untilListed("?failReason=DOUBLE_SPEND&status=refund");
    expect((await strangersEther()) - before).to.equal(parseEther("0.7"));
    expect(child.data.inTxs.map((entry) => entry.txHash)).to.deep.equal([txHash]);
    const { requests } = await listRequests(network, `?id=${requestIdOf(quote)}&includeChildRequests=true`);
    expect(requests.map(({ id, status }) => [id, status])).to.have.deep.members([
      [requestIdOf(quote), "success"],
      [child.id, "refund"],
    ]);
    expect(child.protocol?.deposit?.origin?.onchainId).to.equal(orderIdOf(quote));

    const oracle = createServiceClient({ baseUrl: network.oracle!.url, apiKey: network.apiKey });
    const deposit = { chainId: `local-${origin.id}`, transactionId: txHash };
    const [message] = (await attest(oracle, "depository-deposits/v1", deposit)).messages;
    const { orderData: order, orderSignature } = quote.protocol!.v2;
    const refund = await attest(oracle, "solver-refunds/v1", {
      order,
      orderSignature: orderSignature!,
      inputs: [{ transactionId: txHash, onchainId: message!.result.onchainId, inputIndex: 0 }],
      refunds: [{ transactionId: child.data.outTxs[0]!.txHash, inputIndex: 0, refundIndex: 0 }],
    });
    expect(refund.message.result.orderId).to.equal(orderIdOf(quote));
  });

  it("are counted separately if one transaction makes several deposits", async () => {
    const quotes = [await quoteEther(network), await quoteEther(network)];
    const maker = await deployMock(network, origin, "localnet/LocalRouter");
    const calls = quotes.map((quote) => ({
      target: origin.contracts.depository,
      allowFailure: false,
      value: parseEther("1"),
      callData: encodeFunctionData({
        abi: depositoryAbi,
        functionName: "depositNative",
        args: [network.accounts.user.address, orderIdOf(quote)],
      }),
    }));
    const data = encodeFunctionData({
      abi: routerAbi,
      functionName: "multicall",
      args: [calls, zeroAddress, zeroAddress, "0x"],
    });
    await sendTransaction(userWallet(network, origin), { to: maker, data, value: parseEther("2") });
    for (const quote of quotes) expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
  });

  it("can pay for an order with a plain token transfer that ends with its id", async () => {
    const quote = await quoteEther(network, { originCurrency: origin.contracts.dollar, amount: "5000000" });
    await transferDollars(5_000_000n, orderIdOf(quote));
    expect((await watchToEnd(network, requestIdOf(quote))).status).to.equal("success");
    const { data } = await recordOf(network, requestIdOf(quote));
    expect(data.route?.actual.origin.inputCurrency.amount).to.equal("5000000");
  });

  it("are ignored if a token transfer has no id", async () => {
    const before = (await listRequests(network, "?includeTotal=true")).total;
    await transferDollars(1_000_000n, "0x");
    await depositAndWatch(network, await quoteEther(network));
    expect((await listRequests(network, "?includeTotal=true")).total).to.equal((before ?? 0) + 1);
  });

  it("are returned on their own chain if they are not on the quoted chain", async () => {
    const quote = await quoteEther(network);
    const { address } = network.accounts.stranger;
    const before = await reader(destination).getBalance({ address });
    await depositNative(network, { chain: destination, id: orderIdOf(quote) });
    const { status, details } = await watchToEnd(network, requestIdOf(quote));
    expect([status, details]).to.deep.equal(["refund", "DEPOSIT_CHAIN_MISMATCH"]);
    expect((await reader(destination).getBalance({ address })) - before).to.equal(parseEther("1"));
  });

  it("are kept if the gas to return them costs more than they are worth", async () => {
    const quote = await quoteEther(network);
    await depositNative(network, { id: orderIdOf(quote), value: 1_000n });
    const { status, details } = await watchToEnd(network, requestIdOf(quote));
    expect([status, details]).to.deep.equal(["failure", "NEGATIVE_NEW_AMOUNT_AFTER_FEES"]);
    const { data } = await recordOf(network, requestIdOf(quote));
    expect(data.refundFailReason).to.equal("AMOUNT_TOO_LOW_TO_REFUND");
  });

  it("are lost if refundTo rejects native currency, and the record reports the loss", async () => {
    const refundTo = await deployMock(network, origin, "mocks/NativeRefuser");
    const quote = await quoteEther(network, { refundTo });
    await depositNative(network, { id: orderIdOf(quote), value: parseEther("0.5") });
    const { status, details } = await watchToEnd(network, requestIdOf(quote));
    expect(status).to.equal("failure");
    expect(details).to.match(
      new RegExp(`^DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: the refund to ${refundTo} would revert: error 0x`, "u"),
    );
  });

  it("cannot be returned in a token that the solver does not hold", async () => {
    const token = await deployMock(network, origin, "mocks/PausableToken");
    const quote = await quoteEther(network);
    const wallet = userWallet(network, origin);
    const { depository } = origin.contracts;
    const { address } = network.accounts.user;
    for (const [to, data] of [
      [token, encodeFunctionData({ abi: localDollarAbi, functionName: "mint", args: [address, 50n] })],
      [token, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [depository, 50n] })],
      [
        depository,
        encodeFunctionData({
          abi: depositoryAbi,
          functionName: "depositErc20",
          args: [address, token, 50n, orderIdOf(quote)],
        }),
      ],
    ] as const) {
      await waitForTransactionReceipt(wallet, { hash: await sendTransaction(wallet, { to, data }) });
    }
    const { status, details } = await watchToEnd(network, requestIdOf(quote));
    expect([status, details]).to.deep.equal(["failure", "INCORRECT_DEPOSIT_CURRENCY"]);
    const { data } = await recordOf(network, requestIdOf(quote));
    expect(data.refundFailReason).to.equal("SWAP_CURRENCY_NOT_ON_ORIGIN");
  });

  it("are returned if the deadline passes before they arrive, or before they can be filled", async () => {
    const late = await quoteEther(network);
    await network.scenarios.set("stuck", { next: 1 });
    const held = await quoteEther(network);
    await depositNative(network, { id: orderIdOf(held) });
    await untilPending(requestIdOf(held));
    network.clock.setOffset(3_700_000);
    await depositNative(network, { id: orderIdOf(late) });
    expect((await watchToEnd(network, requestIdOf(late))).details).to.equal("PROTOCOL_DEADLINE_EXPIRED");
    await network.scenarios.clear();
    expect((await watchToEnd(network, requestIdOf(held))).details).to.equal("ORDER_EXPIRED");
  });

  it("time out, and are returned if they arrive later", async () => {
    const client = createServiceClient({ baseUrl: network.url });
    const quote = await quoteEther(network);
    const requestId = requestIdOf(quote);
    await onNode(origin, "evm_setAutomine", false);
    const args = [network.accounts.user.address, orderIdOf(quote)] as const;
    const data = encodeFunctionData({ abi: depositoryAbi, functionName: "depositNative", args });
    const txHash = await sendTransaction(userWallet(network, origin), {
      to: origin.contracts.depository,
      data,
      value: parseEther("1"),
      gas: 200_000n,
    });
    await announceDeposit(client, { chainId: origin.id, txHash, requestId });
    expect((await getStatus(client, { requestId })).status).to.equal("depositing");
    network.clock.setOffset(1_000_001);
    expect(await watchToEnd(network, requestId)).to.include({
      status: "failure",
      details: "DEPOSIT_CONFIRMATION_TIMEOUT",
    });
    await onNode(origin, "evm_setAutomine", true);
    await onNode(origin, "evm_mine");
    const before = await untilListed(`?depositTxHash=${txHash}&status=refund`);
    expect(before.data.failReason).to.equal("ORPHANED_DEPOSIT_REFUND");
    expect((await network.transitionsOf(requestId)).map(({ to, reason }) => [to, reason])).to.deep.equal([
      ["depositing", null],
      ["failure", "DEPOSIT_CONFIRMATION_TIMEOUT"],
    ]);
  });

  async function untilPending(requestId: string): Promise<void> {
    const client = createServiceClient({ baseUrl: network.url });
    await until(async () => (await getStatus(client, { requestId })).status === "pending");
  }

  async function transferDollars(amount: bigint, id: Hex): Promise<void> {
    const wallet = userWallet(network, origin);
    const args = [origin.contracts.depository, amount] as const;
    const data = concat([encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }), id]);
    const hash = await sendTransaction(wallet, { to: origin.contracts.dollar, data });
    await waitForTransactionReceipt(wallet, { hash });
  }
});
