import { expect } from "chai";
import fc from "fast-check";
import { parseAbi } from "viem";

import { UnknownOptionError } from "../../packages/protocol/src/common/rejectUnknownOptions.ts";
import * as ignition from "../../packages/crosscall/src/hardhat/ignition.ts";
import * as local from "../../packages/crosscall/src/localnet/index.ts";
import * as preflight from "../../packages/crosscall/src/replay/preflight/index.ts";
import * as replays from "../../packages/crosscall/src/replay/index.ts";
import * as testing from "../../packages/crosscall/src/testing/index.ts";
import * as browser from "../../packages/crosscall/src/testing/browser/index.ts";
import * as attestation from "../../packages/sdk/src/attestation.ts";
import * as calls from "../../packages/sdk/src/calls/index.ts";
import * as sdk from "../../packages/sdk/src/index.ts";
import * as migrate from "../../packages/sdk/src/migrate.ts";
import * as svm from "../../packages/sdk/src/svm.ts";
import * as verify from "../../packages/sdk/src/verify.ts";

const MODULES = [sdk, calls, verify, attestation, migrate, svm, local, preflight, replays, testing, browser, ignition];

/** Fails if a function calls the service, because it must reject its options first. */
const client = sdk.createServiceClient({
  baseUrl: "http://127.0.0.1:1",
  apiKey: "key",
  fetch: () => Promise.reject(new Error("the service was called")),
});

/** Any value for a parameter, because JavaScript callers can pass any. */
type Given = never;

