import type { Address } from "viem";

import { isSameAddress } from "../chains/address.ts";
import { ROUTER_ADDRESS } from "../chains/serviceAddresses.ts";
import { requireAmount } from "../core/amounts.ts";
import { InvalidStateError } from "../core/errors.ts";
import type { StateNode } from "../replay/stateNode.ts";
import { type AccountLike, addressOf } from "./accountLike.ts";
import type { Fill, Passage } from "./fill.ts";
import { type FillablePlan, passagesOf, toFillPlan } from "./fillablePlan.ts";
import { placeRouter } from "./placeRouter.ts";
import { runFill } from "./runFill.ts";
import { forkOrigin, type ForkOrigin, isContract, nodeOf, takeTurn, type TestConnection } from "./testNode.ts";

/** What {@link forkFill} takes beside the plan. */
export interface ForkFillOptions {
  /** What is delivered, in the smallest unit of the currency. */
  readonly amount: bigint;
  /** Whether the chain stays as it is after the fill; it is taken back when left out. */
  readonly keep?: boolean;
  /** Who else must keep nothing: contracts on the way that are not built on the kit's. */
  readonly passages?: readonly AccountLike[];
  /** Accounts whose balances are read beside those that the events of the fill name. */
  readonly accounts?: readonly AccountLike[];
  /** Tokens whose balances are read beside those that log something in the fill. */
  readonly tokens?: readonly AccountLike[];
  /** Accounts that hold the currency, where its balances cannot be written. */
  readonly holders?: readonly AccountLike[];
}

/**
 * Fills a plan on a test's chain as the solver would: the router gets the amount, the solver sends the multicall of the
 * plan's calls with an orderId at its end. A fill that reverts is an answer too, not an error. The chain is then taken
 * back to what it was, unless `keep` is set.
 *
 * A new local chain is given the stand-in of the service's router for the fill; a fork has the live one.
 *
 * @param connection of Hardhat, to a local chain or to a fork: `await network.create()`
 * @throws {@link InvalidInputError} when the plan, the amount or an account cannot be used
 * @throws {@link NothingToReplayError} when the plan has no calls
 * @throws {@link InvalidStateError} when the chain has no router
 * @throws {@link BalanceUnwritableError} when the router cannot be given the token
 * @throws {@link TransactionFailedError} when the fill gets into no block
 */
export function forkFill(connection: TestConnection, plan: FillablePlan, options: ForkFillOptions): Promise<Fill> {
  return takeTurn(connection, () => fillOnce(connection, plan, options));
}

async function fillOnce(connection: TestConnection, given: FillablePlan, options: ForkFillOptions): Promise<Fill> {
  const node = nodeOf(connection);
  const amount = requireAmount(options.amount, "amount");
  const plan = await toFillPlan(given, Number(await node.request("eth_chainId")), amount);
  const others = await addressesOf(options.passages, "passages");
  const parameters = {
    plan,
    amount,
    passages: [...passagesOf(given), ...others.map((account): Passage => ({ account, kind: "other" }))],
    accounts: await addressesOf(options.accounts, "accounts"),
    tokens: await addressesOf(options.tokens, "tokens"),
    holders: await addressesOf(options.holders, "holders"),
  };
  const snapshot = await node.request("evm_snapshot");
  let isKept = false;
  try {
    const origin = await forkOrigin(node);
    await requireRouter(connection, plan.router, origin);
    await leaveForkBlock(node, origin);
    const fill = await runFill(node, parameters);
    isKept = options.keep === true;
    return fill;
  } finally {
    if (!isKept) await node.request("evm_revert", [snapshot]);
  }
}

function addressesOf(accounts: readonly AccountLike[] = [], field: string): Promise<readonly Address[]> {
  return Promise.all(accounts.map((account, index) => addressOf(account, `${field}[${index}]`)));
}

/** A fork is taken as it is: what works with a stand-in would not work on its chain. */
async function requireRouter(connection: TestConnection, router: Address, origin: ForkOrigin): Promise<void> {
  if (await isContract(nodeOf(connection), router)) return;
  if (isSameAddress(router, ROUTER_ADDRESS) && origin === undefined) {
    await placeRouter(connection);
    return;
  }
  throw new InvalidStateError({
    message: `there is no router at ${router}`,
    cure: "Name the router of that chain in the plan: GET /chains tells it. placeRouter puts a stand-in at the live one's address.",
  });
}

/** On the block that is forked a node runs nothing where it does not know the rules that its chain had then. */
async function leaveForkBlock(node: StateNode, origin: ForkOrigin): Promise<void> {
  if (origin?.forkBlockNumber === Number(await node.request("eth_blockNumber"))) await node.request("evm_mine");
}
