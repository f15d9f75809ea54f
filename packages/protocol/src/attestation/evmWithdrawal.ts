import {
  type Address,
  type Hex,
  decodeAbiParameters,
  encodeAbiParameters,
  hashStruct,
  parseAbiParameters,
  zeroAddress,
} from "viem";

import { MalformedDataError } from "../core/errors.ts";

/** EIP-712 types that a depository's allocator signs; the primary type is `CallRequest`. */
export const CALL_REQUEST_TYPES = {
  CallRequest: [
    { name: "calls", type: "Call[]" },
    { name: "nonce", type: "uint256" },
    { name: "expiration", type: "uint256" },
  ],
  Call: parseAbiParameters("address to, bytes data, uint256 value, bool allowFailure"),
} as const;

const CALL_REQUEST_PARAMETERS = parseAbiParameters([
  "CallRequest request",
  "struct CallRequest { Call[] calls; uint256 nonce; uint256 expiration; }",
  "struct Call { address to; bytes data; uint256 value; bool allowFailure; }",
]);

const ERC20_TRANSFER = "0xa9059cbb";

/** Effect of a withdrawal at a depository on an EVM chain or Tron. */
export interface EvmWithdrawal {
  readonly calls: readonly {
    readonly to: Address;
    readonly data: Hex;
    /** Wei. */
    readonly value: bigint;
    readonly allowFailure: boolean;
  }[];
  readonly nonce: bigint;
  /** Unix seconds. */
  readonly expiration: bigint;
}

/** Encodes the payload of a withdrawal: one ABI tuple (spec 5, section 2). */
export function encodeEvmWithdrawal(withdrawal: EvmWithdrawal): Hex {
  return encodeAbiParameters(CALL_REQUEST_PARAMETERS, [withdrawal]);
}

/**
 * Decodes the payload of a withdrawal.
 *
 * @throws {@link MalformedDataError} when it is invalid
 */
export function decodeEvmWithdrawal(payload: Hex): EvmWithdrawal {
  try {
    const [withdrawal] = decodeAbiParameters(CALL_REQUEST_PARAMETERS, payload);
    return withdrawal;
  } catch (cause) {
    throw malformed("it is not the documented ABI encoding", cause);
  }
}

/** Returns the depository's id of a withdrawal: the EIP-712 `hashStruct`, without a domain. */
export function hashEvmWithdrawal(withdrawal: EvmWithdrawal): Hex {
  return hashStruct({ types: CALL_REQUEST_TYPES, primaryType: "CallRequest", data: withdrawal });
}

/** Payment of a withdrawal, with addresses in lower case. */
export interface EvmPayout {
  readonly currency: Address;
  readonly recipient: Address;
  /** Amount in the currency's smallest unit. */
  readonly amount: bigint;
}

/** Returns the payment in the first call. */
export function withdrawnByEvm({ calls: [call] }: EvmWithdrawal): EvmPayout {
  if (call === undefined) throw malformed("it has no call");
  const to = call.to.toLowerCase() as Address;
  if (call.data === "0x") return { currency: zeroAddress, recipient: to, amount: call.value };
  if (!/^0xa9059cbb[0-9a-f]{128}/iu.test(call.data)) throw malformed(`its first call is not ${ERC20_TRANSFER}`);
  const recipient: Address = `0x${call.data.slice(34, 74).toLowerCase()}`;
  return { currency: to, recipient, amount: BigInt(`0x${call.data.slice(74, 138)}`) };
}

function malformed(reason: string, cause?: unknown): MalformedDataError {
  return new MalformedDataError({ what: "the payload of a withdrawal", path: "", reason, cause });
}
