import { BPS_PER_WHOLE, bpsOf } from "@crosscall/protocol/encoding";
import { parseData } from "@crosscall/protocol/schema";
import type { ChainClient } from "../devchain/chainClient.ts";
import type { ChainControls } from "../devchain/chainControls.ts";
import type { DevChain } from "../devchain/devChain.ts";
import type { RequestRow } from "../store/requests/requests.ts";
import { findRequestFaults, noteReorg } from "../store/scenarios.ts";
import type { Store } from "../store/store.ts";
import { REFUND_REASONS } from "./families/depositReasons.ts";
import { FAIL_SCENARIOS } from "./families/failReasons.ts";
import { BLOCK_REVERTER, GAS_EATER, REVERTER } from "./families/failScenario.ts";
import { type Faults, type FillFault, type RequestFaults, RequestFaultsSchema } from "./requestFaults.ts";

export interface FaultParameters {
  readonly store: Store;
  readonly chains: ReadonlyMap<number, DevChain>;
  readonly chainControls: ReadonlyMap<number, Pick<ChainControls, "state" | "reorg">>;
  readonly solver: `0x${string}`;
}

export function createFaults(parameters: FaultParameters): Faults {
  return {
    async forRequest(request, known) {
      const stored = known === undefined ? await findRequestFaults(parameters.store.db, request.id) : known.faults;
      if (stored === undefined) return {};
      const faults = parseData(RequestFaultsSchema, stored, `the faults of request ${request.id}`);
      return { ...behaviorOf(faults, request), ...(await endOf(parameters, faults, request)) };
    },
  };
}

function behaviorOf(faults: RequestFaults, request: RequestRow): FillFault {
  const { deliveryBps, deliversBelowMinimum, deliveredAmount, delayMs, isHeld } = faults;
  return {
    ...(deliveryBps === undefined ? {} : { deliveryBps }),
    ...(deliversBelowMinimum === undefined ? {} : { deliversBelowMinimum }),
    ...(deliveredAmount === undefined ? {} : { deliveredAmount: BigInt(deliveredAmount) }),
    ...(delayMs === undefined ? {} : { delayMs }),
    ...(isHeld === undefined ? {} : { isHeld }),
    ...(faults.staleBps === undefined ? {} : atMarket(faults.staleBps, request)),
  };
}

/** Validates the quote again at the fill (spec 2, section 1): the market price must reach the minimum. */
function atMarket(staleBps: number, request: RequestRow): FillFault {
  const market = bpsOf(BigInt(request.expected_output_amount), BPS_PER_WHOLE - BigInt(staleBps));
  return market < BigInt(request.minimum_output_amount) ? { failReason: "SLIPPAGE" } : { deliveryBps: -staleBps };
}

async function endOf(parameters: FaultParameters, faults: RequestFaults, request: RequestRow): Promise<FillFault> {
  const { refundFailReason } = faults;
  // The deposit itself causes the reason.
  if (refundFailReason !== undefined && REFUND_REASONS[refundFailReason].change !== undefined) return {};
  // A failed refund requires a failed fill.
  const failReason = faults.failReason ?? (refundFailReason === undefined ? undefined : "MANUAL_ADMIN_REFUND");
  return {
    ...(refundFailReason === undefined ? {} : { refundFailReason }),
    ...(failReason === undefined ? {} : await provoke(parameters, failReason, request)),
  };
}

async function provoke(
  parameters: FaultParameters,
  failReason: NonNullable<RequestFaults["failReason"]>,
  request: RequestRow,
): Promise<FillFault> {
  const { chains, solver } = parameters;
  const { act } = FAIL_SCENARIOS[failReason];
  const chain = chains.get(request.destination_chain_id);
  switch (act.kind) {
    case "simulated":
      return { failReason };
    case "fill":
      if (act.fault.firstCall !== undefined && chain !== undefined) await placeHostiles(chain.client);
      return act.fault;
    case "call": {
      if (chain === undefined) return { failReason };
      await placeHostiles(chain.client);
      const recipient = request.recipient as `0x${string}`;
      return { firstCall: await act.call({ chain, solver, recipient }) };
    }
    case "reorg":
      return reorgDeposit(parameters, request);
    case "deposit":
      return {};
  }
}

/** Replaces the deposit's blocks once per request. The fill waits until the solver has seen the deposit. */
async function reorgDeposit(
  { store, chainControls }: FaultParameters,
  { id, status, deposit_block: depositBlock, origin_chain_id: chainId }: RequestRow,
): Promise<FillFault> {
  const controls = chainControls.get(chainId);
  if (status !== "pending" || depositBlock === null || controls === undefined) return {};
  const reorgedBlock = await noteReorg(store.db, id, depositBlock);
  if (reorgedBlock === undefined) {
    const { blockNumber } = await controls.state();
    await controls.reorg({ blocks: blockNumber - depositBlock + 1 });
    return { isHeld: true };
  }
  // A deposit that is included again is filled.
  return reorgedBlock === depositBlock ? { isHeld: true } : {};
}

/** Sets the code of the contracts that fail on purpose, unless it exists. A reorg can remove the code. */
export async function placeHostiles(client: ChainClient): Promise<void> {
  // Anvil supports Hardhat's method name too.
  const request = client.request as (call: { method: string; params: unknown[] }) => Promise<unknown>;
  for (const { address, code } of [REVERTER, GAS_EATER, BLOCK_REVERTER]) {
    if ((await client.getCode({ address })) !== undefined) continue;
    await request({ method: "hardhat_setCode", params: [address, code] });
  }
}
