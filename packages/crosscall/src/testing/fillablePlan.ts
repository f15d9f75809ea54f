import type { Address } from "viem";
import type { CheckedContracts } from "@crosscall/sdk/kit";
import type { RouterVersion } from "@crosscall/sdk/calls";
import { InvalidInputError } from "@crosscall/protocol/core";
import type { Call } from "@crosscall/protocol/common";
import { parseEvmAddress } from "@crosscall/protocol/chains";

import type { FillPlan } from "../replay/fillPlan.ts";
import { subjectOfPlan } from "../replay/subject/subjectOfPlan.ts";

/**
 * Calls with all information that is needed to fill them: `{ ...planRecipe(…), recipient }`, `{ ...planCalls(…),
 * destinationCurrency, recipient }`, or a plan file with `txs` from `crosscall plan --out`.
 */
export interface TestPlan {
  /** Calls, as in a quote request. */
  readonly txs: readonly Call[];
  /** Delivered currency; the zero address for native currency. */
  readonly destinationCurrency: AccountLike;
  /** Recipient of the output. */
  readonly recipient?: AccountLike | undefined;
  /** User, who is the recipient if `recipient` is not set. */
  readonly user?: AccountLike | undefined;
  /** Router; the live router by default. */
  readonly router?: AccountLike | undefined;
  /** "v3" by default. */
  readonly routerVersion?: RouterVersion | undefined;
  /** Contracts that must end without funds, in addition to those found in the calls. */
  readonly contracts?: Partial<Pick<CheckedContracts, "proxies" | "pushExecutor" | "livePuller">> | undefined;
}

/** A plan that can be filled. */
export type FillablePlan = TestPlan | FillPlan;

/**
 * @throws {@link InvalidInputError} that names the invalid field
 *
 * @throws {@link NothingToReplayError} if the plan has no calls
 */
export async function toFillPlan(plan: FillablePlan, chainId: number, amount: bigint): Promise<FillPlan> {
  if ("calls" in plan) return plan;
  // Validates at run time, because a plan file can contain a recipe, and imported JSON has imprecise types.
  const { txs } = plan as Partial<TestPlan>;
  if (txs === undefined) {
    throw new InvalidInputError({
      field: "txs",
      value: txs,
      reason: "only encoded calls can be filled",
      hint: "Spread the result of planCalls or planRecipe, or write the plan's calls with `crosscall plan --out`.",
    });
  }
  const { router, routerVersion } = plan;
  return subjectOfPlan({
    name: "the plan",
    destinationChainId: chainId,
    destinationCurrency: await addressOf(plan.destinationCurrency, "destinationCurrency"),
    // The delivered amount determines the fill, not the amount that the user sends.
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
    reason: "the plan has no recipient for the output and the remainder",
    hint: "Set recipient.",
  });
}

export function proxiesOf(plan: FillablePlan): readonly Address[] {
  const { proxies = [], pushExecutor, livePuller } = ("contracts" in plan ? plan.contracts : undefined) ?? {};
  const executors = [pushExecutor, livePuller].filter((account) => account !== undefined);
  return [...proxies.map(({ address }) => address), ...executors];
}

/**
 * An address, or an object with an address: an ethers contract (including TypeChain's) or signer, or a viem contract or
 * client.
 */
export type AccountLike = string | { getAddress(): Promise<string> } | { readonly address: string };

/**
 * @param field path of the field, for the error
 *
 * @throws {@link InvalidInputError} if the value has no EVM address
 */
export async function addressOf(account: AccountLike, field: string): Promise<Address> {
  if (typeof account !== "object") return parseEvmAddress(account, field);
  // Checks `getAddress` first, because an ethers contract has every property.
  return parseEvmAddress("getAddress" in account ? await account.getAddress() : account.address, field);
}
