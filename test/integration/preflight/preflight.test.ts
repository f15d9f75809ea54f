import { expect } from "chai";
import { type Address, encodeFunctionData, erc20Abi, maxUint256, zeroAddress } from "viem";

import { erc4626Deposit, planCalls, planRecipe } from "../../../packages/sdk/src/calls/index.ts";
import { createServiceClient, executeSteps, getQuote, PreflightFailedError } from "../../../packages/sdk/src/index.ts";
import type { Call, QuoteRequest } from "../../../packages/protocol/src/index.ts";
import { verifyQuote } from "../../../packages/sdk/src/verify.ts";
import { SVM_WRAPPED_NATIVE, svmAddress } from "../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import { createPreflight, type PreflightReport } from "../../../packages/crosscall/src/replay/preflight/index.ts";
import { toPreflightHtml } from "../../../packages/crosscall/src/replay/preflight/report/toPreflightHtml.ts";
import { REVERTER } from "../../../packages/crosscall/src/localnet/scenarios/families/failScenario.ts";
import { placeHostiles } from "../../../packages/crosscall/src/localnet/scenarios/faults.ts";
import { useNetwork } from "../../support/useNetwork.ts";
import { failureOf } from "../support/failureOf.ts";
import { mintDollars, reader, userWallet } from "../support/parties.ts";
import { deployMock, onNode } from "../support/requests.ts";
import { pushExecutorAbi } from "../../../packages/protocol/src/abi/executor.generated.ts";

