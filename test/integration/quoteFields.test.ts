import { expect } from "chai";
import { type Address, type Hex, getAddress, numberToHex, parseEther, recoverMessageAddress, zeroAddress } from "viem";

import { createServiceClient } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import { decodeOrderCall, type QuoteRequest, QuoteRequestSchema } from "../../packages/protocol/src/index.ts";
import { SVM_SWAP_AGGREGATOR } from "../../packages/protocol/src/quote/svmRoute.ts";
import { SVM_MINOR_TOKEN, SVM_TETHER } from "../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import { getQuote, liveSchema } from "../support/complete.ts";
import { useNetwork } from "../support/useNetwork.ts";
import { permitStepOf } from "./gasless/support.ts";
import { listRequests, post, recordOf } from "./support/serviceCalls.ts";
import { etherRequest } from "./support/requests.ts";

const OTHER: Address = getAddress("0x00000000000000000000000000000000000c0de5");
const ONE = parseEther("1");
const SVM = 792_703_809;
const SVM_USER = "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs";
const SVM_PAYER = "F7p3dFrjRTbtRp8FRF6qHLomXbKRBzpvBLjtQcfcgmNe";

// One test for each field of spec 2, section 4, and of the kit's additional fields. A field in the schema without a
// test in this file fails the type check.
describe("the fields of a quote request", () => {
  const network = useNetwork({ sponsoringApiKeys: ["crosscall-local"] });

  const client = () => createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, quoteVersion: 2 });
  const request = (change: Partial<QuoteRequest> = {}): QuoteRequest => etherRequest(network, change);
  const quote = (change: Partial<QuoteRequest> = {}): Promise<Quote> => getQuote(client(), request(change));
  const quotePermit = (change: Partial<QuoteRequest> = {}): Promise<Quote> =>
    quote({ originCurrency: network.chains[0].contracts.dollar, amount: "50000000", usePermit: true, ...change });
  const recordOfQuote = (quoted: Quote) => recordOf(network, quoted.steps[0]?.requestId ?? "");
  const deposit = (quoted: Quote) => quoted.steps.find(({ id }) => id === "deposit")?.items[0]?.data;
  const orderOf = (quoted: Quote) => {
    if (quoted.protocol === undefined) throw new Error("the quote has no order");
    return quoted.protocol.v2.orderData;
  };
  const outputOf = (quoted: Quote): bigint => BigInt(quoted.details.currencyOut.amount);
  const feeOf = (quoted: Quote, component: "execution" | "swap" | "relay" | "app"): number =>
    Number(quoted.details.expandedPriceImpact[component].usd);

  type Effect = (field: string) => Promise<void>;
  const fields: Record<keyof QuoteRequest, { readonly wrong: unknown; readonly effect: Effect }> = {
    user: {
      wrong: 7,
      async effect() {
        const quoted = await quote({ user: OTHER });
        expect(quoted.details.sender).to.equal(OTHER);
        expect(deposit(quoted)).to.include({ from: OTHER });
        expect(await recordOfQuote(quoted)).to.include({ user: OTHER, sender: OTHER });
      },
    },
    originChainId: {
      wrong: "base",
      async effect() {
        const quoted = await quote({
          originChainId: network.chains[1].id,
          destinationChainId: network.chains[0].id,
          destinationCurrency: zeroAddress,
        });
        expect(deposit(quoted)).to.include({ chainId: network.chains[1].id });
        expect(quoted.details.currencyIn.currency.chainId).to.equal(network.chains[1].id);
      },
    },
    destinationChainId: {
      wrong: 1.5,
      async effect() {
        const quoted = await quote();
        expect(quoted.details.currencyOut.currency.chainId).to.equal(network.chains[1].id);
        expect(orderOf(quoted).output.chainId).to.equal(`local-${network.chains[1].id}`);
      },
    },
    originCurrency: {
      wrong: null,
      async effect() {
        const { dollar: token } = network.chains[0].contracts;
        const quoted = await quote({ originCurrency: token, amount: "50000000" });
        const address = token.toLowerCase();
        expect(quoted.details.currencyIn.currency).to.include({ address, symbol: "USDC" });
        expect(orderOf(quoted).inputs[0]?.payment.currency).to.equal(address);
        const { route } = (await recordOfQuote(quoted)).data;
        expect(route?.quoted.origin?.inputCurrency.currency).to.include({ address });
        expect(quoted.steps.map(({ id }) => id)).to.deep.equal(["approve", "deposit"]);
      },
    },
    destinationCurrency: {
      wrong: {},
      async effect() {
        const quoted = await quote({ destinationCurrency: zeroAddress });
        expect(quoted.details.currencyOut.currency).to.include({ address: zeroAddress, symbol: "ETH" });
        expect(orderOf(quoted).output.payments[0]?.currency).to.equal(zeroAddress);
      },
    },
    recipient: {
      wrong: [],
      async effect() {
        const quoted = await quote({ recipient: OTHER });
        expect(quoted.details.recipient).to.equal(OTHER);
        expect(orderOf(quoted).output.payments[0]?.recipient).to.equal(OTHER);
        expect((await quote()).details.recipient).to.equal(network.accounts.user.address);
      },
    },
    tradeType: {
      wrong: "EXACT",
      async effect() {
        const amount = "2000000000";
        const { currencyIn } = (await quote()).details;
        expect(currencyIn).to.include({ amount: ONE.toString(), minimumAmount: ONE.toString() });
        const expected = (await quote({ tradeType: "EXPECTED_OUTPUT", amount })).details.currencyOut;
        expect(expected.amount).to.equal(amount);
        expect(BigInt(expected.minimumAmount ?? 0) < BigInt(amount)).to.equal(true);
        const exact = (await quote({ tradeType: "EXACT_OUTPUT", amount })).details.currencyOut;
        expect(exact).to.include({ amount, minimumAmount: amount });
      },
    },
    amount: {
      wrong: true,
      async effect() {
        const [once, twice] = [await quote(), await quote({ amount: (2n * ONE).toString() })];
        expect(twice.details.currencyIn.amount).to.equal((2n * ONE).toString());
        expect(outputOf(twice) > outputOf(once)).to.equal(true);
        expect(deposit(twice)).to.include({ value: (2n * ONE).toString() });
      },
    },
    refundTo: {
      wrong: 1,
      async effect() {
        const quoted = await quote({ refundTo: OTHER });
        expect(orderOf(quoted).inputs[0]?.refunds[0]?.recipient).to.equal(OTHER);
        expect(quoted.protocol?.v2.orderData.inputs[0]?.refunds[0]?.recipient).to.equal(OTHER);
        // Only records for deposit addresses contain the refundTo address.
        expect(await recordOfQuote(quoted)).to.include({ refundTo: null });
      },
    },
    referrer: {
      wrong: 1,
      async effect() {
        const quoted = await quote({ referrer: "my-app" });
        const id = quoted.steps[0]?.requestId ?? "";
        const { requests } = await listRequests(network, `?id=${id}&includeAuthenticatedData=true`);
        expect(requests[0]?.data.referrer).to.equal("my-app");
        expect((await recordOfQuote(quoted)).data).not.to.have.property("referrer");
        expect((await post(network, "/quote/v2", request({ referrer: "€".repeat(333) }))).status).to.equal(200);
        const { status, body } = await post(network, "/quote/v2", request({ referrer: "€".repeat(334) }));
        expect([status, (body as { field: string }).field]).to.deep.equal([400, "referrer"]);
      },
    },
    txs: {
      wrong: [{ to: zeroAddress, data: "0x", value: null }],
      async effect() {
        const call = { to: OTHER, data: "0x12345678", value: "5" };
        const quoted = await quote({
          destinationCurrency: zeroAddress,
          tradeType: "EXACT_OUTPUT",
          amount: "5",
          txs: [call],
        });
        const { calls, payments } = orderOf(quoted).output;
        expect(calls.map((each) => decodeOrderCall(each as Hex))).to.deep.equal([call]);
        expect(payments[0]?.recipient).to.equal(network.chains[1].contracts.router);
        expect(await recordOfQuote(quoted)).to.include({ requestType: "Call" });
      },
    },
    slippageTolerance: {
      wrong: true,
      async effect() {
        const quoted = await quote({ slippageTolerance: "100" });
        expect(quoted.details.currencyOut.minimumAmount).to.equal(((outputOf(quoted) * 9_900n) / 10_000n).toString());
        expect(quoted.details.slippageTolerance.destination?.percent).to.equal("1.00");
        expect((await recordOfQuote(quoted)).data.slippageTolerance).to.equal("100");
      },
    },
    appFees: {
      wrong: [{ recipient: OTHER, fee: null }],
      async effect() {
        const quoted = await quote({ appFees: [{ recipient: OTHER, fee: "25" }] });
        const plain = await quote();
        expect(quoted.fees.app.amount).to.equal(((ONE * 25n) / 10_000n).toString());
        expect(outputOf(quoted) < outputOf(plain)).to.equal(true);
        const { appFees } = (await recordOfQuote(quoted)).data;
        expect(appFees.quoted[0]).to.include({ recipient: OTHER, bps: "25", amount: quoted.fees.app.amount });
        expect((await recordOfQuote(quoted)).features).to.deep.equal(["app_fees"]);
      },
    },
    useExternalLiquidity: {
      wrong: "true",
      async effect() {
        // The record contains the requested value, or true if the quote needs a pool.
        const usedBy = async (change: Partial<QuoteRequest>) =>
          (await recordOfQuote(await quote(change))).data.usesExternalLiquidity;
        expect(await usedBy({ useExternalLiquidity: true })).to.equal(true);
        expect(await usedBy({ useExternalLiquidity: false })).to.equal(false);
        expect(await usedBy({})).to.equal(false);
        expect(await usedBy({ destinationCurrency: network.chains[1].contracts.tether })).to.equal(true);
      },
    },
    maxRouteLength: {
      wrong: 0,
      async effect(field) {
        await expectSmallerRoute(SVM_TETHER, { [field]: 4 });
      },
    },
    includedOriginSwapSources: {
      wrong: "jupiter",
      async effect(field) {
        await expectSmallerRoute(SVM_MINOR_TOKEN, { [field]: [SVM_SWAP_AGGREGATOR] });
        const onOneChain = { destinationChainId: network.chains[0].id, destinationCurrency: originDollar() };
        await expectSwapRejected(field, { ...onOneChain, [field]: ["wrapped-native"] });
        await expectForeignSource(field);
        await quote({ ...onOneChain, [field]: ["uniswap-v3"] });
      },
    },
    includedSwapSources: {
      wrong: "local",
      async effect(field) {
        await expectSwapRejected(field, { [field]: ["wrapped-native"] });
        await expectForeignSource(field);
      },
    },
    excludedSwapSources: {
      wrong: [1],
      async effect(field) {
        await expectSwapRejected(field, { [field]: [await swapSource()] });
        await expectForeignSource(field);
      },
    },
    includedDestinationSwapSources: {
      wrong: {},
      async effect(field) {
        await expectSwapRejected(field, { [field]: ["wrapped-native"] });
        await expectForeignSource(field);
      },
    },
    disableOriginSwaps: {
      wrong: "yes",
      async effect(field) {
        const onOneChain = { destinationChainId: network.chains[0].id, destinationCurrency: originDollar() };
        await expectSwapRejected(field, { ...onOneChain, [field]: true });
      },
    },
    includeProtocolData: {
      wrong: 1,
      async effect() {
        const { orderId, orderSignature } = (await quote({ includeProtocolData: true })).protocol!.v2;
        const message = { raw: orderId as Hex };
        const signer = await recoverMessageAddress({ message, signature: orderSignature as Hex });
        expect(signer).to.equal(network.solver);
        expect((await quote()).protocol?.v2).to.not.have.property("orderSignature");
      },
    },
    topupGas: {
      wrong: "yes",
      async effect() {
        const quoted = await quote({ topupGas: true });
        expect(quoted.details.currencyGasTopup?.amountUsd).to.equal("2.000000");
        expect(orderOf(quoted).output.payments[1]).to.include({ currency: zeroAddress });
        expect((await recordOfQuote(quoted)).features).to.deep.equal(["gas_top_up"]);
      },
    },
    topupGasAmount: {
      wrong: true,
      async effect(field) {
        const quoted = await quote({ topupGas: true, [field]: "1000000" });
        expect(quoted.details.currencyGasTopup?.amountUsd).to.equal("1.000000");
        // Without topupGas, the amount has no effect.
        await expectQuoted({ [field]: "1000000" });
      },
    },
    txsGasLimit: {
      wrong: "many",
      async effect(field) {
        const txs = [{ to: OTHER, data: "0x12345678", value: "0" }];
        const [less, more] = [await quote({ txs, [field]: 100_000 }), await quote({ txs, [field]: 9_000_000 })];
        expect(feeOf(more, "execution")).to.be.below(feeOf(less, "execution"));
      },
    },
    originGasOverhead: {
      wrong: "many",
      async effect(field) {
        const [none, some] = [await quote({ [field]: 0 }), await quote({ [field]: 30_000_000 })];
        expect(feeOf(some, "execution")).to.be.below(feeOf(none, "execution"));
      },
    },
    explicitDeposit: {
      wrong: "yes",
      async effect(field) {
        const tokens = { originCurrency: originDollar(), amount: "50000000" };
        const [plain, explicit] = [
          await quote({ ...tokens, [field]: false }),
          await quote({ ...tokens, [field]: true }),
        ];
        expect(deposit(plain)).to.include({ to: originDollar().toLowerCase() });
        expect(deposit(explicit)).to.include({ to: network.chains[0].contracts.depository });
      },
    },
    fixedRate: {
      wrong: 1,
      async effect(field) {
        const quoted = await quote({ originCurrency: originDollar(), amount: "50000000", [field]: "1:1" });
        expect(quoted.details).to.include({ isFixedRate: true });
        expect(quoted.details.currencyOut.amount).to.equal("50000000");
        expect((await recordOfQuote(quoted)).features).to.deep.equal(["fixed_rate"]);
        expect((await quote()).details).to.include({ isFixedRate: false });
      },
    },
    authorizationList: {
      wrong: "none",
      async effect(field) {
        // Another test covers the effect of an authorization, on a chain with EIP-7702.
        const list = [{ chainId: 1, address: OTHER, nonce: 0, yParity: 0, r: "0x1", s: "0x2" }];
        const { status, body } = await post(network, "/quote/v2", { ...request(), [field]: list });
        expect(status).to.equal(400);
        expect((body as { field: string }).field).to.match(new RegExp(`^${field}`, "u"));
        await expectQuoted({ [field]: [] });
      },
    },
    ttl: {
      wrong: "short",
      async effect(field) {
        const deadlineOf = async (ttl: number) => orderOf(await quote({ [field]: ttl })).output.deadline;
        // Only a ttl that exceeds the usual deadline changes the deadline. The request always expires after its ttl.
        expect((await deadlineOf(7_200)) - (await deadlineOf(60))).to.be.within(3_590, 3_610);
      },
    },
    latePaymentSlippageTolerance: {
      wrong: true,
      async effect(field) {
        await expectQuoted({ [field]: "100" });
        const { status, body } = await post(network, "/quote/v2", { ...request(), [field]: "10001" });
        expect(status).to.equal(400);
        expect(body).to.include({ errorCode: "INVALID_SLIPPAGE_TOLERANCE", field });
      },
    },
    permitExpiry: {
      wrong: "soon",
      async effect() {
        const now = Math.floor(network.clock.now() / 1_000);
        const deadlines = await Promise.all(
          [60, undefined].map(async (permitExpiry) => {
            const quoted = await quotePermit(permitExpiry === undefined ? {} : { permitExpiry });
            return Number(permitStepOf(quoted).message.validBefore) - now;
          }),
        );
        expect(deadlines[0]).to.be.within(60, 90);
        expect(deadlines[1]).to.be.within(600, 630);
      },
    },
    additionalData: ignored("none", { userPublicKey: "02ab" }),
    referrerAddress: ignored(5, OTHER),
    recoveryAddress: {
      wrong: 5,
      async effect() {
        const quoted = await quote({ useDepositAddress: true, recoveryAddress: OTHER });
        expect((await recordOfQuote(quoted)).depositAddress).to.include({ recoveryAddress: OTHER });
      },
    },
    refundOnOrigin: ignored("yes", false, true),
    enableTrueExactOutput: unsupported("yes", true, false),
    useFallbacks: ignored("yes", true, false),
    usePermit: {
      wrong: "yes",
      async effect() {
        const quoted = await quotePermit();
        expect(quoted.steps.map(({ id, kind }) => [id, kind])).to.deep.equal([["authorize1", "signature"]]);
        const plain = await quote({ originCurrency: network.chains[0].contracts.dollar, amount: "50000000" });
        // The execution fee includes the gas of the deposit.
        expect(feeOf(quoted, "execution")).to.be.lessThan(feeOf(plain, "execution"));
        expect((await recordOfQuote(quoted)).features).to.deep.equal(["gasless_swap"]);
      },
    },
    gasLimitForDepositSpecifiedTxs: unsupported("many", 100_000),
    forceSolverExecution: {
      wrong: "yes",
      async effect(field) {
        await ignored("yes", true, false).effect(field);
        const onOneChain = request({ destinationChainId: network.chains[0].id, destinationCurrency: originDollar() });
        await expectUnsupported({ ...onOneChain, [field]: true }, field);
      },
    },
    subsidizeRent: ignored("yes", true, false),
    depositFeePayer: {
      wrong: 5,
      async effect(field) {
        await ignored(5, SVM_USER).effect(field);
        const fromSvm = request({
          originChainId: SVM,
          user: SVM_USER,
          originCurrency: "11111111111111111111111111111111",
          recipient: OTHER,
          amount: "1000000000",
        });
        expect(await ignoredOf({ ...fromSvm, [field]: SVM_PAYER })).to.equal(null);
        for (const [value, errorCode] of [
          [SVM_USER, "INVALID_REQUEST"],
          [OTHER, "INVALID_ADDRESS"],
        ] as const) {
          const answer = await post(network, "/quote/v2", { ...fromSvm, [field]: value });
          expect(answer.status).to.equal(400);
          expect(answer.body).to.include({ errorCode, field });
        }
      },
    },
    useSharedAccounts: ignored("yes", true, false),
    includeComputeUnitLimit: ignored("yes", true, false),
    overridePriceImpact: ignored("yes", true, false),
    disableSwapProviderPreference: ignored("yes", true, false),
    subsidizeFees: {
      wrong: "yes",
      async effect() {
        const [sponsored, plain] = [await quote({ subsidizeFees: true }), await quote()];
        expect(sponsored.details.currencyOut.amountUsd).to.equal(sponsored.details.currencyIn.amountUsd);
        expect(outputOf(sponsored) > outputOf(plain)).to.equal(true);
        expect(Number(sponsored.fees.subsidized?.amountUsd)).to.be.greaterThan(0);
      },
    },
    sponsoredFeeComponents: {
      wrong: ["gas"],
      async effect() {
        const quoted = await quote({ sponsoredFeeComponents: ["execution"] });
        const { feeSponsorship } = (await recordOfQuote(quoted)).data;
        const components = feeSponsorship?.quoted.components;
        expect(components?.execution).to.include({ selected: true });
        expect(components?.execution.userPays.amount).to.equal("0");
        expect(components?.platform).to.include({ selected: false });
        expect(components?.platform.sponsored.amount).to.equal("0");
        expect(feeOf(quoted, "relay")).to.be.lessThan(0);
      },
    },
    maxSubsidizationAmount: {
      wrong: true,
      async effect() {
        const quoted = await quote({ subsidizeFees: true, maxSubsidizationAmount: "10000" });
        const sponsorship = (await recordOfQuote(quoted)).data.feeSponsorship?.quoted;
        expect(sponsorship).to.include({ maxSubsidizationAmount: "10000", capHit: true });
        expect(sponsorship?.sponsoredTotal.amountUsd).to.equal("0.010000");
      },
    },
    useDepositAddress: {
      wrong: 1,
      async effect() {
        const quoted = await quote({ useDepositAddress: true, refundTo: OTHER });
        const { depositAddress, features } = await recordOfQuote(quoted);
        expect(quoted.steps[0]?.depositAddress).to.equal(depositAddress?.address);
        expect(depositAddress).to.include({ type: "open", depositor: null, depositTxHash: null });
        expect(features).to.include("deposit_address");
      },
    },
    strict: {
      wrong: "true",
      async effect() {
        const quoted = await quote({ useDepositAddress: true, strict: true, refundTo: OTHER });
        expect((await recordOfQuote(quoted)).depositAddress).to.include({ type: "strict" });
      },
    },
  };

  /**
   * Returns the test for an unimplemented field that would change the result. The service accepts only a neutral
   * value and otherwise rejects the field by name.
   */
  function unsupported(wrong: unknown, value: unknown, neutral?: unknown): { wrong: unknown; effect: Effect } {
    return {
      wrong,
      async effect(field) {
        await expectUnsupported({ ...request(), [field]: value }, field);
        if (neutral !== undefined) expect(await ignoredOf({ ...request(), [field]: neutral })).to.equal(null);
      },
    };
  }

  /**
   * Returns the test for a field without effect on a local network. A header names the field unless its value is
   * neutral.
   */
  function ignored(wrong: unknown, value: unknown, neutral?: unknown): { wrong: unknown; effect: Effect } {
    return {
      wrong,
      async effect(field) {
        expect(await ignoredOf({ ...request(), [field]: value })).to.equal(field);
        if (neutral !== undefined) expect(await ignoredOf({ ...request(), [field]: neutral })).to.equal(null);
      },
    };
  }

  async function expectUnsupported(body: object, field: string): Promise<void> {
    const answer = await post(network, "/quote/v2", body);
    expect(answer.status).to.equal(400);
    expect(answer.body).to.include({ errorCode: "UNSUPPORTED_FIELD", field });
    expect(answer.body).to.have.property("hint").that.includes(field);
  }

  /** Sends a request that must be accepted. Returns the header that lists its ignored fields. */
  async function ignoredOf(body: object, path = "/quote/v2"): Promise<string | null> {
    const headers = { "content-type": "application/json", "x-api-key": network.apiKey };
    const response = await fetch(`${network.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect([response.status, response.ok ? "" : await response.text()]).to.deep.equal([200, ""]);
    return response.headers.get("x-crosscall-ignored");
  }

  async function expectQuoted(change: Partial<QuoteRequest>): Promise<void> {
    expect((await quote(change)).steps).to.have.length(1);
  }

  function originDollar(): string {
    return network.chains[0].contracts.dollar;
  }

  /** Returns the router in a quote for a currency that the solver does not hold. */
  async function swapSource(): Promise<string> {
    const quoted = await quote({ destinationCurrency: network.chains[1].contracts.tether });
    return quoted.details.route.destination?.router ?? "";
  }

  async function expectSwapRejected(field: string, change: Partial<QuoteRequest>): Promise<void> {
    const swapping = { destinationCurrency: network.chains[1].contracts.tether, ...change };
    const { status, body } = await post(network, "/quote/v2", request(swapping));
    expect(status).to.equal(400);
    expect(body).to.include({ errorCode: "NO_SWAP_ROUTES_FOUND", field });
  }

  /** Expects that the live service's other swap sources do not affect a quote without a swap. */
  async function expectForeignSource(field: string): Promise<void> {
    const { status } = await post(network, "/quote/v2", { ...request(), [field]: ["uniswap-v3", "jupiter"] });
    expect(status).to.equal(200);
  }

  /** Expects a rejection if an SVM deposit's route is too large, and a quote if the terms are shorter. */
  async function expectSmallerRoute(originCurrency: string, terms: Partial<QuoteRequest>): Promise<void> {
    const svm = request({
      user: SVM_USER,
      originChainId: SVM,
      originCurrency,
      recipient: network.accounts.user.address,
      refundTo: SVM_USER,
      amount: "100000000000",
    });
    const { status, body } = await post(network, "/quote/v2", svm);
    expect([status, (body as { errorCode: string }).errorCode]).to.deep.equal([400, "SOLANA_TX_TOO_LARGE"]);
    expect(await post(network, "/quote/v2", { ...svm, ...terms })).to.include({ status: 200 });
  }

  it("include every field of the schema", () => {
    expect(Object.keys(fields).toSorted()).to.deep.equal(Object.keys(QuoteRequestSchema.properties).toSorted());
  });

  for (const [field, { wrong, effect }] of Object.entries(fields)) {
    it(`${field} appears in the response and the record`, () => effect(field));

    it(`${field} is rejected by name if its type is wrong`, async () => {
      const { status, body } = await post(network, "/quote/v2", { ...request(), [field]: wrong });
      expect([status, (body as { errorCode: string }).errorCode]).to.deep.equal([400, "INVALID_REQUEST"]);
      expect((body as { field: string }).field).to.match(new RegExp(`^${field}\\b`, "u"));
    });
  }

  it("are ignored and named in a header if they are unknown, even inside a call", async () => {
    const call = { to: OTHER, data: "0x", value: "0", originalTxValue: "1" };
    for (const [change, header] of [
      [{ useReceiver: true }, "useReceiver"],
      [{ metamask: { a: 1 }, source: "app", referrerAddress: OTHER }, "metamask, source, referrerAddress"],
      [{ txs: [call] }, "txs[0].originalTxValue"],
      [
        { txs: [{ to: OTHER, data: "0x", value: "0", gasLimit: "1", allowFailure: true }] },
        "txs[0].gasLimit, txs[0].allowFailure",
      ],
      [{ "a, b\r\nset-cookie: c": 1, ä: 2 }, "a%2C%20b%0D%0Aset-cookie%3A%20c, %C3%A4"],
      [{ ttl: 60 }, null],
    ] as const) {
      for (const path of ["/quote", "/quote/v2", "/quote/v3", "/execute/swap"]) {
        expect(await ignoredOf({ ...request(), ...change }, path)).to.equal(header);
      }
    }
    const many = Object.fromEntries(Array.from({ length: 1_500 }, (_, index) => [`${"x".repeat(200)}${index}`, 1]));
    expect((await ignoredOf({ ...request(), ...many }))?.length).to.be.below(2_500);
    expect(await ignoredOf({ ...request(), ttl: 60, source: "app" }, "/price")).to.equal("ttl, source");
  });

  it("reject another protocol version", () =>
    expectUnsupported({ ...request(), protocolVersion: "v1" }, "protocolVersion"));

  it("accept chain ids and other whole numbers as text", async () => {
    const [origin, destination] = network.chains;
    const detailsOf = async (path: string, body: object) => {
      const answer = await post(network, path, body, { "x-api-key": network.apiKey });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
      return (answer.body as Quote).details;
    };
    const { originChainId, originCurrency, amount, ...rest } = request();
    const several = { ...rest, origins: [{ chainId: originChainId, currency: originCurrency, amount }] };
    for (const toText of [String, numberToHex]) {
      const ids = { originChainId: toText(origin.id), destinationChainId: toText(destination.id) };
      for (const path of ["/quote/v2", "/quote/v3", "/price"]) {
        expect(await detailsOf(path, { ...request(), ...ids })).to.deep.equal(await detailsOf(path, request()));
      }
      const origins = [{ ...several.origins[0], chainId: toText(origin.id) }];
      const path = "/execute/swap/multi-input";
      expect(await detailsOf(path, { ...several, origins })).to.deep.equal(await detailsOf(path, several));
    }
    const terms = { txs: [{ to: OTHER, data: "0x", value: "0" }], txsGasLimit: 300_000, ttl: 3_600 };
    const texts = { ...terms, txsGasLimit: "300000", ttl: "3600", permitExpiry: "600", maxRouteLength: "0x4" };
    expect(await detailsOf("/quote/v2", { ...request(), ...texts })).to.deep.equal(
      await detailsOf("/quote/v2", { ...request(), ...terms, permitExpiry: 600, maxRouteLength: 4 }),
    );
    for (const originChainId of ["", "base", "1e3", "-1", "9".repeat(30)]) {
      expect((await post(network, "/quote/v2", { ...request(), originChainId })).status).to.equal(400);
    }
  });

  it("accept amounts as hexadecimal text and numbers, and basis points as numbers", async () => {
    const calls = [{ to: OTHER, data: "0x12345678", value: "0" }];
    const decimal = {
      ...request({ amount: "1000000000000000", topupGas: true, topupGasAmount: "1000000", txs: calls }),
      subsidizeFees: true,
      maxSubsidizationAmount: "10000",
      slippageTolerance: "100",
      latePaymentSlippageTolerance: "50",
      appFees: [{ recipient: OTHER, fee: "25" }],
    };
    const [call] = calls;
    const numbers = {
      ...decimal,
      amount: 1_000_000_000_000_000,
      topupGasAmount: 1_000_000,
      maxSubsidizationAmount: 10_000,
      slippageTolerance: 100,
      latePaymentSlippageTolerance: 50,
      appFees: [{ recipient: OTHER, fee: 25 }],
      txs: [{ ...call, value: 0 }],
    };
    const texts = {
      ...decimal,
      amount: "0x38d7ea4c68000",
      topupGasAmount: "0xF4240",
      maxSubsidizationAmount: "0x2710",
      txs: [{ ...call, value: "0x0" }],
    };
    const withoutValue = { ...decimal, txs: calls.map(({ to, data }) => ({ to, data })) };
    const headers = { "x-api-key": network.apiKey };
    for (const path of ["/quote", "/quote/v2", "/quote/v3", "/execute/swap"]) {
      const detailsOf = async (body: object) => {
        const answer = await post(network, path, body, headers);
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        return (answer.body as Quote).details;
      };
      const expected = await detailsOf(decimal);
      for (const form of [numbers, texts, withoutValue]) expect(await detailsOf(form)).to.deep.equal(expected);
    }
    for (const amount of [1e15, 12_300_000_000_000_000, 2.5e18]) {
      const priced = await post(network, "/price", request({ amount: BigInt(amount).toString() }));
      expect(priced.status).to.equal(200);
      expect((await post(network, "/price", { ...request(), amount })).body).to.deep.equal(priced.body);
    }
    const quoted = (await post(network, "/quote/v2", numbers, headers)).body as Quote;
    const { data } = await recordOfQuote(quoted);
    expect(data.slippageTolerance).to.equal("100");
    expect(data.appFees.quoted[0]).to.include({ bps: "25" });
    expect(data.feeSponsorship?.quoted).to.include({ maxSubsidizationAmount: "10000" });
  });

  for (const [field, value, errorCode, shown = JSON.stringify(value)] of [
    ["amount", -1, "INVALID_REQUEST", '"-1"'],
    ["amount", 1.5, "INVALID_REQUEST", '"1.5"'],
    ["amount", 2 ** 53, "INVALID_REQUEST"],
    ["amount", 1e30, "INVALID_REQUEST"],
    ["amount", "0x", "INVALID_REQUEST"],
    ["amount", "-0x1", "INVALID_REQUEST"],
    ["amount", `0x1${"0".repeat(64)}`, "INVALID_REQUEST"],
    ["amount", 0, "AMOUNT_TOO_LOW", '"0"'],
    ["amount", "0x0", "AMOUNT_TOO_LOW", '"0"'],
    ["topupGasAmount", -1, "INVALID_REQUEST", '"-1"'],
    ["slippageTolerance", 0.5, "INVALID_SLIPPAGE_TOLERANCE", '"0.5"'],
    ["slippageTolerance", 10_001, "INVALID_SLIPPAGE_TOLERANCE", '"10001"'],
    ["slippageTolerance", "0x32", "INVALID_SLIPPAGE_TOLERANCE"],
    ["latePaymentSlippageTolerance", -1, "INVALID_SLIPPAGE_TOLERANCE", '"-1"'],
    ["appFees[0].fee", 0.1, "INVALID_REQUEST", '"0.1"'],
    ["txs[0].value", "0x", "INVALID_EXTRA_TXS"],
    ["txs[0].value", -5, "INVALID_EXTRA_TXS", '"-5"'],
    ["txs[0].value", 2 ** 60, "INVALID_REQUEST"],
  ] as const) {
    it(`${field} is rejected by name and value if it is ${value}`, async () => {
      const change = field.startsWith("appFees")
        ? { appFees: [{ recipient: OTHER, fee: value }] }
        : field.startsWith("txs")
          ? { txs: [{ to: OTHER, data: "0x", value }] }
          : { topupGas: true, [field]: value };
      const { status, body } = await post(network, "/quote/v2", { ...request(), ...change });
      expect(status).to.equal(400);
      expect(body).to.include({ errorCode, field });
      expect((body as { message: string }).message).to.include(shown);
    });
  }

  it("support the protocol versions v2 and preferV2", async () => {
    for (const protocolVersion of ["v2", "preferV2"]) {
      expect((await post(network, "/quote/v2", { ...request(), protocolVersion })).status).to.equal(200);
    }
  });

  it("match the live service's fields", () => {
    const live = liveSchema("POST /quote/v2 body") as { properties?: object };
    expect(Object.keys(QuoteRequestSchema.properties).toSorted()).to.deep.equal(
      Object.keys(live.properties ?? {}).toSorted(),
    );
  });

  for (const field of QuoteRequestSchema.required) {
    it(`${field} is rejected by name if it is missing`, async () => {
      const { status, body } = await post(network, "/quote/v2", { ...request(), [field]: undefined });
      expect(status).to.equal(400);
      expect(body).to.have.property("field", field);
    });
  }
});
