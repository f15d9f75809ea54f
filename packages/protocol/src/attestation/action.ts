import { type Address, type Hex, decodeAbiParameters, encodeAbiParameters, parseAbiParameters } from "viem";

import { MalformedDataError } from "../core/errors.ts";

/** A balance change on the settlement hub, as part of an execution. */
export type Action = MintAction | BurnAction | TransferAction | FastMintAction;

interface Moved {
  readonly tokenId: bigint;
  /** Amount in the smallest unit of the token's currency. */
  readonly amount: bigint;
}

/** Credits a deposit. */
export interface MintAction extends Moved {
  readonly type: "mint";
  readonly to: Address;
}

/** Action that burns a withdrawn balance. */
export interface BurnAction extends Moved {
  readonly type: "burn";
  readonly from: Address;
}

export interface TransferAction extends Moved {
  readonly type: "transfer";
  readonly from: Address;
  readonly to: Address;
}

/** Action that credits a deposit before finality, within a limit and for a fee. */
export interface FastMintAction extends Moved {
  readonly type: "fastMint";
  readonly to: Address;
  readonly feeCalculator: Address;
  readonly feeCalculatorData: Hex;
  readonly rateLimiter: Address;
  readonly rateLimiterData: Hex;
}

const MINT = parseAbiParameters("uint8 kind, address to, uint256 tokenId, uint256 amount");
const BURN = parseAbiParameters("uint8 kind, address from, uint256 tokenId, uint256 amount");
const TRANSFER = parseAbiParameters("uint8 kind, address from, address to, uint256 tokenId, uint256 amount");
const FAST_MINT = parseAbiParameters([
  "uint8 kind, address to, uint256 tokenId, uint256 amount",
  "address feeCalculator, bytes feeCalculatorData, address rateLimiter, bytes rateLimiterData",
]);

/** Encodes an action of an execution: plain ABI parameters, the kind first (spec 5, section 2). */
export function encodeAction(action: Action): Hex {
  const { tokenId, amount } = action;
  switch (action.type) {
    case "mint":
      return encodeAbiParameters(MINT, [0, action.to, tokenId, amount]);
    case "burn":
      return encodeAbiParameters(BURN, [1, action.from, tokenId, amount]);
    case "transfer":
      return encodeAbiParameters(TRANSFER, [2, action.from, action.to, tokenId, amount]);
    case "fastMint": {
      const { to, feeCalculator, feeCalculatorData, rateLimiter, rateLimiterData } = action;
      return encodeAbiParameters(FAST_MINT, [
        3,
        to,
        tokenId,
        amount,
        feeCalculator,
        feeCalculatorData,
        rateLimiter,
        rateLimiterData,
      ]);
    }
  }
}

/**
 * Decodes an action, with checksummed addresses.
 *
 * @throws {@link MalformedDataError} when the bytes are not exactly one action
 */
export function decodeAction(encoded: Hex): Action {
  const action = readAction(encoded);
  // The decoder ignores extra bytes, which could hide what was signed.
  if (action !== undefined && encodeAction(action) === encoded.toLowerCase()) return action;
  throw new MalformedDataError({
    what: "an action of an execution",
    path: "",
    reason: "it is not a valid ABI encoding",
  });
}

function readAction(encoded: Hex): Action | undefined {
  try {
    switch (Number.parseInt(encoded.slice(2, 66), 16)) {
      case 0: {
        const [, to, tokenId, amount] = decodeAbiParameters(MINT, encoded);
        return { type: "mint", to, tokenId, amount };
      }
      case 1: {
        const [, from, tokenId, amount] = decodeAbiParameters(BURN, encoded);
        return { type: "burn", from, tokenId, amount };
      }
      case 2: {
        const [, from, to, tokenId, amount] = decodeAbiParameters(TRANSFER, encoded);
        return { type: "transfer", from, to, tokenId, amount };
      }
      case 3: {
        const [, to, tokenId, amount, feeCalculator, feeCalculatorData, rateLimiter, rateLimiterData] =
          decodeAbiParameters(FAST_MINT, encoded);
        return {
          type: "fastMint",
          to,
          tokenId,
          amount,
          feeCalculator,
          feeCalculatorData,
          rateLimiter,
          rateLimiterData,
        };
      }
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}