/** Functions with options: an option, and a call with options. */
const CALLS: Readonly<Record<string, readonly [option: string, call: (options: Given) => unknown]>> = {
  announceDeposit: ["requestId", (options) => sdk.announceDeposit(client, options)],
  announceTransaction: ["transaction", (options) => sdk.announceTransaction(client, options)],
  claimAppFees: ["recipient", (options) => sdk.claimAppFees(client, options)],
  createAccessToken: ["signal", (options) => sdk.createAccessToken(client, options)],
  createFastifyWebhook: ["path", (options) => sdk.createFastifyWebhook({} as never, options)],
  createServiceClient: ["totalTimeoutMs", (options) => sdk.createServiceClient(options)],
  createWebhookHandler: ["toleranceMs", (options) => sdk.createWebhookHandler(options)],
  executeSteps: ["destinationClient", (options) => sdk.executeSteps(client, options)],
  fastFill: ["maxFillAmountUsd", (options) => sdk.fastFill(client, options)],
  getAppFeeBalances: ["address", (options) => sdk.getAppFeeBalances(client, options)],
  getChainHealth: ["chainId", (options) => sdk.getChainHealth(client, options)],
  getChainLiquidity: ["chainId", (options) => sdk.getChainLiquidity(client, options)],
  getChains: ["maxAgeMs", (options) => sdk.getChains(client, options)],
  getConfig: ["originChainId", (options) => sdk.getConfig(client, options)],
  getDepositAddress: ["requestId", (options) => sdk.getDepositAddress(client, options)],
  getPrice: ["destinationCurrency", (options) => sdk.getPrice(client, options)],
  getQuote: ["shortensSvmRoutes", (options) => sdk.getQuote(client, options)],
  getRequest: ["includeAuthenticatedData", (options) => sdk.getRequest(client, options)],
  getSignature: ["requestId", (options) => sdk.getSignature(client, options)],
  getSignatureV2: ["requestId", (options) => sdk.getSignatureV2(client, options)],
  getStatus: ["maxTries", (options) => sdk.getStatus(client, options)],
  getSwapSources: ["chainId", (options) => sdk.getSwapSources(client, options)],
  getTokenPrice: ["address", (options) => sdk.getTokenPrice(client, options)],
  getTrendingCurrencies: ["sortBy", (options) => sdk.getTrendingCurrencies(client, options)],
  getUsage: ["granularity", (options) => sdk.getUsage(client, options)],
  iterateAppFeeClaims: ["signal", (options) => sdk.iterateAppFeeClaims(client, { address: "0x" }, options).next()],
  iterateRequests: ["signal", (options) => sdk.iterateRequests(client, {}, options)],
  iterateRequestsV2: ["force", (options) => sdk.iterateRequestsV2(client, {}, options)],
  listAppFeeClaims: ["continuation", (options) => sdk.listAppFeeClaims(client, options)],
  listRequests: ["includeChildRequests", (options) => sdk.listRequests(client, options)],
  listRequestsV2: [
    "includeChildRequests",
    (options) => sdk.listRequestsV2(client, { force: true, ...(options as object) }),
  ],
  reindexDepositAddress: ["targetChainId", (options) => sdk.reindexDepositAddress(client, options)],
  requestStatuses: ["pollIntervalMs", (options) => sdk.requestStatuses(client, options).next()],
  searchCurrencies: ["useExternalSearch", (options) => sdk.searchCurrencies(client, options)],
  setRequestMetadata: ["moonPayId", (options) => sdk.setRequestMetadata(client, options)],
  verifySignature: ["expectedSigners", (options) => sdk.verifySignature(client, options)],
  verifySignatureV2: ["expectedSigners", (options) => sdk.verifySignatureV2(client, options)],
  verifyWebhook: ["toleranceMs", (options) => sdk.verifyWebhook(options)],
  watchRequest: ["pollIntervalMs", (options) => sdk.watchRequest(client, options)],

  approve: ["spender", (options) => calls.approve(options)],
  resetAllowance: ["spender", (options) => calls.resetAllowance(options)],
  raiseAllowance: ["spender", (options) => calls.raiseAllowance(options)],
  cleanupErc20s: ["cleanups", (options) => calls.cleanupErc20s(options)],
  cleanupErc20sViaCall: ["cleanups", (options) => calls.cleanupErc20sViaCall(options)],
  cleanupNative: ["recipient", (options) => calls.cleanupNative(options)],
  cleanupNativeViaCall: ["routerVersion", (options) => calls.cleanupNativeViaCall(options)],
  requireNative: ["routerVersion", (options) => calls.requireNative(options)],
  planCalls: ["destinationCurrency", (options) => calls.planCalls(options)],
  planRecipe: ["minimumOut", (options) => calls.planRecipe(options)],
  callContract: ["approvals", (options) => calls.callContract(options)],
  callFunction: ["approvals", (options) => calls.callFunction(options)],
  callProxy: ["minimumOut", (options) => calls.callProxy(options)],
  checkCalls: ["destinationCurrency", (options) => calls.checkCalls(options)],
  requireSoundCalls: ["destinationCurrency", (options) => calls.requireSoundCalls(options)],
  decodeCalls: ["abis", (options) => calls.decodeCalls([], options)],
  encodeProgram: ["recipient", (options) => calls.encodeProgram(options, {} as never)],
  formatCalls: ["labels", (options) => calls.formatCalls([], options)],
  formatFindings: ["planFile", (options) => calls.formatFindings([], options)],
  formatProgram: ["labels", (options) => calls.formatProgram({} as never, options)],
  live: ["shareBps", (options) => calls.live("native", options)],
  pullAndExecute: ["livePuller", (options) => calls.pullAndExecute(options)],
  pushAndExecute: ["routerVersion", (options) => calls.pushAndExecute(options)],
  readCallFacts: ["contracts", (options) => calls.readCallFacts({} as never, options)],
  returned: ["shareBps", (options) => calls.returned(0, options)],

  svmWallet: ["pollIntervalMs", (options) => svm.svmWallet(options)],

  verifyQuote: ["knownRequestIds", (options) => verify.verifyQuote(options)],

  attest: ["signal", (options) => attestation.attest(client, "chains" as never, {} as never, options)],
  getOracleChains: ["signal", (options) => attestation.getOracleChains(client, options)],
  getOracleLives: ["withReport", (options) => attestation.getOracleLives(client, options)],
  requireAttestation: ["threshold", (options) => attestation.requireAttestation(options)],
  verifyAttestation: ["threshold", (options) => attestation.verifyAttestation(options)],

  localnet: ["databaseFolder", (options) => local.localnet(options)],
  createPreflight: ["limits", (options) => preflight.createPreflight(options)],
  replay: ["cacheFolder", (options) => replays.replay(options)],
  replayRemotely: ["cacheFolder", (options) => replays.replayRemotely(options)],
  forkFill: ["proxies", (options) => testing.forkFill({} as never, {} as never, options)],
  misbehavingNode: ["refusal", (options) => testing.misbehavingNode("silent" as never, options)],
  misbehavingWallet: ["releaseAfterBlocks", (options) => testing.misbehavingWallet("silent" as never, options)],
  injectWallet: ["accounts", (options) => browser.injectWallet({} as never, options)],
  withLocalnet: ["redirects", (options) => browser.withLocalnet({} as never, options)],
  crosscallModule: ["chainId", (options) => ignition.crosscallModule("PushExecutor", {}, options)],
};

