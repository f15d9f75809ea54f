import { createHash } from "node:crypto";

import { expect } from "chai";
import {
  type Address,
  concat,
  encodeAbiParameters,
  getAddress,
  type Hex,
  hexToBigInt,
  keccak256,
  slice,
  stringToHex,
  toHex,
  zeroHash,
} from "viem";

import { executionSigners, ORACLE_CONTRACT, ORACLE_SIGNER } from "../../support/oracleNetwork.ts";

/** Returns the SHA-256 of parts joined by colons, in lowercase. Implemented independently of the tested code. */
export function idOf(...parts: readonly (string | number)[]): Hex {
  return `0x${createHash("sha256").update(parts.join(":").toLowerCase()).digest("hex")}`;
}

/** Returns the hub's token for a currency. */
export function tokenOf(chainId: string, currency: Hex): bigint {
  return hexToBigInt(keccak256(concat([stringToHex(chainId), currency])));
}

/** Returns the hub's account for an address. */
export function aliasOf(chainId: string, address: Hex): Address {
  return slice(keccak256(concat([stringToHex(chainId), address])), 12);
}

/** Returns the hub's account for a deposit: the order's account, or the depositor's account if there is no order. */
export function creditedOf(chainId: string, depositor: Hex, timestamp: number, depositId: Hex): Address {
  if (depositId === zeroHash) return aliasOf(chainId, depositor);
  const parts = [stringToHex(chainId), depositor, toHex(timestamp, { size: 32 }), depositId];
  return slice(keccak256(concat(parts)), 12);
}

/**
 * Returns the hub's account for a withdrawal, derived from the bytes of depository, currency, recipient, owner and
 * nonce.
 */
export function withdrawnOf(chainId: string, parts: readonly [Hex, Hex, Hex, Address, Hex]): Address {
  return slice(keccak256(concat([stringToHex(chainId), ...parts])), 12);
}

/** Returns the action with which the hub burns the paid amount. */
export function burnOf(from: Address, token: bigint, amount: bigint): Hex {
  const types = [{ type: "uint8" }, { type: "address" }, { type: "uint256" }, { type: "uint256" }] as const;
  return encodeAbiParameters(types, [1, getAddress(from), token, amount]);
}

/** Returns the action with which the hub mints the deposited amount. */
export function mintOf(to: Address, token: bigint, amount: bigint): Hex {
  const types = [{ type: "uint8" }, { type: "address" }, { type: "uint256" }, { type: "uint256" }] as const;
  return encodeAbiParameters(types, [0, getAddress(to), token, amount]);
}

/** Returns the action with which the hub transfers tokens. */
export function transferOf(from: Address, to: Address, token: bigint, amount: bigint): Hex {
  const types = [
    { type: "uint8" },
    { type: "address" },
    { type: "address" },
    { type: "uint256" },
    { type: "uint256" },
  ] as const;
  return encodeAbiParameters(types, [2, getAddress(from), getAddress(to), token, amount]);
}

/** Execution in a response. */
export interface RespondedExecution {
  readonly idempotencyKey: string;
  readonly actions: readonly string[];
  readonly signatures: readonly { readonly signature: string; readonly oracleSigner: string }[];
}

/** Checks the actions and the signature of an execution. */
export async function expectExecution(
  execution: RespondedExecution | undefined,
  idempotencyKey: Hex,
  actions: readonly Hex[],
): Promise<void> {
  if (execution === undefined) throw new Error("the response has no execution");
  expect({ key: execution.idempotencyKey, actions: execution.actions }).to.deep.equal({ key: idempotencyKey, actions });
  expect(await executionSigners(execution)).to.deep.equal([ORACLE_SIGNER]);
  expect(execution.signatures).to.deep.equal([
    {
      oracleChainId: "31337",
      oracleContract: ORACLE_CONTRACT,
      oracleSigner: ORACLE_SIGNER,
      signature: execution.signatures[0]?.signature,
    },
  ]);
}
