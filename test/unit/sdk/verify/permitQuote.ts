import { zeroAddress } from "viem";

import { PERMIT2_ADDRESS, SOLVER_ADDRESS } from "../../../../packages/protocol/src/chains/serviceAddresses.ts";
import { ROUTERS } from "../../../../packages/protocol/src/generations/routers.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";

export const USER = "0x03508bB71268BBA25ECaCC8F620e01866650532c";
export const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const APPROVAL_PROXY = ROUTERS[0].pairs.cancun.approvalProxy;
export const REQUEST_ID = `0x${"ab".repeat(32)}`;
export const NOW = 1_800_000_000;

export type Json = Readonly<Record<string, unknown>>;

export const AUTHORIZATION = {
  domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: TOKEN },
  types: {
    TransferWithAuthorization: [
      { name: "from", type: "address" },
      { name: "to", type: "address" },
      { name: "value", type: "uint256" },
      { name: "validAfter", type: "uint256" },
      { name: "validBefore", type: "uint256" },
      { name: "nonce", type: "bytes32" },
    ],
  },
  primaryType: "TransferWithAuthorization",
  value: {
    from: USER,
    to: SOLVER_ADDRESS,
    value: "1000000",
    validAfter: 0,
    validBefore: NOW + 600,
    nonce: `0x${"11".repeat(32)}`,
  },
};

export const PERMIT = {
  domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: TOKEN },
  types: {
    Permit: [
      { name: "owner", type: "address" },
      { name: "spender", type: "address" },
      { name: "value", type: "uint256" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
    ],
  },
  primaryType: "Permit",
  value: { owner: USER, spender: APPROVAL_PROXY, value: "1000000", nonce: "3", deadline: NOW + 600 },
};

const BATCH_TYPES = {
  PermitBatchWitnessTransferFrom: [
    { name: "permitted", type: "TokenPermissions[]" },
    { name: "spender", type: "address" },
    { name: "nonce", type: "uint256" },
    { name: "deadline", type: "uint256" },
    { name: "witness", type: "RelayerWitness" },
  ],
  TokenPermissions: [
    { name: "token", type: "address" },
    { name: "amount", type: "uint256" },
  ],
  RelayerWitness: [{ name: "relayer", type: "address" }],
};

export const BATCH = {
  domain: { name: "Permit2", chainId: 8453, verifyingContract: PERMIT2_ADDRESS },
  types: BATCH_TYPES,
  primaryType: "PermitBatchWitnessTransferFrom",
  value: {
    permitted: [{ token: TOKEN, amount: "1000000" }],
    spender: APPROVAL_PROXY,
    nonce: "7",
    deadline: NOW + 600,
    witness: { relayer: SOLVER_ADDRESS },
  },
};

/** Types of a permit for same-chain requests, with the calls in the witness. */
export const BATCH_WITH_CALLS = {
  ...BATCH,
  types: {
    ...BATCH_TYPES,
    RelayerWitness: [
      { name: "relayer", type: "address" },
      { name: "refundTo", type: "address" },
      { name: "nftRecipient", type: "address" },
      { name: "call3Values", type: "Call3Value[]" },
    ],
    Call3Value: [
      { name: "target", type: "address" },
      { name: "allowFailure", type: "bool" },
      { name: "value", type: "uint256" },
      { name: "callData", type: "bytes" },
    ],
  },
  value: {
    ...BATCH.value,
    witness: { relayer: SOLVER_ADDRESS, refundTo: USER, nftRecipient: USER, call3Values: [] },
  },
};

/** Permit of approval proxy 3.2. */
export const BATCH_WITH_VALUE = {
  ...BATCH_WITH_CALLS,
  types: {
    ...BATCH_WITH_CALLS.types,
    RelayerWitness: [
      { name: "relayer", type: "address" },
      { name: "msgValue", type: "uint256" },
      { name: "refundTo", type: "address" },
      { name: "nftRecipient", type: "address" },
      { name: "metadata", type: "bytes" },
      { name: "call3Values", type: "Call3Value[]" },
    ],
  },
  value: {
    ...BATCH_WITH_CALLS.value,
    spender: ROUTERS.find((one) => one.version === "3.2")!.pairs.cancun.approvalProxy,
    witness: { ...BATCH_WITH_CALLS.value.witness, msgValue: "7", metadata: "0x" },
  },
};

export const PERMIT_REQUEST: QuoteRequest = {
  user: USER,
  originChainId: 8453,
  destinationChainId: 8453,
  originCurrency: TOKEN,
  destinationCurrency: zeroAddress,
  tradeType: "EXACT_INPUT",
  amount: "1000000",
  usePermit: true,
};

export const POST = { endpoint: "/execute/permits", method: "POST", body: { kind: "permit2", requestId: REQUEST_ID } };

/** Returns a same-chain quote with one permit to sign. */
export function permitQuote(sign: Json, post: Json = POST): Quote {
  return {
    steps: [
      {
        id: "authorize1",
        action: "",
        description: "",
        kind: "signature",
        requestId: REQUEST_ID,
        items: [{ status: "incomplete", data: { sign: { signatureKind: "eip712", ...sign }, post } }],
      },
    ],
    details: {
      currencyIn: { currency: { chainId: 8453, address: TOKEN }, amount: "1000000" },
      currencyOut: { currency: { chainId: 8453, address: zeroAddress }, amount: "500", minimumAmount: "490" },
    },
  };
}