/** Functions that take data, or nothing. */
const WITHOUT_OPTIONS: readonly string[] = [
  "chainFamilyOf",
  "createMemoryJournal",
  "createStatusFeed",
  "crosscallMatchers",
  "decodeAction",
  "decodeEvmWithdrawal",
  "decodeProgram",
  "depositExecutionKey",
  "encodeAction",
  "formatReport",
  "hashExecution",
  "hashOwnerOrder",
  "hubAlias",
  "hubTokenId",
  "loadSnapshot",
  "onchainId",
  "orderAddress",
  "packed",
  "parseReport",
  "placeRouter",
  "planSteps",
  "requestIdOf",
  "routerOn",
  "saveSnapshot",
  "toQuoteV3",
  "toReportHtml",
  "toReportJson",
  "toV3",
  "toVerifierCall",
  "toWithdrawRequest",
  "withdrawalAddress",
];

const [ROUTER, EXECUTOR, PULLER, TOKEN, TARGET, USER] = ["1", "2", "3", "4", "5", "6"].map(
  (digit) => `0x${digit.repeat(40)}`,
);
const program = { recipient: USER, tokens: [{ token: TOKEN }], steps: [{ target: TARGET, data: "0x" }] };
const encode = (parts: object) =>
  calls.encodeProgram(
    { ...program, ...parts } as Given,
    { executor: EXECUTOR, livePuller: PULLER, router: ROUTER } as Given,
  );
const plan = (parts: object) =>
  calls.planCalls({
    tradeType: "EXACT_INPUT",
    destinationCurrency: TOKEN,
    recipient: USER,
    amount: 1n,
    router: ROUTER,
    ...parts,
  } as Given);
const planAction = (action: object) => plan({ actions: [action] });
const proxy = { kind: "proxy", proxy: TARGET, token: TOKEN, recipient: USER, deadline: 1n };
const repayment = { kind: "proxy", functionName: "repayNative", proxy: TARGET, borrower: USER, deadline: 1n };
const poke = { abi: parseAbi(["function poke()"]), functionName: "poke" };
const contract = { kind: "contract", address: TARGET, ...poke };
const check = (parts: object) =>
  calls.checkCalls({
    txs: [],
    tradeType: "EXACT_INPUT",
    amount: "1",
    contracts: { router: ROUTER },
    destinationCurrency: TOKEN,
    ...parts,
  } as Given);
const recipe = (parts: object) =>
  calls.planRecipe({
    recipe: calls.morphoBlueSupply,
    args: { morpho: TARGET, market: {} },
    recipient: USER,
    router: ROUTER,
    tradeType: "EXACT_INPUT",
    amount: 1n,
    ...parts,
  } as Given);

/** Nested options: their path, one of them, and a call with a part of them. */
const NESTED: readonly [at: string, option: string, call: (part: object) => unknown][] = [
  ["tokens[0].", "minimumIn", (part) => encode({ tokens: [{ token: TOKEN, ...part }] })],
  ["checks[0].", "minimumOut", (part) => encode({ checks: [{ token: TOKEN, minimumOut: 1n, ...part }] })],
  ["policy.", "stepsGas", (part) => encode({ policy: { kind: "revert", ...part } })],
  ["steps[0].", "approvals", (part) => encode({ steps: [{ target: TARGET, data: "0x", ...part }] })],
  ["steps[0].", "functionName", (part) => encode({ steps: [{ target: TARGET, ...poke, ...part }] })],
  ["programs.", "livePuller", (part) => plan({ actions: [proxy], programs: part })],
  ["actions[0].", "call", (part) => planAction({ kind: "call", ...part })],
  ["actions[0].", "minimumOut", (part) => planAction({ ...proxy, ...part })],
  ["actions[0].", "minimumRepaid", (part) => planAction({ ...repayment, ...part })],
  ["actions[0].", "deadline", (part) => planAction({ ...contract, ...part })],
  ["actions[0].", "program", (part) => planAction({ kind: "program", program, ...part })],
  ["actions[0].allowance.", "standing", (part) => planAction({ ...proxy, allowance: part })],
  ["actions[0].tokens[0].", "minimumIn", (part) => planAction({ ...contract, tokens: [{ token: TOKEN, ...part }] })],
  ["actions[0].checks[0].", "minimumOut", (part) => planAction({ ...contract, checks: [{ token: TOKEN, ...part }] })],
  [
    "actions[0].approvals[0].",
    "spender",
    (part) => planAction({ ...contract, approvals: [{ token: TOKEN, ...part }] }),
  ],
  [
    "actions[0].approvals[0].allowance.",
    "refusesChange",
    (part) => planAction({ ...contract, approvals: [{ token: TOKEN, amount: 1n, allowance: part }] }),
  ],
  ["facts.", "refusesChange", (part) => calls.raiseAllowance({ token: TOKEN, spender: TARGET, facts: part } as Given)],
  ["args.", "morpho", (part) => recipe({ args: part })],
  ["args.market.", "oracle", (part) => recipe({ args: { morpho: TARGET, market: part } })],
  ["allowance.", "standing", (part) => recipe({ allowance: part })],
  ["programs.", "executor", (part) => recipe({ programs: part })],
  ["contracts.", "proxies", (part) => check({ contracts: { router: ROUTER, ...part } })],
  ["contracts.proxies[0].", "inputToken", (part) => check({ contracts: { proxies: [{ address: TARGET, ...part }] } })],
  ["facts.", "tokens", (part) => check({ facts: part })],
  ["facts.accounts[0].", "hasCode", (part) => check({ facts: { accounts: [{ address: USER, ...part }] } })],
  ["facts.tokens[0].", "decimals", (part) => check({ facts: { tokens: [{ address: TOKEN, ...part }] } })],
  ["facts.allowances[0].", "spender", (part) => check({ facts: { allowances: [part] } })],
  ["facts.permit2Allowances[0].", "expiration", (part) => check({ facts: { permit2Allowances: [part] } })],
  [
    "contracts.",
    "livePuller",
    (part) => calls.readCallFacts({} as never, { txs: [], contracts: { router: ROUTER, ...part } } as Given),
  ],
  [
    "origin.",
    "accounts",
    (part) => calls.readCallFacts({} as never, { txs: [], contracts: {}, origin: part } as Given),
  ],
];

