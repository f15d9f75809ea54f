import { type Address, getAddress, size, slice } from "viem";

import { findKnownFunction, kitProxies, MULTICALL3, signatureOf } from "@crosscall/sdk/kit";
import { DEPOSITORY_ADDRESS, EVM_NATIVE_CURRENCY, isEvmNative, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import type { CallFrame } from "./callFrame.ts";
import type { FillPlan } from "../fillPlan.ts";
import { allCalls } from "./orderCalls.ts";
import type { CurrencyFacts } from "../replayReport.ts";

export interface NameAccountsParameters {
  readonly frame: CallFrame;
  readonly plan: FillPlan;
  readonly currencies: readonly CurrencyFacts[];
  /** Labels, which take precedence over all other names. */
  readonly labels?: Readonly<Record<Address, string>> | undefined;
}

const BY_SIGNATURE: Readonly<Record<string, string>> = {
  "execute()": "push executor",
  "pullAndExecute(address)": "push executor",
  "pull(address,address)": "live puller",
};
const BY_FAMILY: Readonly<Record<string, string>> = { [kitProxies.name]: "destination proxy" };

export function nameAccounts({
  frame,
  plan,
  currencies,
  labels = {},
}: NameAccountsParameters): Record<Address, string> {
  const frames = allCalls(frame);
  const names: [Address, string][] = [
    ...(Object.entries(labels) as [Address, string][]),
    [plan.router, "router"],
    [plan.solver, "solver"],
    [plan.recipient, "recipient"],
    [plan.refundTo, "refund recipient"],
    [plan.nftRecipient, "NFT recipient"],
    [DEPOSITORY_ADDRESS, "depository"],
    [PERMIT2_ADDRESS, "Permit2"],
    [MULTICALL3, "Multicall3"],
    ...currencies
      .filter(({ address, symbol }) => !isEvmNative(address) && symbol !== "")
      .map(({ address, symbol }): [Address, string] => [address, symbol]),
    ...frames.flatMap(kitName),
  ];
  const called = frames.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to]));
  const met = new Set([plan.router, plan.solver, plan.recipient, plan.refundTo, ...called].map(lower));
  const named: Record<Address, string> = {};
  for (const [address, name] of names) {
    const account = getAddress(address);
    if (met.has(lower(account)) && account !== EVM_NATIVE_CURRENCY) named[account] ??= name;
  }
  return named;
}

function kitName({ kind, to, input }: CallFrame): [Address, string][] {
  const known = kind === "CALL" && size(input) >= 4 ? findKnownFunction(slice(input, 0, 4)) : undefined;
  const name = known && (BY_SIGNATURE[signatureOf(known.item)] ?? BY_FAMILY[known.family]);
  return name === undefined || to === undefined ? [] : [[to, name]];
}

function lower(account: Address): string {
  return account.toLowerCase();
}
