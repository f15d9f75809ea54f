import { expect } from "chai";
import fc from "fast-check";
import { type Address, getAddress, type Hex, maxUint256, zeroAddress } from "viem";

import { checkCalls, decodeProgram, planRecipe } from "../../../../../packages/sdk/src/calls/index.ts";
import type { PlannedRecipe } from "../../../../../packages/sdk/src/calls/planRecipe.ts";
import type { AnyRecipe } from "../../../../../packages/sdk/src/calls/recipes/recipe.ts";
import { sumCallValues } from "../../../../../packages/protocol/src/common/call.ts";
import { readCall, type ReadCall } from "./protocolAbis.ts";
import { account, DOLLAR, EURO, PROGRAMS, PROXY, ROUTER, TARGET, type Use, USER, USES, WETH } from "./uses.ts";

const words = fc.bigInt({ min: 1n, max: maxUint256 });

/** Addresses in the uses. The test replaces them everywhere with random addresses. */
const PLACES = [DOLLAR, EURO, WETH, TARGET, USER, account("c9"), account("71"), account("72")];

/** Generates a different address, without special meaning, for each place. */
const addresses = fc.uniqueArray(
  fc
    .bigInt({ min: 2n ** 100n, max: 2n ** 160n - 1n })
    .map((number) => getAddress(`0x${number.toString(16).padStart(40, "0")}`)),
  { minLength: PLACES.length, maxLength: PLACES.length },
);

/** Returns arguments with replaced addresses. */
function replaceAddresses(value: unknown, chosen: readonly Address[]): unknown {
  if (typeof value === "string") return chosen[PLACES.findIndex((place) => place === value)] ?? value;
  if (Array.isArray(value)) return value.map((part) => replaceAddresses(part, chosen));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, replaceAddresses(part, chosen)]));
}

const plans = fc.record({
  use: fc.constantFrom(...USES),
  chosen: addresses,
  amount: words,
  minimumOut: words,
  deadline: fc.bigInt({ min: 1n, max: 2n ** 40n - 1n }),
  isLive: fc.boolean(),
  contracts: fc.constantFrom({ proxy: PROXY }, { programs: PROGRAMS }, { programs: { ...PROGRAMS, by: "pull" } }, {}),
  allowance: fc.record({ refusesChange: fc.boolean(), standing: fc.option(words, { nil: undefined }) }),
});
type RandomPlan = typeof plans extends fc.Arbitrary<infer Value> ? Value : never;

/** Returns whether the recipe supports a plan with these contracts. */
function isPossible({ use: { recipe, args }, isLive, contracts }: RandomPlan): boolean {
  if (!isLive) return true;
  if (!recipe.tradeTypes.includes("EXACT_INPUT")) return false;
  const context = { recipient: USER, minimumOut: 1n, deadline: 1n };
  const { input, takes } = recipe.use(args as never, context);
  const ways = new Set<string>(recipe.liveWays);
  if ("proxy" in contracts && ways.has("proxy")) return true;
  if ("programs" in contracts && ways.has("program")) return !("by" in contracts.programs) || takes !== zeroAddress;
  return (ways.has("nativeCall") && input === "value") || (ways.has("transfer") && input === "transfer");
}

function makePlan({ use: { recipe, args }, chosen, isLive, contracts, ...plan }: RandomPlan): PlannedRecipe {
  return planRecipe<AnyRecipe>({
    recipe,
    args: replaceAddresses(args, chosen),
    tradeType: isLive ? "EXACT_INPUT" : "EXACT_OUTPUT",
    router: ROUTER,
    recipient: chosen[PLACES.indexOf(USER)],
    amount: plan.amount,
    deadline: plan.deadline,
    allowance: plan.allowance,
    ...(recipe.minimum === "call" ? { minimumOut: plan.minimumOut } : {}),
    ...(isLive ? contracts : {}),
  } as never);
}

/** Returns the spenders with an allowance after the plan, without the protocols whose calls spend it. */
function spendersLeft(txs: readonly ReadCall[], { isLive, amount }: RandomPlan): unknown[] {
  const standing = new Map<string, { spender: unknown; isSpent: boolean }>();
  for (const [index, [token, name, spender, approved]] of txs.entries()) {
    if (name !== "approve") continue;
    const key = `${String(token)} ${String(spender)}`;
    // A call with a fixed amount spends an approval of this amount, unless it can take less.
    const [taker, called, market] = txs[index + 1] ?? [];
    // Morpho's `repay`, with the parameters of a market, takes the amount or reverts. Aave's takes at most the debt.
    const takesLess = called === "mint" || (called === "repay" && typeof market !== "object");
    const isSpent = !isLive && approved === amount && taker === spender && !takesLess;
    if (approved === 0n) standing.delete(key);
    else standing.set(key, { spender, isSpent });
  }
  return [...standing.values()].filter(({ isSpent }) => !isSpent).map(({ spender }) => spender);
}

/** Whether a call takes the router's whole balance of a currency. */
function takesAll([to, name, ...args]: ReadCall, currency: Address): boolean {
  if (name === "cleanupNativeViaCall") return currency === zeroAddress && args[0] === 0n;
  if (name === "cleanupErc20s") return (args[0] as Address[]).includes(currency);
  if (name === "cleanupNative") return currency === zeroAddress;
  if (name === "pullAndExecute") return args[0] === currency;
  return to === PROXY;
}

/** Returns the values at every depth. */
function flatten(value: unknown): unknown[] {
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(flatten);
  return [value];
}

