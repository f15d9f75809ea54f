import fc from "fast-check";

import type { MisbehavingNodeKind } from "../../../packages/crosscall/src/testing/misbehaving/nodeBehavior.ts";
import type { MisbehavingWalletKind } from "../../../packages/crosscall/src/testing/misbehaving/walletOptions.ts";

/**
 * Number of blocks between runs. Larger than the lag of a lagging node, and smaller than the number of blocks that
 * a node keeps.
 */
export const BLOCKS_BETWEEN_RUNS = 4;

/** Wallets for contract accounts and for keys. A wrong assumption in `executeSteps` could make them pay twice. */
const WALLETS = [
  "honest",
  "ownNonce",
  "privateMempool",
  "userOperation",
  "multisig",
  "speedsUp",
  "cancels",
  "neverAnswers",
  "losesHash",
  "answersNull",
  "answersGarbage",
  "repeatsHash",
  "sendsNothing",
  "bundles",
  "refusesBundles",
  "bundlePending",
  "bundleForgotten",
] as const satisfies readonly MisbehavingWalletKind[];

/** Kinds of signatures that let the local service pay for the user. */
const PERMITS = ["eip3009", "eip2612", "permit2"] as const;

/** Models that run on their own chain. */
export const CHAIN_MODELS = ["localAccount", "gasless", ...WALLETS] as const;

/** Models that run with the local service and its solver. */
export const SERVED_MODELS = ["localAccount", "gasless", "bundles", "multisig", ...PERMITS] as const;

/** Method with which the user pays. */
export type PaymentModel = (typeof CHAIN_MODELS)[number] | (typeof PERMITS)[number];

export function isPermit(model: PaymentModel): model is (typeof PERMITS)[number] {
  return (PERMITS as readonly string[]).includes(model);
}

/**
 * Kills the process at the n-th operation of a kind, either before the operation or after it, before the result is
 * used.
 */
export interface Crash {
  readonly at: "journal" | "wallet" | "service";
  readonly count: number;
  readonly phase: "before" | "after";
}

/** Parameters of all runs in which a user executes one quote. */
export interface Scenario {
  readonly model: PaymentModel;
  readonly currency: "native" | "token";
  /** With `reused`, later runs execute another quote with the same request id. */
  readonly journal: "kept" | "lost" | "withoutHashes" | "reused";
  readonly service:
    | "honest"
    | "unavailable"
    | "hangs"
    | "saysWaiting"
    | "saysSuccess"
    | "refusesAndExecutes"
    | "losesAnswers";
  readonly node: "fresh" | Extract<MisbehavingNodeKind, "lagging" | "pruned" | "reorging" | "forgetful" | "logLimit">;
  /** Whether a transaction is included immediately, or only when pending actions are released. */
  readonly inclusion: "immediate" | "later";
  /** Crash during the first run. */
  readonly crash: Crash | null;
  /** Whether pending actions are released after the first run, and after the second run. */
  readonly release: readonly [boolean, boolean];
  /** For `gasless`, whether later runs send transactions from an account that is already delegated. */
  readonly fallsBack: boolean;
  /** Whether the caller of the third run accepts a second payment. */
  readonly paysAgain: boolean;
}

const crash: fc.Arbitrary<Crash | null> = fc.option(
  fc.record({
    at: fc.constantFrom("journal" as const, "wallet" as const, "service" as const),
    count: fc.integer({ min: 1, max: 4 }),
    phase: fc.constantFrom("before" as const, "after" as const),
  }),
  { freq: 3 },
);

const often: fc.Arbitrary<boolean> = fc.constantFrom(true, true, false);

/**
 * @param isServed whether the local service and its solver follow the chain. If they do, blocks must not be
 * replaced.
 */
export function scenariosOf(model: PaymentModel, isServed: boolean): fc.Arbitrary<Scenario> {
  return fc
    .record({
      model: fc.constant(model),
      currency: isPermit(model)
        ? fc.constant("token" as const)
        : fc.constantFrom("native" as const, "native" as const, "token" as const),
      journal: fc.constantFrom(
        "kept" as const,
        "lost" as const,
        "withoutHashes" as const,
        ...(isServed ? [] : ["reused" as const]),
      ),
      service: fc.constantFrom(
        "honest" as const,
        "unavailable" as const,
        // Each hanging request would take as long as the longest honest request to the local service.
        ...(isServed ? [] : ["hangs" as const]),
        "saysWaiting" as const,
        "saysSuccess" as const,
        "refusesAndExecutes" as const,
        "losesAnswers" as const,
      ),
      node: fc.oneof(
        { weight: 4, arbitrary: fc.constant("fresh" as const) },
        { weight: 2, arbitrary: fc.constantFrom("lagging" as const, "forgetful" as const) },
        { weight: isServed ? 0 : 2, arbitrary: fc.constant("reorging" as const) },
        { weight: 1, arbitrary: fc.constantFrom("logLimit" as const, "pruned" as const) },
      ),
      inclusion: isServed ? fc.constant("immediate" as const) : fc.constantFrom("immediate" as const, "later" as const),
      crash,
      release: fc.tuple(often, often),
      fallsBack: model === "gasless" ? fc.boolean() : fc.constant(false),
      paysAgain: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
    })
    .map(withEvidence);
}

/** Returns known scenarios that could pay twice. */
export function knownScenarios(model: PaymentModel): readonly Scenario[] {
  const base: Scenario = {
    model,
    currency: "native",
    journal: "kept",
    service: "saysWaiting",
    node: "fresh",
    inclusion: "immediate",
    crash: null,
    release: [false, false],
    fallsBack: false,
    paysAgain: false,
  };
  const afterAsking: Crash = { at: "wallet", count: 1, phase: "after" };
  switch (model) {
    case "gasless":
      return [{ ...base, service: "refusesAndExecutes", fallsBack: true }];
    case "multisig":
    case "userOperation":
      return [base, { ...base, journal: "withoutHashes" }, { ...base, service: "honest", release: [true, true] }];
    case "ownNonce":
      return [
        { ...base, node: "forgetful", inclusion: "later", crash: afterAsking },
        { ...base, node: "forgetful", inclusion: "later", journal: "withoutHashes" },
      ];
    case "localAccount":
    case "honest":
      return [
        { ...base, service: "honest" },
        { ...base, journal: "reused", crash: afterAsking },
      ];
    default:
      return [{ ...base, crash: afterAsking }];
  }
}

/**
 * Makes earlier payments visible to a run without its journal, which knows only the chain and the service. Pending
 * actions are released before the next run, no block is replaced, and a lagging node is combined only with an honest
 * service.
 */
function withEvidence(scenario: Scenario): Scenario {
  const { journal, node, service } = scenario;
  if (journal !== "lost") return scenario;
  const isVisible = node !== "reorging" && (node !== "lagging" || service === "honest");
  return { ...scenario, release: [true, true], node: isVisible ? node : "fresh" };
}