/** Options with a fixed set of values, and a call with a value. */
const VALUES: readonly [field: string, call: (value: unknown) => unknown][] = [
  ["actions[0].kind", (kind) => planAction({ ...proxy, kind })],
  ["actions[0].functionName", (functionName) => planAction({ ...proxy, functionName })],
  [
    "programs.by",
    (by) => plan({ actions: [{ kind: "program", program }], programs: { executor: EXECUTOR, livePuller: PULLER, by } }),
  ],
  ["policy.kind", (kind) => encode({ policy: { kind } })],
];

/** Changes one character. */
const edited = (name: string): fc.Arbitrary<string> =>
  fc
    .tuple(fc.nat(name.length), fc.constantFrom("", "q", "Q", "_"), fc.boolean())
    .map(([at, added, drops]) => name.slice(0, at) + added + name.slice(at + (drops ? 1 : 0)))
    .filter((other) => other !== name);

describe("public functions", () => {
  for (const [name, [option, call]] of Object.entries(CALLS)) {
    it(`${name} rejects an unknown option, and names the nearest`, async () => {
      await fc.assert(
        fc.asyncProperty(edited(option), async (misspelled) => {
          const error = await failureOf(() => call({ [misspelled]: 1 } as Given));
          expect(error, misspelled).to.be.instanceOf(UnknownOptionError);
          expect(error).to.include({ field: misspelled, nearest: option });
        }),
        { numRuns: 20 },
      );
    });
  }

  for (const [at, option, call] of NESTED) {
    it(`reject an unknown option next to ${at}${option}, and name the nearest`, async () => {
      await fc.assert(
        fc.asyncProperty(edited(option), async (misspelled) => {
          const error = await failureOf(() => call({ [misspelled]: 1 }));
          expect(error, misspelled).to.be.instanceOf(UnknownOptionError);
          expect(error).to.include({ field: `${at}${misspelled}`, nearest: option });
        }),
        { numRuns: 20 },
      );
    });
  }

  for (const [field, call] of VALUES) {
    it(`reject an unknown value of ${field}`, async () => {
      for (const value of ["foo", "toString", 1, null]) {
        expect(await failureOf(() => call(value))).to.include({ code: "INVALID_INPUT", field });
      }
    });
  }

  it("all reject unknown options, unless they take no options", () => {
    const functions = MODULES.flatMap((module) => Object.entries(module))
      .filter(([name, value]) => typeof value === "function" && /^[a-z]/u.test(name))
      .map(([name]) => name);
    expect([...new Set(functions)].filter((name) => !(name in CALLS)).toSorted()).to.deep.equal(
      WITHOUT_OPTIONS.toSorted(),
    );
  });
});

async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error;
  }
  return undefined;
}
