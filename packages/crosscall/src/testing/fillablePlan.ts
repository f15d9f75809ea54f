import type { Address } from "viem";
import type { CheckedContracts } from "@crosscall/sdk/kit";
import type { RouterVersion } from "@crosscall/sdk/calls";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Call } from "@crosscall/protocol/common";
import { parseEvmAddress } from "@crosscall/protocol/chains";

import type { FillPlan } from "../replay/fillPlan.ts";
import { subjectOfPlan } from "../replay/subject/subjectOfPlan.ts";

/**
 * Calls with everything needed to fill them: `{ ...planRecipe(…), recipient }`, `{ ...planCalls(…),
 * destinationCurrency, recipient }`, or a plan file with `txs` from `crosscall plan --out`.
 */
export interface TestPlan {
  /** The calls, as in a quote request. */
  readonly txs: readonly Call[];
  /** The delivered currency; the zero address for native currency. */
  readonly destinationCurrency: AccountLike;
  /** Receives the output. */
  readonly recipient?: AccountLike | undefined;
  /** The recipient, unless one is set. */
  readonly user?: AccountLike | undefined;
  /** The live router by default. */
  readonly router?: AccountLike | undefined;
  /** "v3" by default. */
  readonly routerVersion?: RouterVersion | undefined;
  /** Contracts that must end with nothing, in addition to those found in the calls. */
  readonly contracts?: Partial<Pick<CheckedContracts, "proxies" | "pushExecutor" | "livePuller">> | undefined;
}

/** A plan that can be filled. */
export type FillablePlan = TestPlan | FillPlan;

/**
 * @throws {@link InvalidInputError} naming the invalid field
 *
 * @throws {@link NothingToReplayError} if the plan has no calls
 */
export async function toFillPlan(plan: FillablePlan, chainId: number, amount: bigint): Promise<FillPlan> {
  if ("calls" in plan) return plan;
  // A plan file may contain a recipe, and imported JSON has imprecise types.
  const { txs } = plan as Partial<TestPlan>;
  if (txs === undefined) {
    throw new InvalidInputError({
      field: "txs",
      value: txs,
      reason: "only finished calls can be filled",
      hint: "Spread the result of planCalls or planRecipe, or write the plan's calls with `crosscall plan --out`.",
    });
  }
  const { router, routerVersion } = plan;
  return subjectOfPlan({
    name: "the plan",
    destinationChainId: chainId,
    destinationCurrency: await addressOf(plan.destinationCurrency, "destinationCurrency"),
    // The delivery determines the fill, not what the user sends.
    tradeType: "EXACT_INPUT",
    amount: "0",
    delivered: amount,
    txs,
    recipient: await recipientOf(plan),
    ...(router === undefined ? {} : { router: await addressOf(router, "router") }),
    routerVersion,
  }).plan;
}

function recipientOf({ recipient, user }: TestPlan): Promise<Address> {
  if (recipient !== undefined) return addressOf(recipient, "recipient");
  if (user !== undefined) return addressOf(user, "user");
  throw new InvalidInputError({
    field: "recipient",
    value: undefined,
    reason: "the output and the remainder need a recipient",
    hint: "Set recipient.",
  });
}

export function proxiesOf(plan: FillablePlan): readonly Address[] {
  const { proxies = [], pushExecutor, livePuller } = ("contracts" in plan ? plan.contracts : undefined) ?? {};
  const executors = [pushExecutor, livePuller].filter((account) => account !== undefined);
  return [...proxies.map(({ address }) => address), ...executors];
}

/**
 * An address, or an object that has one: a contract or signer of ethers (including TypeChain's), a contract or client
 * of viem.
 */
export type AccountLike = string | { getAddress(): Promise<string> } | { readonly address: string };

/**
 * @param field its path, for the error
 *
 * @throws {@link InvalidInputError} if it has no EVM address
 */
export async function addressOf(account: AccountLike, field: string): Promise<Address> {
  if (typeof account !== "object") return parseEvmAddress(account, field);
  // An ethers contract has every property, so `getAddress` is checked first.
  return parseEvmAddress("getAddress" in account ? await account.getAddress() : account.address, field);
}
