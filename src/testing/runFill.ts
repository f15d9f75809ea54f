import type { Address } from "viem";

import { EVM_NATIVE_CURRENCY, isSameAddress } from "../chains/address.ts";
import type { CallFrame } from "../replay/callFrame.ts";
import { encodeFill } from "../replay/encodeFill.ts";
import type { FillPlan } from "../replay/fillPlan.ts";
import { createRefill } from "../replay/refill/refill.ts";
import type { StateNode } from "../replay/stateNode.ts";
import { traceIncluded, traceTransaction } from "../replay/traceTransaction.ts";
import type { Fill, Passage } from "./fill.ts";
import { findPassages } from "./passages.ts";
import { compareHoldings, readHoldings } from "./readHoldings.ts";
import { readVerdict } from "./readVerdict.ts";
import { type FillGas, sendFill } from "./sendFill.ts";
import { latestBlock } from "./testNode.ts";
import { listWatched, type WatchList } from "./watchList.ts";

/** What {@link runFill} takes. */
export interface RunFillParameters {
  readonly plan: FillPlan;
  /** Delivered, smallest unit. */
  readonly amount: bigint;
  /** Who must keep nothing beside those that the calls tell. */
  readonly passages: readonly Passage[];
  readonly accounts: readonly Address[];
  readonly tokens: readonly Address[];
  readonly holders: readonly Address[];
}

/** Enough for any fill, in wei. */
const SOLVER_BALANCE = 10n ** 30n;

/** The most gas that a transaction may have where the rules of Osaka hold (EIP-7825). */
const TRANSACTION_GAS_MAX = 2n ** 24n;

/** Delivers, sends the fill, and reads what it changed. The chain keeps it all. */
export async function runFill(node: StateNode, parameters: RunFillParameters): Promise<Fill> {
  const { plan, amount } = parameters;
  const transaction = encodeFill(plan, amount);
  const gas = await chooseGas(node, plan);
  await deliver(node, parameters);
  // What a fill changes is known from a trial only, and must be read before.
  const environment = { gasLimit: gas.limit, baseFeePerGas: gas.price };
  const { frame: trial } = await traceTransaction({ ...node, environment }, transaction);
  const passages = findPassages(trial, plan.router, parameters.passages);
  const watched = watch(trial, parameters, passages);
  const before = await readHoldings(node, watched);
  const receipt = await sendFill(node, plan.chainId, transaction, gas);
  const after = await readHoldings(node, watched);
  const { frame: trace } = await traceIncluded(node, receipt.transactionHash);
  return {
    plan,
    amount,
    verdict: readVerdict(trace),
    receipt,
    trace,
    ...compareHoldings(watched, before, after),
    passages,
  };
}

async function deliver(node: StateNode, { plan, amount, holders }: RunFillParameters): Promise<void> {
  const refill = createRefill(node);
  await refill({ account: plan.solver, currency: EVM_NATIVE_CURRENCY, amount: SOLVER_BALANCE });
  if (isSameAddress(plan.currency, EVM_NATIVE_CURRENCY)) return;
  await refill({ account: plan.router, currency: plan.currency, amount, holders });
}

async function chooseGas(node: StateNode, { gas }: FillPlan): Promise<FillGas> {
  const { gasLimit, baseFee } = await latestBlock(node);
  const most = gasLimit < TRANSACTION_GAS_MAX ? gasLimit : TRANSACTION_GAS_MAX;
  // The base fee of the next block is an eighth higher at the most.
  return { limit: gas ?? most, price: baseFee * 2n };
}

function watch(trial: CallFrame, parameters: RunFillParameters, passages: readonly Passage[]): WatchList {
  const { plan, accounts, tokens } = parameters;
  const watched = listWatched(trial);
  const parties = [...passages.map(({ account }) => account), plan.recipient, plan.refundTo, ...accounts];
  return {
    accounts: distinct([...watched.accounts, ...parties]),
    nativeAccounts: distinct([...watched.nativeAccounts, ...parties]),
    tokens: distinct([...watched.tokens, plan.currency, ...tokens]).filter(
      (token) => !isSameAddress(token, EVM_NATIVE_CURRENCY),
    ),
    allowances: watched.allowances,
  };
}

function distinct(addresses: readonly Address[]): Address[] {
  return addresses.filter((one, index) => addresses.findIndex((other) => isSameAddress(one, other)) === index);
}
