import { type Address, concat, hexToBigInt, type Hex, keccak256, parseAbi, type TypedDataDomain } from "viem";

import { PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { routerGenerationOf } from "@crosscall/protocol/generations";
import {
  AUTHORIZATION_TYPES,
  PERMIT2_CALLS_TYPES,
  PERMIT2_TYPES,
  PERMIT2_VALUE_CALLS_TYPES,
  type PermitTypes,
  TOKEN_PERMIT_TYPES,
} from "@crosscall/protocol/quote/rules";
import type { ChainContracts } from "../../devchain/contracts.ts";
import type { DevChain } from "../../devchain/devChain.ts";
import { findToken } from "../../devchain/tokens.ts";
import type { PermitExecution, StoredPermit } from "../../store/permits.ts";

const TOKEN_ABI = parseAbi(["function nonces(address owner) view returns (uint256)"]);

type PermitKind = StoredPermit["kind"];

/** Returns the token's supported permit that requires the least from its holder. */
export function permitKindOf({ tokens }: Pick<DevChain, "tokens">, token: string): PermitKind {
  return findToken(tokens, token)?.permit?.kind ?? "permit2";
}

/** The request and the kind of permit, for `POST /execute/permits`. */
export interface PermitPost {
  readonly kind: string;
  readonly requestId: string;
  readonly api: "swap" | "user-swap";
}

/**
 * Returns the request for posting a permit. Like the live service, posts Permit2 signatures as `eip3009`. The live
 * service documents no step with EIP-2612.
 */
export function permitPostOf({ kind, execution }: StoredPermit, requestId: string): PermitPost {
  if (execution !== undefined) return { kind: "permit2", requestId, api: "user-swap" };
  return { kind: kind === "permit2" ? "eip3009" : kind, requestId, api: "swap" };
}

export interface PermitParameters {
  readonly token: Address;
  readonly owner: Address;
  /** Smallest unit. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly deadline: number;
  readonly requestId: Hex;
  readonly orderId: Hex;
  /** Execution by the permit, which then uses Permit2 even if the token supports its own permit. */
  readonly execution?: PermitExecution | undefined;
}

/** Creates a permit for one request only: if any nonce can be chosen, it is derived from the request's ids. */
export async function createPermit(chain: DevChain, parameters: PermitParameters): Promise<StoredPermit> {
  const { token, owner, amount, deadline, requestId, orderId, execution } = parameters;
  const known = execution === undefined ? findToken(chain.tokens, token) : undefined;
  const kind: PermitKind = known?.permit?.kind ?? "permit2";
  const nonce = keccak256(concat([requestId, orderId]));
  const permit = {
    kind,
    ...(execution === undefined ? {} : { execution }),
    chainId: chain.id,
    token,
    owner,
    amount: amount.toString(),
    deadline,
  };
  if (known?.permit === undefined) {
    return { ...permit, nonce: hexToBigInt(nonce).toString(), domain: { name: "Permit2" } };
  }
  const { name } = known;
  const { version } = known.permit;
  const next =
    kind === "eip3009"
      ? nonce
      : await chain.client.readContract({ address: token, abi: TOKEN_ABI, functionName: "nonces", args: [owner] });
  return { ...permit, nonce: next.toString(), domain: { name, version } };
}

/** The documented EIP-712 message as JSON. */
export interface PermitMessage extends PermitTypes {
  readonly domain: TypedDataDomain;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface PermitParties {
  readonly solver: Address;
  readonly contracts: Pick<ChainContracts, "approvalProxy" | "router">;
}

export function permitMessage(permit: StoredPermit, { solver, contracts }: PermitParties): PermitMessage {
  const { kind, chainId, owner, amount, nonce, deadline } = permit;
  const token = permit.token as Address;
  const domain = { ...permit.domain, chainId, verifyingContract: kind === "permit2" ? PERMIT2_ADDRESS : token };
  const spender = contracts.approvalProxy;
  switch (kind) {
    case "eip3009":
      return {
        domain,
        ...AUTHORIZATION_TYPES,
        value: { from: owner, to: solver, value: amount, validAfter: 0, validBefore: deadline, nonce },
      };
    case "eip2612":
      return { domain, ...TOKEN_PERMIT_TYPES, value: { owner, spender, value: amount, nonce, deadline } };
    case "permit2": {
      const { execution } = permit;
      const value = { permitted: [{ token, amount }], spender, nonce, deadline };
      if (execution === undefined) {
        return { domain, ...PERMIT2_TYPES, value: { ...value, witness: { relayer: solver } } };
      }
      const witness = callsWitness(execution, solver);
      return routerGenerationOf(contracts.router)?.signsValue === true
        ? { domain, ...PERMIT2_VALUE_CALLS_TYPES, value: { ...value, witness: { ...witness, msgValue: "0" } } }
        : { domain, ...PERMIT2_CALLS_TYPES, value: { ...value, witness } };
    }
  }
}

function callsWitness({ calls, refundTo, metadata }: PermitExecution, relayer: Address) {
  const call3Values = calls.map(({ to, data }) => ({ target: to, allowFailure: false, value: "0", callData: data }));
  return { relayer, refundTo, nftRecipient: refundTo, metadata, call3Values };
}
