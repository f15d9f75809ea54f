import { type Hex, hexToBytes } from "viem";

const TRANSACTION_GAS = 21_000n;
const GAS_PER_TOKEN = 4n;
const FLOOR_PER_TOKEN = 10n;

/**
 * What a transaction takes of gas before refunds, from what its call takes.
 *
 * @param hasFloor whether the chain takes a least amount for call data (EIP-7623, since Prague)
 */
export function transactionGas(data: Hex, callGas: bigint, hasFloor: boolean): bigint {
  const tokens = hexToBytes(data).reduce((sum, byte) => sum + (byte === 0 ? 1 : 4), 0);
  const spent = TRANSACTION_GAS + GAS_PER_TOKEN * BigInt(tokens) + callGas;
  const floor = TRANSACTION_GAS + FLOOR_PER_TOKEN * BigInt(tokens);
  return hasFloor && floor > spent ? floor : spent;
}
