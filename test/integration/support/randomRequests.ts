import fc from "fast-check";
import type { Insertable } from "kysely";
import { type Hex, numberToHex } from "viem";

import {
  FAIL_REASONS,
  FEATURES,
  REFUND_FAIL_REASONS,
  REQUEST_STATUSES,
  REQUEST_TYPES,
} from "../../../packages/protocol/src/schema/values.ts";
import type { NewRequest } from "../../../packages/crosscall/src/localnet/store/requests/requests.ts";
import type {
  TransactionPurpose,
  TransactionTable,
} from "../../../packages/crosscall/src/localnet/store/transactions.ts";
import { newRequest, newTransaction } from "./storeRows.ts";

/** Request with its transactions, as a test inserts them. */
export interface SyntheticRequest {
  readonly request: NewRequest;
  readonly transactions: readonly Insertable<TransactionTable>[];
}

/**
 * Unix time of the first request. All requests are within the next two minutes, and the month changes after one of
 * them.
 */
export const FIRST_SECOND = Date.UTC(2027, 1, 1) / 1_000 - 60;

const BASE58 = "7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs";

/** Uses few values of each kind, so that filters match. The base58 addresses differ only in the case of one letter. */
export const POOLS = {
  address: [
    "0x1111111111111111111111111111111111111111",
    "0xAbCdEf0123456789aBcDeF0123456789AbCdEf01",
    "0xabcdef0123456789abcdef0123456789abcdef02",
    BASE58,
    BASE58.replace("7v", "7V"),
  ],
  symbol: ["ETH", "USDC", "usdc", "USDT"],
  chainId: [1, 10, 8453, 792_703_809],
  apiKeyHash: ["hash-a", "hash-b"],
  referrer: ["app", "App", "other"],
} as const;

const hash = (purpose: number, index: number): Hex => numberToHex(purpose * 1_000_000 + index + 1, { size: 32 });

/** Returns the id of the request at this index. */
export const requestId = (index: number): Hex => hash(1, index);

const orNull = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> =>
  fc.option(arbitrary, { nil: null, freq: 2 });
const address = fc.constantFrom(...POOLS.address);
const chainId = fc.constantFrom(...POOLS.chainId);
const symbol = fc.constantFrom(...POOLS.symbol);
const time = fc.integer({ min: 0, max: 120_000 }).map((ms) => new Date(FIRST_SECOND * 1_000 + ms));
// Uses few different values, so that the id determines the order.
const usd = fc.integer({ min: 0, max: 40 }).map((quarters) => (quarters / 4).toFixed(6));

const columns = fc.record({
  status: fc.constantFrom(...REQUEST_STATUSES),
  user: address,
  recipient: address,
  request_type: fc.constantFrom(...REQUEST_TYPES),
  origin_chain_id: chainId,
  destination_chain_id: chainId,
  origin_currency: address,
  destination_currency: address,
  origin_symbol: symbol,
  destination_symbol: symbol,
  fail_reason: orNull(fc.constantFrom(...FAIL_REASONS.slice(0, 3))),
  refund_fail_reason: orNull(fc.constantFrom(...REFUND_FAIL_REASONS.slice(0, 2))),
  api_key_hash: orNull(fc.constantFrom(...POOLS.apiKeyHash)),
  referrer: orNull(fc.constantFrom(...POOLS.referrer)),
  deposit_address: orNull(address),
  deposit_block: orNull(fc.integer({ min: 0, max: 30 })),
  fill_time_seconds: orNull(fc.integer({ min: 0, max: 30 })),
  amount_usd: usd,
  app_fees_usd: usd,
  features: fc.subarray([...FEATURES], { maxLength: 3 }),
  created_at: time,
  updated_at: time,
  parent: orNull(fc.nat({ max: 20 })),
  purposes: fc.subarray<TransactionPurpose>(["deposit", "fill", "refund"]),
  hasFailed: fc.boolean(),
});

/** Returns random requests, which repeat for the same seed. */
export function randomRequests(count: number, seed: number): SyntheticRequest[] {
  return fc.sample(columns, { numRuns: count, seed }).map(({ parent, purposes, hasFailed, ...change }, index) => {
    const id = requestId(index);
    const request = newRequest(id, {
      ...change,
      order_id: hash(2, index),
      parent_request_id: parent === null || parent === index ? null : requestId(parent),
    });
    const transactions = purposes.map((purpose) => ({
      ...newTransaction(id, { purpose, nonce: null }),
      hash: transactionHash(purpose, index),
      status: hasFailed && purpose === "fill" ? ("failure" as const) : ("success" as const),
    }));
    return { request, transactions };
  });
}

const PURPOSES: Record<TransactionPurpose, number> = {
  deposit: 3,
  fill: 4,
  refund: 5,
  payment: 6,
  funding: 7,
  sweepApproval: 8,
  sweep: 9,
  permit: 10,
  permitDeposit: 11,
  execution: 12,
  claim: 13,
  excess: 14,
  recovery: 15,
};

/** Returns the hash of a request's transaction, if any. */
export function transactionHash(purpose: TransactionPurpose, index: number): Hex {
  return hash(PURPOSES[purpose], index);
}
