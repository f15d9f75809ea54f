import { type Address, maxUint256, zeroAddress } from "viem";

import { AMOUNT, type Call, type Mined, SEED, type Stage } from "./stage.ts";
import { type Use, type Way, type WayId, callTo } from "./ways.ts";

/** Gas of a fill in one state of the chain. */
export interface Gas {
  /** Whole transaction, including delivery to the router. */
  readonly fill: number;
  /** Transaction when the router already has the tokens and the recipient has no shares. */
  readonly fresh: number;
  /** Same as `fresh`, but with an NFT recipient, as in fills by the live service. */
  readonly live: number;
  /** Call from the router to the contract that makes the deposit, within `fill`, before gas refunds. */
  readonly inner: number;
}

/** Gas of an approach. */
export interface Cost {
  readonly id: WayId;
  readonly name: string;
  readonly first: Gas;
  readonly second: Gas;
  /** `fill` of the hundredth use. */
  readonly hundredth: number;
}

const MANY = 100;

/**
 * Measures an approach in each state and checks the outcome.
 *
 * @throws if the approach does not deposit the tokens, leaves funds in a contract, or costs more or less after the
 *   second use
 */
export async function measureWay(stage: Stage, way: Way): Promise<Cost> {
  const first = await measureUse(stage, way, "first");
  const second = await measureUse(stage, way, "steady");
  const hundredth = await measureHundredth(stage, way);
  if (hundredth !== second.fill) {
    throw new Error(
      `${way.name}: the gas is not steady: ${second.fill} in the second use, ${hundredth} in the hundredth`,
    );
  }
  return { id: way.id, name: way.name, first, second, hundredth };
}

async function measureUse(stage: Stage, way: Way, use: Use): Promise<Gas> {
  const fill = await stage.undone(() => measure(stage, way, use, { isDelivered: false }));
  const fresh = await stage.undone(() => measure(stage, way, use, { isDelivered: true }));
  const live = await stage.undone(() => measure(stage, way, use, { isDelivered: true, hasNftRecipient: true }));
  const inner = fill.callGas.get(way.actor);
  if (inner === undefined) throw new Error(`${way.name}: the router did not call ${way.actor}`);
  return { fill: fill.gasUsed, fresh: fresh.gasUsed, live: live.gasUsed, inner };
}

interface Scenario {
  /** Whether the router already has the tokens, and the recipient has no shares. */
  readonly isDelivered: boolean;
  /** Whether the multicall has an NFT recipient. */
  readonly hasNftRecipient?: boolean;
}

async function measure(stage: Stage, way: Way, use: Use, scenario: Scenario): Promise<Mined> {
  const first = await doJob(stage, way, { ...scenario, use: "first" });
  if (use === "first") return first;
  if (way.seedAt !== undefined) await stage.mint(way.seedAt, SEED);
  return doJob(stage, way, { ...scenario, use });
}

async function measureHundredth(stage: Stage, way: Way): Promise<number> {
  return stage.undone(async () => {
    const scenario = { isDelivered: false };
    await measure(stage, way, "steady", scenario);
    await stage.repeat([delivery(stage), ...way.calls("steady")], MANY - 3);
    const { gasUsed } = await doJob(stage, way, { ...scenario, use: "steady" });
    return gasUsed;
  });
}

async function doJob(
  stage: Stage,
  way: Way,
  { use, isDelivered, hasNftRecipient = false }: Scenario & { readonly use: Use },
): Promise<Mined> {
  const { contracts, recipient } = stage;
  if (isDelivered && use === "steady") await stage.emptyRecipient();
  const expected = await stage.previewDeposit(AMOUNT);
  const held = await stage.balanceOf(contracts.vault, recipient);
  if ((held === 0n) !== (isDelivered || use === "first"))
    throw new Error(`${way.name}: the recipient already holds ${held} shares`);

  if (isDelivered) await stage.mint(contracts.router.address, AMOUNT);
  const calls = [...(isDelivered ? [] : [delivery(stage)]), ...way.calls(use)];
  const mined = await stage.multicall(calls, hasNftRecipient ? recipient : zeroAddress);

  requireEqual(way, "shares", (await stage.balanceOf(contracts.vault, recipient)) - held, expected);
  await requireNothingLeft(stage, way, use);
  return mined;
}

/** Returns the first call of a fill: the router pulls the delivered amount from its caller, the solver. */
function delivery({ contracts: { dollar, router }, solver }: Stage): Call {
  return callTo(dollar, dollar.encode("transferFrom", [solver, router.address, AMOUNT]));
}

async function requireNothingLeft(stage: Stage, way: Way, use: Use): Promise<void> {
  const { router, dollar, vault } = stage.contracts;
  const keptAt = (account: Address): bigint => (use === "steady" && account === way.seedAt ? SEED : 0n);
  for (const account of [router.address, ...way.passes]) {
    requireEqual(way, `tokens left at ${account}`, await stage.balanceOf(dollar, account), keptAt(account));
    requireEqual(way, `shares left at ${account}`, await stage.balanceOf(vault, account), 0n);
    requireEqual(way, `native left at ${account}`, await stage.nativeOf(account), 0n);
    const stands = account === way.standsFor ? maxUint256 : 0n;
    requireEqual(way, `allowance of ${account} to the vault`, await stage.allowance(account, vault.address), stands);
  }
  requireEqual(way, "tokens received by the recipient", await stage.balanceOf(dollar, stage.recipient), 0n);
}

function requireEqual(way: Way, what: string, found: bigint, expected: bigint): void {
  if (found !== expected) throw new Error(`${way.name}: ${what}: ${found}, not ${expected}`);
}
