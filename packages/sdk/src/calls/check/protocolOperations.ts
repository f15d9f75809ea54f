import { type Hex, slice } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import type { DecodedFunctionCall } from "../decode/decodedCall.ts";
import { findKnownFunction } from "../decode/knownFunctions.ts";
import type { KnownFunction } from "../decode/knownFunction.ts";
import { readAccount, readAmount, readArgument, readToken } from "../decode/readArgument.ts";
import {
  type CheckedAmount,
  type GainOperation,
  isUnlimited,
  type Operation,
  type PayOperation,
  type SendOperation,
  type TakeOperation,
} from "./operation.ts";
import type { CallFacts, CheckedContracts } from "./parameters.ts";

/** Placeholder that Uniswap's newer routers replace with their caller. */
export const CALLER_PLACEHOLDER = "0x0000000000000000000000000000000000000001";

export interface ProtocolSurroundings {
  readonly contracts: CheckedContracts;
  readonly facts: CallFacts;
  /** Whether a token is certainly an ERC-20 without a native form. */
  readonly isErc20: (token: string) => boolean;
}

export interface ProtocolCall {
  readonly call: DecodedFunctionCall;
  /** Index in `txs`. */
  readonly index: number;
  /** Native currency available to the function, in wei: the value of its call, or of the delegating call. */
  readonly paid: bigint;
}

/** Lists assets that a known protocol function takes from and gives to the router. */
export function protocolOperations(place: ProtocolCall, known: ProtocolSurroundings): Operation[] {
  const { call } = place;
  const found = findKnownFunction(slice(call.data.toLowerCase() as Hex, 0, 4));
  if (found === undefined) return [];
  const { takes, gives } = found.known;
  const isPayable = found.item.stateMutability === "payable";
  return [
    ...(takes === undefined ? [] : takeOperations(place, { ...takes, isPayable, family: found.family }, known)),
    ...(gives === undefined ? [] : gainOperations(place, gives, known)),
  ];
}

type Takes = NonNullable<KnownFunction["takes"]> & { readonly isPayable: boolean; readonly family: string };

function takeOperations(
  { call, index, paid }: ProtocolCall,
  { token: reference, amount: path, isMaximum = false, isPayable, family, spender: taker }: Takes,
  known: ProtocolSurroundings,
): (TakeOperation | PayOperation | SendOperation)[] {
  const token = tokenOf(call, reference, known);
  // A contract needs no approval for its own token.
  const isOwn = token !== undefined && isSameAddress(token, call.to);
  const spender = taker === "@puller" ? (known.contracts.livePuller ?? call.to) : call.to;
  let left = isPayable && (token === undefined || !known.isErc20(token)) ? paid : 0n;
  return amountsOf(call, path).flatMap((written): (TakeOperation | PayOperation | SendOperation)[] => {
    if (!isOwn && left > 0n && typeof written === "bigint" && left >= written) {
      // If a pool has several coins, one can be native.
      left = 0n;
      return [{ kind: "pay", index, family, spender, amount: written, isMaximum }];
    }
    const amount = boundedOf(written);
    if (isOwn) {
      if (amount === undefined) return [];
      return [{ kind: "send", index, token: call.to, to: call.to, amount, isSweep: false }];
    }
    return [{ kind: "take", index, spender, token, amount, isMaximum }];
  });
}

function tokenOf(
  { to, args }: DecodedFunctionCall,
  reference: string,
  { contracts, facts }: ProtocolSurroundings,
): string | undefined {
  if (reference !== "@unknown") return readToken(args, reference, to);
  return (
    contracts.proxies?.find(({ address }) => isSameAddress(address, to))?.inputToken ??
    facts.accounts?.find(({ address }) => isSameAddress(address, to))?.asset
  );
}

function amountsOf({ args }: DecodedFunctionCall, path: string): TakeOperation["amount"][] {
  if (path === "@balance") return ["balance"];
  if (!path.endsWith(".*")) return [readAmount(args, path)];
  const amounts = (readArgument(args, path.slice(0, -2)) ?? []) as readonly bigint[];
  return amounts.filter((amount) => amount !== 0n);
}

/** Returns undefined for an unlimited amount, which means the whole debt or balance. */
function boundedOf<Amount extends CheckedAmount>(amount: Amount | undefined): Amount | undefined {
  return amount === undefined || isUnlimited(amount) ? undefined : amount;
}

function gainOperations(
  { call, index, paid }: ProtocolCall,
  { token: reference, recipient: to, amount: path, isPerhapsNative = false, hint }: NonNullable<KnownFunction["gives"]>,
  { contracts }: ProtocolSurroundings,
): GainOperation[] {
  const recipient = to === "@caller" ? undefined : readAccount(call.args, to);
  const isRouter = recipient === undefined || isSameAddress(recipient, contracts.router);
  if (!isRouter && recipient !== CALLER_PLACEHOLDER) return [];
  const token = readToken(call.args, reference, call.to);
  const amount = path === "@value" ? paid : path === undefined ? undefined : boundedOf(readAmount(call.args, path));
  return [{ kind: "gain", index, token, amount, isPerhapsNative, signature: call.signature, hint }];
}
