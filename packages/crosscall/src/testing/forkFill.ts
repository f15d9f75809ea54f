import type { Abi, Address } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { LOCAL_ROUTER_VERSIONS, localRouterAddress } from "@crosscall/protocol/generations";
import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import { requireAmount } from "@crosscall/protocol/encoding";
import { type AccountLike, addressOf, type FillablePlan, proxiesOf, toFillPlan } from "./fillablePlan.ts";
import { type Fill, runFill } from "./runFill.ts";
import { placeRouter } from "./placeRouter.ts";
import { forkedBlockOf, openTestFork, runExclusive, type TestConnection } from "./testConnection.ts";

export interface ForkFillOptions {
  /** Delivered amount in the currency's smallest unit. */
  readonly amount: bigint;
  /** Whether the chain keeps the fill's effects; false by default. */
  readonly keep?: boolean;
  /** Additional contracts that must end without funds, such as your own. */
  readonly proxies?: readonly AccountLike[];
  /** Additional accounts to read balances of. */
  readonly accounts?: readonly AccountLike[];
  /** Additional tokens to read balances of. */
  readonly tokens?: readonly AccountLike[];
  /** Holders of the currency, to transfer from if its storage cannot be written. */
  readonly holders?: readonly AccountLike[];
  /** ABIs of called contracts, to decode their errors in the verdict. */
  readonly abis?: readonly Abi[];
}

/**
 * Fills a plan on a test's chain as the solver does: delivers the amount to the router and sends the multicall of the
 * plan's calls with an orderId appended. A fill that reverts is a result, not an error. The chain is reverted
 * afterwards unless `keep` is set.
 *
 * A new local chain gets a stand-in for the service's router; a fork has the live router.
 *
 * @param connection Hardhat's connection to a local chain or a fork: `await network.create()`
 * @throws {@link InvalidInputError} when the plan, the amount or an account is invalid
 * @throws {@link NothingToReplayError} when the plan has no calls
 * @throws {@link InvalidStateError} when the chain has no router
 * @throws {@link BalanceUnwritableError} when the router's token balance cannot be set
 * @throws {@link TransactionFailedError} when the fill is not included in a block
 */
export async function forkFill(
  connection: TestConnection,
  plan: FillablePlan,
  options: ForkFillOptions,
): Promise<Fill> {
  rejectUnknownOptions(options, { amount: 1, keep: 1, proxies: 1, accounts: 1, tokens: 1, holders: 1, abis: 1 });
  // Checks the arguments, because tests in JavaScript have no types.
  requireObject(connection, "connection", CONNECTION_HINT);
  requireObject(connection.provider, "connection.provider", CONNECTION_HINT);
  requireObject(plan, "plan", "Pass the calls with all information that is needed to fill them; see docs/testing.md.");
  requireObject(options, "options", "Pass the delivered amount: forkFill(connection, plan, { amount: 1_000_000n }).");
  return runExclusive(connection, () => fillOnce(connection, plan, options));
}

const CONNECTION_HINT = "Pass Hardhat's connection: await network.create().";

function requireObject(value: unknown, field: string, hint: string): void {
  if (typeof value === "object" && value !== null) return;
  throw new InvalidInputError({ field, value, reason: "it is not an object", hint });
}

async function fillOnce(connection: TestConnection, given: FillablePlan, options: ForkFillOptions): Promise<Fill> {
  const { provider } = connection;
  const amount = requireAmount(options.amount, "amount");
  const chainId = Number(await provider.request({ method: "eth_chainId" }));
  const plan = await toFillPlan(given, chainId, amount);
  const parameters = {
    plan,
    amount,
    proxies: [...proxiesOf(given), ...(await addressesOf(options.proxies, "proxies"))],
    accounts: await addressesOf(options.accounts, "accounts"),
    tokens: await addressesOf(options.tokens, "tokens"),
    holders: await addressesOf(options.holders, "holders"),
    abis: options.abis ?? [],
  };
  const snapshot = await provider.request({ method: "evm_snapshot" });
  let isKept = false;
  try {
    await prepareChain(connection, plan.router);
    const fill = await runFill(await openTestFork(connection), parameters);
    isKept = options.keep === true;
    return fill;
  } finally {
    if (!isKept) await provider.request({ method: "evm_revert", params: [snapshot] });
  }
}

function addressesOf(accounts: readonly AccountLike[] = [], field: string): Promise<readonly Address[]> {
  return Promise.all(accounts.map((account, index) => addressOf(account, `${field}[${index}]`)));
}

async function prepareChain(connection: TestConnection, router: Address): Promise<void> {
  const { provider } = connection;
  const forkedBlock = await forkedBlockOf(connection);
  const code = await provider.request({ method: "eth_getCode", params: [router, "latest"] });
  if (code === "0x") {
    // Does not deploy on a fork, because calls that work with a stand-in can fail on the chain.
    const version = LOCAL_ROUTER_VERSIONS.find((one) => isSameAddress(router, localRouterAddress(one)));
    if (forkedBlock !== undefined || version === undefined) throw noRouter(router);
    await placeRouter(connection, version);
  }
  // A node cannot run calls on the forked block if it does not know that block's rules.
  const latest = Number(await provider.request({ method: "eth_blockNumber" }));
  if (forkedBlock === latest) await provider.request({ method: "evm_mine" });
}

function noRouter(router: Address): InvalidStateError {
  return new InvalidStateError({
    message: `there is no router at ${router}`,
    hint: "Set the chain's router, which GET /chains lists, in the plan. Or deploy a stand-in at the live router's address with placeRouter.",
  });
}
