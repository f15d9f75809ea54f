import { expect } from "chai";
import fc from "fast-check";

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
import * as verify from "../../packages/sdk/src/verify.ts";

const MODULES = [sdk, calls, verify, attestation, migrate, local, preflight, replays, testing, browser, ignition];

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
  "createExecutionHasher",
  "createMemoryJournal",
  "createStatusFeed",
  "crosscallMatchers",
  "decodeAction",
  "decodeEvmWithdrawal",
  "decodeProgram",
  "depositExecutionKey",
  "encodeAction",
  "encodeEvmWithdrawal",
  "executionDomain",
  "formatReport",
  "hashExecution",
  "hashOwnerOrder",
  "hashWithdrawRequest",
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
  "settlementExecutionKey",
  "toQuoteV3",
  "toReportHtml",
  "toReportJson",
  "toV3",
  "toVerifierCall",
  "toWithdrawRequest",
  "transferExecutionKey",
  "vmCodecOf",
  "withdrawalAddress",
  "withdrawalExecutionKey",
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
