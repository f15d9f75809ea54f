import { chainTokens } from "../../packages/crosscall/src/localnet/devchain/tokens.ts";
import { encodeFunctionData, erc20Abi, maxUint256, zeroAddress } from "viem";

import { cleanupErc20s, planCalls } from "../../packages/sdk/src/calls/index.ts";
import { createServiceClient } from "../../packages/sdk/src/index.ts";
import type { Quote } from "../../packages/protocol/src/complete.ts";
import type { Call, QuoteRequest } from "../../packages/protocol/src/index.ts";
import type { DevChain } from "../../packages/crosscall/src/localnet/devchain/devChain.ts";
import type { Localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { SCENARIOS } from "../../packages/crosscall/src/localnet/scenarios/catalogue.ts";
import { REFUND_REASONS } from "../../packages/crosscall/src/localnet/scenarios/families/depositReasons.ts";
import { FAIL_SCENARIOS } from "../../packages/crosscall/src/localnet/scenarios/families/failReasons.ts";
import { REVERTER } from "../../packages/crosscall/src/localnet/scenarios/families/failScenario.ts";
import type { BehaviorName, Scenario } from "../../packages/crosscall/src/localnet/scenarios/scenario.ts";
import { reader } from "../../test/integration/support/parties.ts";
import { DEPOSIT, dollarRequest } from "../../test/integration/support/scenarioRuns.ts";
import { getQuote } from "../../test/support/complete.ts";

/**
 * Location of a failure's cause: none, the caller's `txs`, the quote's steps, the state of a chain, or an event after
 * the preflight.
 */
export type CausePlace = "none" | "txs" | "steps" | "chain" | "later";

/** A request, and the known facts about its outcome before the preflight. */
export interface Case {
  readonly name: string;
  readonly cause: CausePlace;
  readonly request: QuoteRequest;
  /** The request stays pending. */
  readonly isStuck?: boolean;
  /** A second payment creates a child request. */
  readonly isPaidTwice?: boolean;
  /** Whether it leaves tokens on the router, which other calls could use. */
  readonly isLast?: boolean;
}

export async function listCases(network: Localnet): Promise<readonly Case[]> {
  const scenarios = SCENARIOS.filter(({ name }) => name !== "DEPOSIT_REORGED");
  const fromCatalogue = await Promise.all(scenarios.map((scenario) => casesOf(network, scenario)));
  return [...fromCatalogue.flat(), ...(await deliveries(network)), ...otherCases(network)];
}

/** A fill scenario has two cases: the network adds the call to the fill, or the caller includes it in `txs`. */
async function casesOf(network: Localnet, { name, family }: Scenario): Promise<readonly Case[]> {
  const request = dollarRequest(network, { referrer: `scenario:${name}` });
  if (family === "refundFailReason") {
    const reason = name.replace("refund:", "") as keyof typeof REFUND_REASONS;
    return [{ name, cause: REFUND_REASONS[reason].change === undefined ? "later" : "steps", request }];
  }
  if (family === "behavior") return [behaviorOf(network, name as BehaviorName)];
  // Quote errors and response errors occur before a quote exists.
  if (family !== "failReason") return [];
  const { act } = FAIL_SCENARIOS[name as keyof typeof FAIL_SCENARIOS];
  if (act.kind === "deposit") return [{ name, cause: "steps", request, isPaidTwice: act.change === "twice" }];
  const byNetwork: Case = { name, cause: "later", request };
  const [, destination] = network.chains;
  const facts = {
    chain: {
      id: destination.id,
      contracts: destination.contracts,
      client: reader(destination),
      pools: [],
      tokens: chainTokens(destination.contracts),
    } as unknown as DevChain,
    solver: network.solver,
    recipient: network.accounts.user.address,
  };
  const call = act.kind === "call" ? await act.call(facts) : act.kind === "fill" ? act.fault.firstCall : undefined;
  if (call === undefined) return [byNetwork];
  const txs = [{ to: call.to, data: call.data, value: call.value.toString() }, sweepDollars(network)];
  return [byNetwork, { name, cause: "txs", request: dollarRequest(network, { txs }) }];
}

/** Returns a call that sends the delivered tokens to the user. */
function sweepDollars({ chains: [, { contracts }], accounts }: Localnet): Call {
  return cleanupErc20s({
    router: contracts.router,
    cleanups: [{ token: contracts.dollar, recipient: accounts.user.address }],
  });
}

function transferOf({ chains: [, { contracts }], accounts }: Localnet, amount: bigint): Call {
  const args = [accounts.user.address, amount] as const;
  return {
    to: contracts.dollar,
    data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args }),
    value: "0",
  };
}