describe("a preflight check", () => {
  const network = useNetwork();
  const client = () => createServiceClient({ baseUrl: network.url, limits: false });
  const user = () => network.accounts.user.address;
  const destination = () => network.chains[1];

  before(async () => {
    for (const chain of network.chains) await placeHostiles(reader(chain));
  });

  const requestOf = (change: Partial<QuoteRequest> = {}): QuoteRequest => ({
    user: user(),
    originChainId: network.chains[0].id,
    destinationChainId: destination().id,
    originCurrency: zeroAddress,
    destinationCurrency: destination().contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: "1000000000000000000",
    ...change,
  });
  /** Integrator's calls that use the delivered amount. */
  const vaultCalls = (): Partial<QuoteRequest> => {
    const { router, dollar, vaultProxy } = destination().contracts;
    return planCalls({
      tradeType: "EXACT_INPUT",
      router,
      destinationCurrency: dollar,
      recipient: user(),
      amount: 1_000_000_000_000_000_000n,
      actions: [
        {
          kind: "proxy",
          token: dollar,
          proxy: vaultProxy,
          recipient: user(),
          minimumOut: 1_000n,
          deadline: maxUint256,
        },
      ],
    });
  };
  const transfer = (amount: bigint, to: Address = user()): Call => ({
    to: destination().contracts.dollar,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
    value: "0",
  });
  const simulate = async (request: QuoteRequest, later: Partial<QuoteRequest> = {}): Promise<PreflightReport> => {
    const quote = await getQuote(client(), request);
    return createPreflight(network)({ request: { ...request, ...later }, quote });
  };
  const errorsOf = ({ findings }: PreflightReport): readonly string[] =>
    findings.filter(({ severity }) => severity === "error").map(({ code, leg }) => `${leg} ${code}`);
  const outputOf = async (request: QuoteRequest, kind: "amount" | "minimumAmount"): Promise<bigint> =>
    BigInt((await getQuote(client(), request)).details?.currencyOut?.[kind] ?? "0");

  it("passes calls that use the delivered amount, and reports both legs", async () => {
    const report = await simulate(requestOf(vaultCalls()));
    expect([report.verdict, report.findings, report.quote.verdict]).to.deep.equal(["passed", [], "bound"]);
    expect(report.origin?.balances.map(({ account, currency }) => [account, currency])).to.deep.equal([
      [user(), zeroAddress],
    ]);
    const { expected, minimum } = report.destination!;
    expect(expected.amount > minimum.amount).to.equal(true);
    for (const { verdict, transfers, balances } of [expected, minimum]) {
      expect(verdict.outcome).to.equal("success");
      expect(transfers.length).to.be.greaterThan(2);
      const vaultShares = balances.find(({ account }) => account === user());
      expect(vaultShares!.after > vaultShares!.before).to.equal(true);
    }
    const { ranges } = expected.envelope!;
    expect(ranges.map(({ success }) => success)).to.deep.equal([true]);
    expect(ranges[0]!.from).to.equal(minimum.amount);
    expect(ranges[0]!.to > expected.amount).to.equal(true);
  });

  it("passes a program that the push executor runs on the amount pulled by its puller", async () => {
    const { router, dollar, vault } = destination().contracts;
    const executor = await deployMock(network, destination(), "executor/PushExecutor");
    const read = { address: executor, abi: pushExecutorAbi, functionName: "livePuller" } as const;
    const livePuller = await reader(destination()).readContract(read);
    const calls = planRecipe({
      recipe: erc4626Deposit,
      args: { vault, asset: dollar },
      programs: { executor, livePuller },
      tradeType: "EXACT_INPUT",
      router,
      recipient: user(),
      amount: 1_000_000_000_000_000_000n,
      minimumOut: 1_000n,
    });
    const report = await simulate(requestOf(calls));
    expect([report.verdict, report.findings]).to.deep.equal(["passed", []]);
  });

  it("recognizes a transfer that names the order as the deposit", async () => {
    const origin = network.chains[0];
    await mintDollars(network, origin, 50_000_000n);
    const request = requestOf({
      originCurrency: origin.contracts.dollar,
      amount: "50000000",
      explicitDeposit: false,
    });
    expect(errorsOf(await simulate(request))).to.deep.equal([]);
  });

  it("fails if calls succeed with the expected amount but not with the minimum amount", async () => {
    const expected = await outputOf(requestOf({ txs: [transfer(1n)] }), "amount");
    const report = await simulate(requestOf({ txs: [transfer(expected)] }));
    expect(errorsOf(report)[0]).to.equal("destination FILL_REVERTED");
    expect(report.findings[0]!.reason).to.match(
      /^the fill with the minimum amount of \d+ fails in txs\[0\]: TRANSFER_AMOUNT_EXCEEDS_BALANCE, /u,
    );
    expect(report.destination?.expected.verdict.outcome).to.equal("success");
    expect(report.destination?.minimum.verdict.outcome).to.equal("failure");
  });

  it("fails if calls use more gas than txsGasLimit", async () => {
    const request = requestOf(vaultCalls());
    const used = (await simulate(request))
      .destination!.expected.trace.calls.filter(({ txIndex }) => txIndex !== undefined)
      .reduce((sum, { frame }) => sum + Number(frame.gasUsed), 0);
    expect(errorsOf(await simulate(request, { txsGasLimit: used }))).to.deep.equal([]);
    const report = await simulate(request, { txsGasLimit: used - 1 });
    expect(errorsOf(report)).to.deep.equal(["destination GAS_LIMIT_EXCEEDED"]);
    expect(report.findings[0]!.reason).to.equal(
      `txs use ${used} gas, which is more than the txsGasLimit of ${used - 1}`,
    );
  });

  it("passes output in a token with a transfer fee if the quoted amount arrives", async () => {
    for (const amount of ["1000000000000000000", "123456789012345678"]) {
      const request = requestOf({ destinationCurrency: destination().contracts.feeToken, amount });
      expect(errorsOf(await simulate(request))).to.deep.equal([]);
    }
  });

  it("fails if a recipient or refundTo cannot receive the currency", async () => {
    const recipient = await simulate(requestOf({ destinationCurrency: zeroAddress, recipient: REVERTER.address }));
    expect(errorsOf(recipient)).to.deep.equal(["destination FILL_REVERTED"]);
    const refund = await simulate(requestOf({ refundTo: REVERTER.address }));
    expect(errorsOf(refund)).to.deep.equal(["refund REFUND_REVERTED"]);
    expect(refund.findings[0]!.reason).to.include(REVERTER.address);
  });

  describe("of accounts that are contracts on only one chain", () => {
    const CODE = "0x00";
    const DELEGATED = `0xef0100${"0".repeat(38)}d7`;
    const account = "0x00000000000000000000000000000000000000c3" as const;
    const accountsOf = async (
      [onOrigin, onDestination]: readonly [string, string],
      change: Partial<QuoteRequest> = {},
    ): Promise<readonly string[]> => {
      const [origin] = network.chains;
      await origin.fund(account, zeroAddress, 2_000_000_000_000_000_000n);
      await onNode(origin, "hardhat_setCode", account, onOrigin);
      await onNode(destination(), "hardhat_setCode", account, onDestination);
      const { verdict, findings } = await simulate(requestOf(change));
      expect(verdict).to.equal("passed");
      return findings
        .filter(({ code }) => code.startsWith("ACCOUNT_"))
        .map(({ code, leg, severity }) => `${severity} ${code} ${leg}`);
    };

    it("warns that a recipient does not exist on the destination chain", async () => {
      expect(await accountsOf([CODE, "0x"], { user: account })).to.deep.equal(["warning ACCOUNT_MISSING destination"]);
      expect(await accountsOf([CODE, CODE], { user: account })).to.deep.equal([]);
      expect(await accountsOf(["0x", "0x"], { user: account })).to.deep.equal([]);
      expect(await accountsOf(["0x", CODE], { recipient: account })).to.deep.equal([]);
      expect(await accountsOf([CODE, "0x"], { recipient: account })).to.include("warning ACCOUNT_MISSING destination");
    });

    it("warns that a refund address does not exist on the refund chain", async () => {
      expect(await accountsOf(["0x", CODE], { refundTo: account })).to.deep.equal(["warning ACCOUNT_MISSING refund"]);
      expect(await accountsOf([CODE, CODE], { refundTo: account })).to.deep.equal([]);
    });

    it("warns that an account delegates on only one chain", async () => {
      expect(await accountsOf([DELEGATED, "0x"], { user: account })).to.include(
        "warning ACCOUNT_DELEGATES destination",
      );
      expect(await accountsOf(["0x", DELEGATED], { recipient: account })).to.deep.equal([
        "warning ACCOUNT_DELEGATES destination",
      ]);
      expect(await accountsOf([DELEGATED, DELEGATED], { recipient: account })).to.deep.equal([]);
    });

    it("reports the same warnings as verifyQuote with clients for both chains", async () => {
      const warningsOf = async (codes: readonly [string, string], change: Partial<QuoteRequest>) => {
        const [origin] = network.chains;
        await onNode(origin, "hardhat_setCode", account, codes[0]);
        await onNode(destination(), "hardhat_setCode", account, codes[1]);
        const request = requestOf(change);
        const quote = await getQuote(client(), request);
        const clients = { origin: reader(origin), destination: reader(destination()) };
        const { verdict, warnings } = await verifyQuote({ request, quote, trust: network.trust, clients });
        expect(verdict).to.equal("bound");
        return warnings.map(({ code, path }) => `${code} ${path}`);
      };
      expect(await warningsOf([CODE, "0x"], { recipient: account })).to.deep.equal([
        "ACCOUNT_EXISTS request.recipient",
      ]);
      expect(await warningsOf(["0x", CODE], { refundTo: account })).to.deep.equal(["ACCOUNT_EXISTS request.refundTo"]);
      expect(await warningsOf(["0x", DELEGATED], { recipient: account })).to.deep.equal([
        "ACCOUNT_SAME request.recipient",
      ]);
      expect(await warningsOf([CODE, CODE], { recipient: account })).to.deep.equal([]);
    });

    it("does not warn for same-chain requests", async () => {
      const { dollar } = network.chains[0].contracts;
      const change = { destinationChainId: network.chains[0].id, destinationCurrency: dollar, recipient: account };
      expect(await accountsOf([CODE, "0x"], change)).to.deep.equal([]);
    });
  });

  it("requires no more native currency than the steps spend", async () => {
    const origin = network.chains[0];
    const poor = "0x00000000000000000000000000000000000000f0" as const;
    await origin.fund(poor, zeroAddress, 1_000_000_000_000_000n);
    await origin.fund(poor, origin.contracts.dollar, 50_000_000n);
    const request = requestOf({ user: poor, originCurrency: origin.contracts.dollar, amount: "50000000" });
    const report = await simulate(request);
    expect(report.quote.items.map(({ stepId }) => stepId)).to.deep.equal(["approve", "deposit"]);
    expect(errorsOf(report)).to.deep.equal([]);
  });

  it("allows an unlimited approval if the caller permits it", async () => {
    const origin = network.chains[0];
    await mintDollars(network, origin, 50_000_000n);
    const request = requestOf({ originCurrency: origin.contracts.dollar, amount: "50000000" });
    const quote = await getQuote(client(), request);
    const approve = encodeFunctionData({
      abi: erc20Abi,
      functionName: "approve",
      args: [origin.contracts.depository, maxUint256],
    });
    const steps = quote.steps?.map((step) =>
      step.id === "approve"
        ? { ...step, items: step.items?.map((item) => ({ ...item, data: { ...item.data, data: approve } })) ?? [] }
        : step,
    );
    const unlimited = { ...quote, ...(steps === undefined ? {} : { steps }) };
    const run = createPreflight(network);
    expect(errorsOf(await run({ request, quote: unlimited }))).to.deep.equal(["quote APPROVAL_AMOUNT"]);
    const limits = { allowsUnlimitedApproval: true };
    expect(errorsOf(await run({ request, quote: unlimited, limits }))).to.deep.equal([]);
  });

  it("does not simulate a quote that verification refuses", async () => {
    const report = await simulate(requestOf(vaultCalls()), { recipient: REVERTER.address });
    expect([report.verdict, report.origin, report.destination]).to.deep.equal(["failed", undefined, undefined]);
    expect(errorsOf(report)).to.include("quote RECIPIENT");
  });

  it("reports the parts that it did not simulate, and fails steps that only a simulation could explain", async () => {
    const request = requestOf(vaultCalls());
    const quote = await getQuote(client(), request);
    const [{ id, rpcUrl }] = network.chains;
    const half = await createPreflight({ chains: [{ id, rpcUrl }] })({ request, quote });
    expect(half.verdict).to.equal("passed");
    expect(half.findings.map(({ code, leg, severity }) => [code, leg, severity])).to.deep.equal([
      ["NOT_SIMULATED", "destination", "warning"],
    ]);
    const fromSvm = (originCurrency: string) =>
      simulate(
        requestOf({
          user: svmAddress("test wallet"),
          originChainId: 792_703_809,
          originCurrency,
          recipient: user(),
          amount: "1000000000",
        }),
      );
    expect(errorsOf(await fromSvm("11111111111111111111111111111111"))).to.deep.equal([]);
    expect(errorsOf(await fromSvm(SVM_WRAPPED_NATIVE))).to.deep.equal(["origin NOT_SIMULATED"]);
  });

  it("requires an endpoint of the origin chain", async () => {
    const request = requestOf();
    const quote = await getQuote(client(), request);
    const error = await failureOf(createPreflight({ chains: [] })({ request, quote }));
    expect(error).to.include({ code: "INVALID_INPUT", field: "chains" });
  });

  it("prevents a payment in executeSteps if the fill would fail", async () => {
    const before = await reader(network.chains[0]).getTransactionCount({ address: user() });
    const quote = await getQuote(client(), requestOf({ txs: [transfer(maxUint256)] }));
    const wallet = userWallet(network, network.chains[0]);
    const error = await failureOf(executeSteps(client(), { quote, wallet, preflight: createPreflight(network) }));
    expect(error).to.be.instanceOf(PreflightFailedError);
    expect((error as PreflightFailedError).findings[0]).to.include({ code: "FILL_REVERTED", severity: "error" });
    expect(await reader(network.chains[0]).getTransactionCount({ address: user() })).to.equal(before);
  });

  it("has an HTML page that escapes text from the service", async () => {
    const request = requestOf();
    const quote = await getQuote(client(), request);
    const hostile = { ...quote, details: { ...quote.details, recipient: "<script>alert(1)</script>" } };
    const report = await createPreflight(network)({ request, quote: hostile });
    const page = toPreflightHtml(report, { request, quote: hostile, trust: network.trust });
    expect(page).to.include("&lt;script&gt;alert(1)&lt;/script&gt;").and.not.include("<script>");
  });
});
