import { expect } from "chai";
import { type Address, erc20Abi, type Hex, parseEther, zeroAddress } from "viem";
import { readContract, sendTransaction, waitForTransactionReceipt, writeContract } from "viem/actions";

import type { Quote, RequestRecord } from "../../packages/protocol/src/complete.ts";
import { getQuote, getStatus } from "../support/complete.ts";
import { createServiceClient, executeSteps } from "../../packages/sdk/src/index.ts";
import { createPreflight } from "../../packages/crosscall/src/replay/preflight/preflight.ts";
import { isTerminalStatus, type QuoteRequest } from "../../packages/protocol/src/index.ts";
import { dollarsOf, mintDollars, reader, userWallet } from "./support/parties.ts";
import { onNode } from "./support/requests.ts";
import { listRequests, post, recordOf } from "./support/serviceCalls.ts";
import { chainsOf, useNetwork } from "../support/useNetwork.ts";
import { until } from "../support/until.ts";
import { depositoryAbi } from "../../packages/protocol/src/abi/service.generated.ts";

const DOLLAR = 1_000_000n;

describe("deposit addresses", () => {
  const network = useNetwork();
  const [origin, destination] = chainsOf(network);

  before(() => mintDollars(network, origin, 1_000_000n * DOLLAR));

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey });
  const user = () => network.accounts.user.address;
  const refundTo = (): Address => "0x00000000000000000000000000000000000000aa";
  const recipient = (): Address => "0x00000000000000000000000000000000000000bb";

  const request = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user: user(),
    recipient: recipient(),
    refundTo: refundTo(),
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: origin.contracts.dollar,
    destinationCurrency: destination.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: (100n * DOLLAR).toString(),
    useDepositAddress: true,
    ...change,
  });
  const quoteOf = (change: Partial<QuoteRequest> = {}) => getQuote(client(), request(change));
  const addressOf = (quote: Quote): Address => (quote.steps[0]?.depositAddress ?? "") as Address;
  const idOf = (quote: Quote): string => quote.steps[0]?.requestId ?? "";

  async function payDollars(to: Address, amount: bigint, chain = origin): Promise<Hex> {
    const wallet = userWallet(network, chain);
    const token = { address: chain.contracts.dollar, abi: erc20Abi };
    const hash = await writeContract(wallet, { ...token, functionName: "transfer", args: [to, amount] });
    await waitForTransactionReceipt(wallet, { hash });
    return hash;
  }
  async function payNative(to: Address, value: bigint): Promise<Hex> {
    const wallet = userWallet(network, origin);
    const hash = await sendTransaction(wallet, { to, value });
    await waitForTransactionReceipt(wallet, { hash });
    return hash;
  }
  async function end(requestId: string): Promise<RequestRecord> {
    return until(async () => {
      const record = await recordOf(network, requestId);
      return isTerminalStatus(record.status) && record;
    });
  }
  /** Waits until a quote has `count` child requests, all of them complete. */
  async function children(quote: Quote, count: number): Promise<RequestRecord[]> {
    const found = await until(async () => {
      const { requests } = await listRequests(network, `?id=${idOf(quote)}&includeChildRequests=true`);
      const others = requests.filter(({ id }) => id !== idOf(quote));
      return others.length === count && others;
    });
    return Promise.all(found.map(({ id }) => end(id)));
  }

  it("need one step from any wallet: a plain transfer", async () => {
    const token = await quoteOf();
    expect(token.steps.map(({ id }) => id)).to.deep.equal(["deposit"]);
    expect(token.steps[0]?.items[0]?.data).to.include({ to: origin.contracts.dollar.toLowerCase(), value: "0" });
    const native = await quoteOf({ originCurrency: zeroAddress, amount: parseEther("1").toString() });
    expect(native.steps[0]?.items[0]?.data).to.include({
      to: addressOf(native),
      data: "0x",
      value: parseEther("1").toString(),
    });
    expect(addressOf(native)).to.not.equal(addressOf(token));
  });

  it("fill a quoted payment, and record the payer", async () => {
    const quote = await quoteOf();
    const before = await dollarsOf(destination, recipient());
    const hash = await payDollars(addressOf(quote), 100n * DOLLAR);
    const record = await end(idOf(quote));
    expect(record.status).to.equal("success");
    expect(record.depositAddress).to.deep.equal({
      address: addressOf(quote),
      type: "open",
      depositor: user(),
      depositTxHash: hash,
      recoveryAddress: null,
    });
    expect(record.features).to.deep.equal(["deposit_address"]);
    expect(record.refundTo).to.equal(refundTo());
    expect(record.protocol).to.include({
      orderId: quote.protocol?.v2.orderId,
      hubType: "onchain",
      isWithdrawable: false,
    });
    expect((await dollarsOf(destination, recipient())) - before).to.equal(BigInt(quote.details.currencyOut.amount));
    expect(await dollarsOf(origin, addressOf(quote))).to.equal(0n);
    // The deposit transaction is the sweep that the service reads from the chain.
    expect(record.data.inTxs).to.have.length(1);
    expect(record.data.inTxs[0]?.txHash).to.not.equal(hash);
    expect(record.data.route?.actual.origin.inputCurrency.amount).to.equal((100n * DOLLAR).toString());
    const { requests } = await listRequests(network, `?depositAddress=${addressOf(quote)}`);
    expect(requests.map(({ id }) => id)).to.deep.equal([idOf(quote)]);
  });

  it("run calls with the kit's own executor", async () => {
    const amount = parseEther("2");
    const quote = await quoteOf({ originCurrency: zeroAddress, amount: amount.toString() });
    const { status } = await executeSteps(client(), {
      quote,
      wallet: userWallet(network, origin),
      preflight: createPreflight(network),
      pollIntervalMs: 25,
    });
    expect(status.status).to.equal("success");
    const deposited = (await recordOf(network, idOf(quote))).protocol?.deposit?.origin;
    expect(deposited).to.include({ amount: amount.toString(), depositor: user() });
  });

  it("deliver same-chain output to the kit's own executor after the payment", async () => {
    const quote = await quoteOf({ destinationChainId: origin.id, destinationCurrency: zeroAddress });
    const { status } = await executeSteps(client(), {
      quote,
      wallet: userWallet(network, origin),
      preflight: createPreflight(network),
      pollIntervalMs: 25,
    });
    expect(status.status).to.equal("success");
  });

  it("when open, requote a different amount in the same request", async () => {
    const quote = await quoteOf();
    const before = await dollarsOf(destination, recipient());
    await payDollars(addressOf(quote), 250n * DOLLAR);
    const record = await end(idOf(quote));
    expect(record.status).to.equal("success");
    const { route, fees } = record.data;
    expect(route?.quoted.origin.inputCurrency.amount).to.equal((250n * DOLLAR).toString());
    const arrived = (await dollarsOf(destination, recipient())) - before;
    expect(arrived.toString()).to.equal(route?.quoted.destination?.outputCurrency.amount);
    // A bridge charges only the execution cost. The output is rounded down to whole units.
    const costs = 250n * DOLLAR - arrived;
    expect([costs, costs - 1n].map(String)).to.include(fees?.quoted.execution.amount);
    expect(record.protocol?.orderId).to.not.equal(quote.protocol?.v2.orderId);
  });

  it("when open, accept payments in another currency and on another chain", async () => {
    const quote = await quoteOf();
    await payNative(addressOf(quote), parseEther("1"));
    const native = await end(idOf(quote));
    expect([native.status, native.requestType]).to.deep.equal(["success", "Crosschain Swap"]);
    expect(native.data.route?.actual.origin.inputCurrency.currency.symbol).to.equal("ETH");

    const other = await quoteOf();
    await mintDollars(network, destination, 100n * DOLLAR);
    await payDollars(addressOf(other), 100n * DOLLAR, destination);
    const rerouted = await end(idOf(other));
    expect(rerouted.status).to.equal("success");
    expect(rerouted.data.inTxs[0]?.chainId).to.equal(destination.id);
  });

  it("when open, fill each later payment in a child request", async () => {
    const quote = await quoteOf();
    await payDollars(addressOf(quote), 100n * DOLLAR);
    expect((await end(idOf(quote))).status).to.equal("success");
    await payDollars(addressOf(quote), 40n * DOLLAR);
    await payNative(addressOf(quote), parseEther("0.5"));
    const found = await children(quote, 2);
    expect(found.map(({ status }) => status)).to.deep.equal(["success", "success"]);
    expect(found.map(({ depositAddress }) => depositAddress?.address)).to.deep.equal([
      addressOf(quote),
      addressOf(quote),
    ]);
    const deposited = found.map(({ protocol }) => protocol?.deposit?.origin?.amount).toSorted();
    expect(deposited).to.deep.equal([(40n * DOLLAR).toString(), parseEther("0.5").toString()]);
  });

  it("when open, keep payments that are smaller than the fees or have no refund address", async () => {
    const named = await quoteOf();
    await payDollars(addressOf(named), 1_000n);
    const back = await end(idOf(named));
    expect([back.status, back.data.failReason, back.data.refundFailReason]).to.deep.equal([
      "failure",
      "NEGATIVE_NEW_AMOUNT_AFTER_FEES",
      "AMOUNT_TOO_LOW_TO_REFUND",
    ]);

    const { refundTo: _, ...rest } = request();
    const nameless = await getQuote(client(), rest);
    await payDollars(addressOf(nameless), 1_000n);
    const kept = await end(idOf(nameless));
    expect([kept.status, kept.refundTo, kept.data.refundFailReason]).to.deep.equal([
      "failure",
      null,
      "MANUAL_REFUND_REQUIRED",
    ]);
  });

  const mismatches: Record<string, [pay: (to: Address) => Promise<Hex>, failReason: string]> = {
    "too little": [(to) => payDollars(to, 99n * DOLLAR), "DEPOSITED_AMOUNT_TOO_LOW_TO_FILL"],
    "another currency": [(to) => payNative(to, parseEther("1")), "INCORRECT_DEPOSIT_CURRENCY"],
    "another chain": [(to) => payDollars(to, 100n * DOLLAR, destination), "DEPOSIT_CHAIN_MISMATCH"],
  };
  for (const [name, [pay, failReason]] of Object.entries(mismatches)) {
    it(`when strict, refund ${name}`, async () => {
      const quote = await quoteOf({ strict: true });
      await mintDollars(network, destination, 100n * DOLLAR);
      await pay(addressOf(quote));
      const record = await end(idOf(quote));
      expect([record.status, record.data.failReason]).to.deep.equal(["refund", failReason]);
      expect(record.depositAddress?.type).to.equal("strict");
      expect(record.data.refundCurrencyData?.amount).to.equal(record.protocol?.deposit?.origin?.amount);
    });
  }

  it("when strict, fill the quote for a larger payment, and refund the excess", async () => {
    const quote = await quoteOf({ strict: true });
    const [held, refunded] = [await dollarsOf(destination, recipient()), await dollarsOf(origin, refundTo())];
    await payDollars(addressOf(quote), 101n * DOLLAR);
    const record = await until(async () => {
      const latest = await recordOf(network, idOf(quote));
      return (
        latest.data.outTxs.length === 2 && latest.data.outTxs.every(({ status }) => status === "success") && latest
      );
    });
    expect([record.status, record.data.failReason]).to.deep.equal(["success", null]);
    expect((await dollarsOf(destination, recipient())) - held).to.equal(BigInt(quote.details.currencyOut.amount));
    expect((await dollarsOf(origin, refundTo())) - refunded).to.equal(DOLLAR);
    expect(record.data.refundCurrencyData?.amount).to.equal(DOLLAR.toString());
    expect(record.data.outTxs.map(({ chainId }) => chainId)).to.deep.equal([destination.id, origin.id]);
  });

  it("when strict, refund a smaller payment and an excess to the payer if refundTo is the zero address", async () => {
    const change = { user: network.accounts.stranger.address, refundTo: zeroAddress, strict: true };
    for (const [paid, returned] of [
      [60n * DOLLAR, 60n * DOLLAR],
      [101n * DOLLAR, DOLLAR],
    ] as const) {
      const quote = await quoteOf(change);
      const before = await dollarsOf(origin, user());
      await payDollars(addressOf(quote), paid);
      await until(async () => (await dollarsOf(origin, user())) === before - paid + returned);
      expect((await recordOf(network, idOf(quote))).refundTo).to.equal(zeroAddress);
    }
  });

  it("when strict, keep an excess that is worth less than the gas of its refund", async () => {
    const quote = await quoteOf({ strict: true });
    await payDollars(addressOf(quote), 100n * DOLLAR + 1n);
    expect((await end(idOf(quote))).status).to.equal("success");
    const second = await quoteOf({ strict: true });
    await payDollars(addressOf(second), 100n * DOLLAR);
    await end(idOf(second));
    expect((await recordOf(network, idOf(quote))).data.outTxs).to.have.length(1);
  });

  it("when strict, deliver an exact output", async () => {
    const amount = (50n * DOLLAR).toString();
    const quote = await quoteOf({ strict: true, tradeType: "EXACT_OUTPUT", amount });
    const before = await dollarsOf(destination, recipient());
    await payDollars(addressOf(quote), BigInt(quote.details.currencyIn.amount));
    expect((await end(idOf(quote))).status).to.equal("success");
    expect((await dollarsOf(destination, recipient())) - before).to.equal(50n * DOLLAR);
  });

  it("when open, accept an expected output, and requote it for a different payment", async () => {
    const amount = (50n * DOLLAR).toString();
    const [asQuoted, twice] = [
      await quoteOf({ tradeType: "EXPECTED_OUTPUT", amount }),
      await quoteOf({ tradeType: "EXPECTED_OUTPUT", amount }),
    ];
    const input = BigInt(asQuoted.details.currencyIn.amount);
    const before = await dollarsOf(destination, recipient());
    await payDollars(addressOf(asQuoted), input);
    expect((await end(idOf(asQuoted))).status).to.equal("success");
    expect((await dollarsOf(destination, recipient())) - before).to.equal(50n * DOLLAR);
    await payDollars(addressOf(twice), 2n * input);
    const record = await end(idOf(twice));
    expect([record.status, record.data.failReason]).to.deep.equal(["success", null]);
    expect(record.protocol?.deposit?.origin?.amount).to.equal((2n * input).toString());
    const received = (await dollarsOf(destination, recipient())) - before - 50n * DOLLAR;
    expect(received > 100n * DOLLAR && received < 2n * input).to.equal(true);
  });

  it("are rejected for trade types that they cannot guarantee", async () => {
    for (const [change, field] of [
      [{ tradeType: "EXACT_OUTPUT" }, "tradeType"],
      [{ tradeType: "EXPECTED_OUTPUT", strict: true }, "tradeType"],
      [{ tradeType: "EXPECTED_OUTPUT", subsidizeFees: true, maxSubsidizationAmount: "1" }, "maxSubsidizationAmount"],
    ] as const) {
      const { status, body } = await post(network, "/quote/v2", request(change));
      expect(status).to.equal(400);
      expect(body).to.include({ errorCode: "UNSUPPORTED_EXECUTION_TYPE", field });
    }
  });

  describe("with a recovery address", () => {
    const recoveryAddress: Address = "0x00000000000000000000000000000000000000cc";
    const rejecting: Address = "0x000000000000000000000000000000000000de1f";

    before(() => onNode(origin, "hardhat_setCode", rejecting, "0x5f5ffd"));

    async function untilRecovered(quote: Quote): Promise<RequestRecord> {
      return until(async () => {
        const latest = await recordOf(network, idOf(quote));
        return latest.data.outTxs.length > 0 && latest;
      });
    }
    const nativeOf = (address: Address, chain = origin) => reader(chain).getBalance({ address });

    it("withdraw a payment to the recovery address if a refund is impossible", async () => {
      const { refundTo: _, ...rest } = request({ recoveryAddress });
      await network.scenarios.set("BLOCKED_WALLET", { next: 1 });
      const quote = await getQuote(client(), rest);
      const [held, locked] = [await dollarsOf(origin, recoveryAddress), await lockedDollars()];
      await payDollars(addressOf(quote), 100n * DOLLAR);
      const { status, data, protocol, depositAddress } = await untilRecovered(quote);
      expect([status, data.failReason, data.refundFailReason]).to.deep.equal([
        "failure",
        "BLOCKED_WALLET",
        "MANUAL_REFUND_REQUIRED",
      ]);
      expect((await dollarsOf(origin, recoveryAddress)) - held).to.equal(100n * DOLLAR);
      // The amount comes from the depository, not from the solver's wallet.
      expect(await lockedDollars()).to.equal(locked);
      expect(data.outTxs.map(({ chainId, status }) => [chainId, status])).to.deep.equal([[origin.id, "success"]]);
      expect(data.refundCurrencyData).to.equal(null);
      expect(protocol?.settlement?.destination).to.deep.equal({ fills: [], refunds: [] });
      expect([protocol?.isWithdrawable, depositAddress?.recoveryAddress]).to.deep.equal([false, recoveryAddress]);
      const hashes = (await getStatus(client(), { requestId: idOf(quote) })).txHashes;
      expect(hashes).to.deep.equal(data.outTxs.map(({ txHash }) => txHash));
    });

    it("withdraw a payment in another currency if its refund would revert, and never refund to the recovery address", async () => {
      const quote = await quoteOf({ strict: true, refundTo: rejecting, recoveryAddress });
      const held = await nativeOf(recoveryAddress);
      await payNative(addressOf(quote), parseEther("1"));
      const record = await untilRecovered(quote);
      expect([record.status, record.data.failReason, record.data.refundFailReason]).to.deep.equal([
        "failure",
        "INCORRECT_DEPOSIT_CURRENCY",
        "MANUAL_REFUND_REQUIRED",
      ]);
      expect((await nativeOf(recoveryAddress)) - held).to.equal(parseEther("1"));

      const refundable = await quoteOf({ strict: true, recoveryAddress });
      const [refunded, recovered] = [await nativeOf(refundTo()), await nativeOf(recoveryAddress)];
      await payNative(addressOf(refundable), parseEther("1"));
      expect((await end(idOf(refundable))).status).to.equal("refund");
      expect([await nativeOf(refundTo()), await nativeOf(recoveryAddress)]).to.deep.equal([
        refunded + parseEther("1"),
        recovered,
      ]);
    });

    it("withdraw a payment on another chain, and any later payment", async () => {
      await network.scenarios.set("REFUND_RECIPIENT_IS_VASP", { next: 1 });
      const quote = await quoteOf({ strict: true, recoveryAddress });
      await mintDollars(network, destination, 100n * DOLLAR);
      const before = await dollarsOf(destination, recoveryAddress);
      await payDollars(addressOf(quote), 100n * DOLLAR, destination);
      const record = await untilRecovered(quote);
      expect(record.data.refundFailReason).to.equal("REFUND_RECIPIENT_IS_VASP");
      expect((await dollarsOf(destination, recoveryAddress)) - before).to.equal(100n * DOLLAR);
      expect(record.data.outTxs[0]?.chainId).to.equal(destination.id);

      const late = await quoteOf({ strict: true, refundTo: rejecting, recoveryAddress });
      await payDollars(addressOf(late), 100n * DOLLAR);
      await end(idOf(late));
      const held = await nativeOf(recoveryAddress);
      await payNative(addressOf(late), parseEther("1"));
      const [child] = await children(late, 1);
      await until(async () => (await nativeOf(recoveryAddress)) > held);
      expect([child?.status, child?.data.failReason]).to.deep.equal(["failure", "DOUBLE_SPEND"]);
      expect((await nativeOf(recoveryAddress)) - held).to.equal(parseEther("1"));
    });

    it("keep a payment that the recovery address rejects, and report that it can be withdrawn", async () => {
      const quote = await quoteOf({ strict: true, refundTo: rejecting, recoveryAddress: rejecting });
      await payNative(addressOf(quote), parseEther("1"));
      const { protocol, data } = await end(idOf(quote));
      expect([protocol?.isWithdrawable, data.outTxs]).to.deep.equal([true, []]);
    });

    const lockedDollars = () => dollarsOf(origin, origin.contracts.depository);
  });

  it("fill a late payment if open, and refund it if strict", async () => {
    const [open, strict] = [await quoteOf(), await quoteOf({ strict: true })];
    const deadline = strict.protocol?.v2.orderData.output.deadline ?? 0;
    network.clock.set((deadline + 60) * 1_000);
    try {
      await payDollars(addressOf(open), 100n * DOLLAR);
      const filled = await end(idOf(open));
      expect([filled.status, filled.protocol?.orderId === open.protocol?.v2.orderId]).to.deep.equal(["success", false]);
      const before = await dollarsOf(origin, refundTo());
      await payDollars(addressOf(strict), 100n * DOLLAR);
      const returned = await end(idOf(strict));
      expect([returned.status, returned.data.failReason]).to.deep.equal(["refund", "PROTOCOL_DEADLINE_EXPIRED"]);
      expect((await dollarsOf(origin, refundTo())) - before).to.equal(100n * DOLLAR);
    } finally {
      network.clock.reset();
    }
  });

  it("refund the payer if refundTo is the zero address", async () => {
    const quoted = request({ strict: true, refundTo: zeroAddress });
    const quote = await getQuote(client(), quoted);
    expect((await createPreflight(network)({ request: quoted, quote })).findings).to.deep.equal([]);
    const before = await dollarsOf(origin, user());
    await payDollars(addressOf(quote), 99n * DOLLAR);
    const record = await end(idOf(quote));
    expect([record.status, record.refundTo]).to.deep.equal(["refund", zeroAddress]);
    expect(await dollarsOf(origin, user())).to.equal(before);

    const plain = { ...request({ refundTo: zeroAddress }), useDepositAddress: false };
    const { status, body } = await post(network, "/quote/v2", plain);
    expect(status).to.equal(400);
    expect(body).to.include({ errorCode: "INVALID_ADDRESS", field: "refundTo" });
  });

  it("when strict, refund a second payment as a double spend", async () => {
    const quote = await quoteOf({ strict: true });
    await payDollars(addressOf(quote), 100n * DOLLAR);
    expect((await end(idOf(quote))).status).to.equal("success");
    const before = await dollarsOf(origin, refundTo());
    await payDollars(addressOf(quote), 100n * DOLLAR);
    const [child] = await children(quote, 1);
    expect([child?.status, child?.data.failReason]).to.deep.equal(["refund", "DOUBLE_SPEND"]);
    expect((await dollarsOf(origin, refundTo())) - before).to.equal(100n * DOLLAR);
  });

  it("when strict, refund a deposit that was not made through the address", async () => {
    const quote = await quoteOf({ strict: true });
    const wallet = userWallet(network, origin);
    const { depository, dollar } = origin.contracts;
    const orderId = (quote.protocol?.v2.orderId ?? "0x") as Hex;
    const approve = {
      address: dollar,
      abi: erc20Abi,
      functionName: "approve",
      args: [depository, 100n * DOLLAR],
    } as const;
    await waitForTransactionReceipt(wallet, { hash: await writeContract(wallet, approve) });
    const deposit = {
      address: depository,
      abi: depositoryAbi,
      functionName: "depositErc20",
      args: [user(), dollar, 100n * DOLLAR, orderId],
    } as const;
    await writeContract(wallet, deposit);
    const record = await end(idOf(quote));
    expect([record.status, record.data.failReason]).to.deep.equal(["refund", "DEPOSIT_ADDRESS_MISMATCH"]);
  });

  it("hold no funds afterwards, and never count leftover gas funds as a payment", async () => {
    const quote = await quoteOf();
    await payDollars(addressOf(quote), 100n * DOLLAR);
    await end(idOf(quote));
    await payDollars(addressOf(quote), 30n * DOLLAR);
    await children(quote, 1);
    expect(await reader(origin).getBalance({ address: addressOf(quote) })).to.satisfy((left: bigint) => left > 0n);
    // Waits for more blocks, in which no new payment must be found.
    await mintDollars(network, origin, 1n);
    await payDollars(refundTo(), 1n);
    expect(await children(quote, 1)).to.have.length(1);
    expect(
      await readContract(reader(origin), {
        address: origin.contracts.dollar,
        abi: erc20Abi,
        functionName: "balanceOf",
        args: [addressOf(quote)],
      }),
    ).to.equal(0n);
  });
});
