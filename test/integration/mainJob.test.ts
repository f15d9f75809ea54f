import { expect } from "chai";
import { formatUnits, type Hex, maxUint256, parseEther, zeroAddress } from "viem";

import { getQuote, getSignature, getStatus } from "../support/complete.ts";
import { planCalls } from "../../packages/sdk/src/calls/index.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { hashOrder, recoverRequestSigner } from "../../packages/protocol/src/index.ts";
import { dollarsOf, mintDollars, reader, userWallet, vaultedDollarsOf } from "./support/parties.ts";
import { recordOf } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";

const DELIVERY_BPS = -25;

describe("a cross-chain request on a local network", () => {
  const network = useNetwork({ deliveryBps: DELIVERY_BPS });
  const [origin, destination] = chainsOf(network);
  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const user = () => network.accounts.user.address;

  const vaultRequest = (amount: bigint) => ({
    user: user(),
    recipient: user(),
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: destination.contracts.dollar,
    ...planCalls({
      tradeType: "EXACT_INPUT",
      router: destination.contracts.router,
      destinationCurrency: destination.contracts.dollar,
      recipient: user(),
      amount,
      actions: [
        {
          kind: "proxy",
          token: destination.contracts.dollar,
          proxy: destination.contracts.vaultProxy,
          recipient: user(),
          deadline: maxUint256,
        },
      ],
    }),
  });

  it("deposits the entire received amount in the vault, even if less than quoted arrives", async () => {
    const before = await vaultedDollarsOf(destination, user());
    const quote = await getQuote(client(), vaultRequest(parseEther("1")));
    const expected = BigInt(quote.details.currencyOut.amount);
    const minimum = BigInt(quote.details.currencyOut.minimumAmount ?? 0);

    const { status, requestId, transactions } = await executeSteps(client(), {
      quote,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
    });

    const delivered = (expected * 9_975n) / 10_000n;
    expect(delivered < expected && delivered > minimum).to.equal(true);
    expect((await vaultedDollarsOf(destination, user())) - before).to.equal(delivered);
    expect(await dollarsOf(destination, destination.contracts.router)).to.equal(0n);
    expect(await dollarsOf(destination, destination.contracts.vaultProxy)).to.equal(0n);

    const orderId = quote.protocol?.v2.orderId ?? "";
    const fill = await reader(destination).getTransaction({ hash: status.txHashes?.[0] as Hex });
    expect(fill.to).to.equal(destination.contracts.router.toLowerCase());
    expect(fill.from).to.equal(network.solver.toLowerCase());
    expect(fill.input.endsWith(orderId.slice(2))).to.equal(true);
    expect(status).to.include({ status: "success", originChainId: origin.id, destinationChainId: destination.id });
    expect(status.inTxHashes).to.deep.equal(transactions.map(({ txHash }) => txHash));

    const record = await recordOf(network, requestId);
    expect(record.data.route?.actual.destination?.outputCurrency.amount).to.equal(delivered.toString());
    expect(record.data.route?.actual.destination?.inputCurrency.amount).to.equal(expected.toString());
    // The input is one whole ETH, so the rate equals the output.
    expect(record.data.route?.actual.rate).to.equal(formatUnits(delivered, 6));
    expect(record.data.inTxs.map(({ txHash }) => txHash)).to.deep.equal(status.inTxHashes);
    expect(record.data.outTxs.map(({ txHash }) => txHash)).to.deep.equal(status.txHashes);
    expect(record).to.include({ id: requestId, status: "success", requestType: "Call" });
    expect(record.protocol?.deposit?.origin?.onchainId).to.equal(orderId);
  });

  it("quotes an order whose hash is the deposit's id", async () => {
    const quote = await getQuote(client(), vaultRequest(parseEther("0.5")));
    const order = quote.protocol?.v2;
    expect(order).to.not.equal(undefined);
    if (order === undefined) return;
    expect(hashOrder(order.orderData)).to.equal(order.orderId);
    const [step] = quote.steps;
    expect(step?.id).to.equal("deposit");
    expect(String(step?.items[0]?.data?.data).endsWith(order.orderId.slice(2))).to.equal(true);
    expect(order.orderData.output.payments[0]?.recipient).to.equal(destination.contracts.router);
    expect(order.orderData.output.calls).to.have.length(3);
  });

  it("has the status waiting until the deposit is made", async () => {
    const quote = await getQuote(client(), vaultRequest(parseEther("0.5")));
    const requestId = quote.steps[0]?.requestId ?? "";
    expect(await getStatus(client(), { requestId })).to.include({ status: "waiting" });
  });

  it("signs the request with the solver wallet", async () => {
    const quote = await getQuote(client(), vaultRequest(parseEther("0.5")));
    const requestId = quote.steps[0]?.requestId ?? "";
    const signed = await getSignature(client(), { requestId });
    expect(signed.requestData).to.deep.equal({
      originChainId: origin.id,
      originUser: user(),
      originCurrency: zeroAddress,
      originAmount: parseEther("0.5").toString(),
      destinationChainId: destination.id,
      destinationUser: user(),
    });
    expect(await recoverRequestSigner({ requestId, ...signed })).to.equal(network.solver);
  });

  it("executes a token deposit: an approval first, then a fill in native currency", async () => {
    const amount = 2_500_000_000n;
    const recipient = network.accounts.stranger.address;
    await mintDollars(network, origin, amount);
    const quote = await getQuote(client(), {
      user: user(),
      recipient,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: origin.contracts.dollar,
      destinationCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      amount: amount.toString(),
    });
    expect(quote.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
    const before = await reader(destination).getBalance({ address: recipient });
    const depositoryBefore = await dollarsOf(origin, origin.contracts.depository);
    await executeSteps(client(), { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 });
    const arrived = (await reader(destination).getBalance({ address: recipient })) - before;
    expect(arrived).to.equal((BigInt(quote.details.currencyOut.amount) * 9_975n) / 10_000n);
    expect((await dollarsOf(origin, origin.contracts.depository)) - depositoryBefore).to.equal(amount);
  });

  it("delivers an exact output, and runs calls that spend native currency", async () => {
    const target = network.accounts.stranger.address;
    const { txs, amount, tradeType } = planCalls({
      tradeType: "EXACT_OUTPUT",
      router: destination.contracts.router,
      destinationCurrency: zeroAddress,
      recipient: user(),
      actions: [
        { kind: "call", call: { to: target, data: "0x", value: parseEther("0.25").toString() } },
        { kind: "call", call: { to: target, data: "0x", value: parseEther("0.5").toString() } },
      ],
    });
    expect(amount).to.equal(parseEther("0.75").toString());
    const quote = await getQuote(client(), {
      user: user(),
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: zeroAddress,
      tradeType,
      amount,
      txs,
    });
    expect(BigInt(quote.details.currencyIn.amount) > parseEther("0.75")).to.equal(true);
    const before = await reader(destination).getBalance({ address: target });
    await executeSteps(client(), { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 });
    expect((await reader(destination).getBalance({ address: target })) - before).to.equal(parseEther("0.75"));
    expect(await reader(destination).getBalance({ address: destination.contracts.router })).to.equal(0n);
  });

  it("pays the calls' native values in addition to a delivered token, and charges them in the execution fee", async () => {
    const { dollar, router } = destination.contracts;
    const target = network.accounts.stranger.address;
    const planned = planCalls({
      tradeType: "EXACT_INPUT",
      router,
      destinationCurrency: dollar,
      recipient: user(),
      amount: parseEther("1"),
      actions: [{ kind: "call", call: { to: target, data: "0x", value: parseEther("0.01").toString() } }],
    });
    const quote = await getQuote(client(), {
      user: user(),
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: dollar,
      ...planned,
    });
    // 0.01 ETH is 25 USD in the local price table.
    expect(Number(quote.details.expandedPriceImpact.execution.usd)).to.be.lessThan(-25);
    const nativeBefore = await reader(destination).getBalance({ address: target });
    const dollarsBefore = await dollarsOf(destination, user());
    await executeSteps(client(), { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 });
    expect((await reader(destination).getBalance({ address: target })) - nativeBefore).to.equal(parseEther("0.01"));
    const delivered = (BigInt(quote.details.currencyOut.amount) * 9_975n) / 10_000n;
    expect((await dollarsOf(destination, user())) - dollarsBefore).to.equal(delivered);
  });

  it("sends a plain token fill to the recipient with the orderId appended", async () => {
    const quote = await getQuote(client(), {
      user: user(),
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: destination.contracts.dollar,
      tradeType: "EXPECTED_OUTPUT",
      amount: "1000000000",
    });
    const before = await dollarsOf(destination, user());
    const { status } = await executeSteps(client(), {
      quote,
      wallet: userWallet(network, origin),
      pollIntervalMs: 25,
    });
    expect((await dollarsOf(destination, user())) - before).to.equal(997_500_000n);
    const fill = await reader(destination).getTransaction({ hash: status.txHashes?.[0] as Hex });
    expect(fill.to).to.equal(destination.contracts.dollar.toLowerCase());
    expect(fill.input.slice(-64)).to.equal(quote.protocol?.v2.orderId.slice(2));
  });
});