describe("recipe plans with random arguments", () => {
  const possible = plans.filter(isPossible);

  it("decode with the protocols' ABIs, with matching amounts", () => {
    fc.assert(
      fc.property(possible, (plan) => {
        const { txs, amount, tradeType, destinationCurrency } = makePlan(plan);
        const read = txs.map(readCall);
        expect(amount).to.equal(plan.amount.toString());
        const isNative = destinationCurrency === zeroAddress;
        expect(sumCallValues(txs)).to.equal(isNative && tradeType === "EXACT_OUTPUT" ? plan.amount : 0n);
        // The calls approve, send or pass a fixed amount, unless the allowance is sufficient. They never contain a
        // live amount.
        const written = read.slice(0, -1).flatMap(flatten);
        const { refusesChange, standing = 0n } = plan.allowance;
        const isApproved = refusesChange && standing >= plan.amount;
        if (tradeType === "EXACT_OUTPUT" && !isApproved) expect(written.map(String)).to.include(String(plan.amount));
      }),
    );
  });

  it("leave no allowance, except for contracts that take tokens from their caller only", () => {
    fc.assert(
      fc.property(possible, (plan) => {
        const left = spendersLeft(makePlan(plan).txs.map(readCall), plan);
        expect([PROXY, PROGRAMS.livePuller]).to.include.members(left);
      }),
    );
  });

  it("have no finding, except a minimum of 1", () => {
    fc.assert(
      fc.property(possible, fc.bigInt(1n, 2n ** 100n), (plan, amount) => {
        // Larger amounts count as unlimited.
        const planned = makePlan({ ...plan, amount });
        const recipient = plan.chosen[PLACES.indexOf(USER)]!;
        const { refusesChange, standing } = plan.allowance;
        const spender = [planned.destinationCurrency, ...plan.chosen, PROXY, PROGRAMS.livePuller];
        const found = checkCalls({
          ...planned,
          recipient,
          refundTo: recipient,
          contracts: {
            router: ROUTER,
            pushExecutor: PROGRAMS.executor,
            livePuller: PROGRAMS.livePuller,
            proxies: [{ address: PROXY, inputToken: planned.destinationCurrency }],
          },
          facts: {
            tokens: [{ address: planned.destinationCurrency, refusesAllowanceChange: refusesChange }],
            allowances:
              standing === undefined
                ? []
                : spender.map((each) => ({ token: planned.destinationCurrency, spender: each, amount: standing })),
          },
        });
        expect(found.filter(({ code }) => code !== "MINIMUM_OUT_MISSING")).to.deep.equal([]);
      }),
    );
  });

  it("use or sweep all of the delivered currency, and send every remainder to the recipient", () => {
    fc.assert(
      fc.property(possible, (plan) => {
        const { txs, destinationCurrency } = makePlan(plan);
        const read = txs.map(readCall);
        expect(read.some((call) => takesAll(call, destinationCurrency))).to.equal(true);
        const recipient = plan.chosen[PLACES.indexOf(USER)];
        const isSweep = ([, name]: ReadCall): boolean => name === "cleanupErc20s" || name === "cleanupNative";
        const end = read.findLastIndex((call) => !isSweep(call) && call[1] !== "approve");
        for (const [, name, first, second] of read.slice(end + 1).filter(isSweep)) {
          expect(new Set(name === "cleanupNative" ? [second] : (second as Address[]))).to.deep.equal(
            new Set([recipient]),
          );
          expect(name === "cleanupNative" ? [first] : []).to.satisfy((all: unknown[]) =>
            all.every((each) => each === 0n),
          );
        }
      }),
    );
  });

  it("approve only the typed proxy, the puller and the protocol, before each call that takes tokens", () => {
    fc.assert(
      fc.property(possible, (plan) => {
        const read = makePlan(plan).txs.map(readCall);
        const target = plan.chosen[PLACES.indexOf(TARGET)];
        for (const [index, [, name, spender, amount]] of read.entries()) {
          if (name !== "approve" || amount === 0n) continue;
          expect([PROXY, PROGRAMS.livePuller, target]).to.include(spender);
          const [taker, called] = read[index + 1] ?? [];
          expect(spender === PROGRAMS.livePuller ? called : taker).to.equal(
            spender === PROGRAMS.livePuller ? "pullAndExecute" : spender,
          );
        }
      }),
    );
  });

  it("pay a program's remainder to the recipient", () => {
    fc.assert(
      fc.property(possible, (plan) => {
        for (const call of makePlan(plan).txs.map(readCall)) {
          const [name, ...args] = call[1] === "cleanupNativeViaCall" ? (call[4] as unknown[]) : call.slice(1);
          const bytes =
            name === "pullAndExecute" ? args[1] : args.length === 1 && name === "execute" ? args[0] : undefined;
          if (bytes === undefined) continue;
          const { recipient, tokens } = decodeProgram(bytes as Hex);
          expect(recipient).to.equal(plan.chosen[PLACES.indexOf(USER)]);
          expect(tokens[0]?.minimumIn).to.equal(1n);
        }
      }),
    );
  });

  it("are deterministic", () => {
    fc.assert(
      fc.property(possible, (plan) => {
        expect(makePlan(plan)).to.deep.equal(makePlan(plan));
      }),
    );
  });

  it("cover every recipe, by every supported method", () => {
    const reached = new Set<string>();
    for (const use of USES) {
      for (const contracts of [{ proxy: PROXY }, { programs: PROGRAMS }, {}] as const) {
        const plan = { use, isLive: true, contracts } as unknown as RandomPlan;
        if (isPossible(plan)) reached.add(use.recipe.name);
      }
    }
    const live = USES.filter(({ recipe }: Use) => recipe.tradeTypes.includes("EXACT_INPUT"));
    expect(reached).to.deep.equal(new Set(live.map(({ recipe }) => recipe.name)));
  });
});