/** Cases with a different delivered amount, for calls that use the delivered amount and calls with a fixed amount. */
async function deliveries(network: Localnet): Promise<readonly Case[]> {
  const [, { contracts }] = network.chains;
  const recipient = network.accounts.user.address;
  const live = planCalls({
    tradeType: "EXACT_INPUT",
    router: contracts.router,
    destinationCurrency: contracts.dollar,
    recipient,
    amount: DEPOSIT,
    actions: [{ kind: "proxy", token: contracts.dollar, proxy: contracts.vaultProxy, recipient, deadline: maxUint256 }],
  });
  const quote = await quoteOf(network, dollarRequest(network, { txs: [transferOf(network, 1n)] }));
  const expected = BigInt(quote.details.currencyOut.amount);
  const fixed = { txs: [transferOf(network, expected)] };
  const below = "scenario:delivery?bps=-50";
  return [
    { name: "calls on the delivered amount", cause: "none", request: dollarRequest(network, live) },
    {
      name: "calls on the delivered amount, delivered below the quote",
      cause: "none",
      request: dollarRequest(network, { ...live, referrer: below }),
    },
    { name: "calls with the expected amount", cause: "none", request: dollarRequest(network, fixed) },
    {
      name: "calls with the expected amount, delivered below the quote",
      cause: "txs",
      request: dollarRequest(network, { ...fixed, referrer: below }),
    },
    {
      name: "calls that leave tokens on the router",
      cause: "none",
      isLast: true,
      request: dollarRequest(network, { txs: [transferOf(network, 1n)] }),
    },
  ];
}

const BEHAVIORS: Readonly<Record<BehaviorName, { readonly query: string; readonly cause: CausePlace }>> = {
  delivery: { query: "?bps=-50", cause: "none" },
  "slow-fill": { query: "?delayMs=100", cause: "none" },
  "stale-price": { query: "?bps=9000", cause: "later" },
  stuck: { query: "", cause: "later" },
};

function behaviorOf(network: Localnet, name: BehaviorName): Case {
  const { query, cause } = BEHAVIORS[name];
  const request = dollarRequest(network, { referrer: `scenario:${name}${query}` });
  return { name, cause, request, isStuck: name === "stuck" };
}

/** Cases for each kind of payment, and for accounts that cannot receive native currency. */
function otherCases(network: Localnet): Case[] {
  const native = { destinationCurrency: zeroAddress };
  const rejecting = REVERTER.address;
  return [
    { name: "native currency", cause: "none", request: dollarRequest(network, native) },
    { name: "dollars", cause: "none", request: dollarRequest(network) },
    {
      name: "an exact output",
      cause: "none",
      request: dollarRequest(network, { tradeType: "EXACT_OUTPUT", amount: "5000000" }),
    },
    {
      name: "recipient that rejects native currency",
      cause: "chain",
      request: dollarRequest(network, { ...native, recipient: rejecting }),
    },
    {
      name: "refundTo that rejects native currency",
      cause: "none",
      request: dollarRequest(network, { refundTo: rejecting }),
    },
    {
      name: "refundTo that rejects native currency, and a fill that fails",
      cause: "chain",
      request: dollarRequest(network, { refundTo: rejecting, referrer: "scenario:MANUAL_ADMIN_REFUND" }),
    },
  ];
}

export function quoteOf(network: Localnet, request: QuoteRequest): Promise<Quote> {
  const client = createServiceClient({ baseUrl: network.url, apiKey: network.apiKey, limits: false });
  return getQuote(client, request);
}
