import { expect } from "chai";
import { zeroAddress } from "viem";

import { PERMIT2_ADDRESS, SOLVER_ADDRESS } from "../../../../sdk/src/chains/serviceAddresses.ts";
import type { Quote } from "../../../../sdk/src/protocol/quote/quote.ts";
import type { QuoteRequest } from "../../../../sdk/src/protocol/quote/quoteRequest.ts";
import type { QuoteClaimCode } from "../../../../sdk/src/verify/quoteReport.ts";
import { verifyQuote } from "../../../../sdk/src/verify/verifyQuote.ts";

const USER = "0x03508bB71268BBA25ECaCC8F620e01866650532c";
const TOKEN = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const ATTACKER = "0x00000000000000000000000000000000000c0DE5";
const APPROVAL_PROXY = "0xbBbfD134E9b44BfB5123898BA36b01dE7ab93d98";
const REQUEST_ID = `0x${"ab".repeat(32)}`;
const NOW = 1_800_000_000;

type Json = Readonly<Record<string, unknown>>;

const AUTHORIZATION = {
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

const PERMIT = {
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

const BATCH = {
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

/** On one chain, the witness has the calls. */
const BATCH_WITH_CALLS = {
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

const request: QuoteRequest = {
  user: USER,
  originChainId: 8453,
  destinationChainId: 8453,
  originCurrency: TOKEN,
  destinationCurrency: zeroAddress,
  tradeType: "EXACT_INPUT",
  amount: "1000000",
  usePermit: true,
};

const POST = { endpoint: "/execute/permits", method: "POST", body: { kind: "permit2", requestId: REQUEST_ID } };

function quoteWith(sign: Json, post: Json = POST): Quote {
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

async function unmetOf(sign: Json, post?: Json): Promise<readonly QuoteClaimCode[]> {
  const { claims } = await verifyQuote({ request, quote: quoteWith(sign, post), clock: { now: () => NOW * 1_000 } });
  return [...new Set(claims.filter(({ isMet }) => !isMet).map(({ code }) => code))];
}

/** Sets a field, by its path. */
function change(value: unknown, path: string, to: unknown): Json {
  const [key = "", ...rest] = path.split(".");
  const record = value as Json;
  const inner = rest.length === 0 ? to : change(record[key], rest.join("."), to);
  if (Array.isArray(value)) return Object.assign([...(value as unknown[])], { [key]: inner });
  return { ...record, [key]: inner };
}

describe("permits that are verified", () => {
  const VALID: Readonly<Record<string, Json>> = { AUTHORIZATION, PERMIT, BATCH_WITH_CALLS };
  for (const [name, sign] of Object.entries(VALID)) {
    it(`meet all claims: ${name}`, async () => {
      expect(await unmetOf(sign)).to.deep.equal([]);
    });
  }

  const ATTACKS: readonly (readonly [what: string, sign: Json, path: string, to: unknown, code: QuoteClaimCode])[] = [
    ["a transfer to a stranger", AUTHORIZATION, "value.to", ATTACKER, "PERMIT_SPENDER"],
    ["twice the amount", AUTHORIZATION, "value.value", "2000000", "PERMIT_AMOUNT"],
    ["a transfer of another account", AUTHORIZATION, "value.from", ATTACKER, "PERMIT_OWNER"],
    ["an authorization without an end", AUTHORIZATION, "value.validBefore", 9e15, "PERMIT_DEADLINE"],
    ["an authorization that is not valid yet", AUTHORIZATION, "value.validAfter", NOW + 60, "PERMIT_DEADLINE"],
    ["another token", AUTHORIZATION, "domain.verifyingContract", ATTACKER, "PERMIT_DOMAIN"],
    ["another chain", AUTHORIZATION, "domain.chainId", 1, "PERMIT_DOMAIN"],
    ["a nonce of another size", AUTHORIZATION, "value.nonce", "0x11", "PERMIT_TYPES"],
    ["a permit for a stranger", PERMIT, "value.spender", ATTACKER, "PERMIT_SPENDER"],
    ["a permit for twice the amount", PERMIT, "value.value", "2000000", "PERMIT_AMOUNT"],
    ["a permit of another owner", PERMIT, "value.owner", ATTACKER, "PERMIT_OWNER"],
    ["a permit that has expired", PERMIT, "value.deadline", NOW - 1, "PERMIT_DEADLINE"],
    ["a batch for a stranger", BATCH_WITH_CALLS, "value.spender", ATTACKER, "PERMIT_SPENDER"],
    ["a batch of twice the amount", BATCH_WITH_CALLS, "value.permitted.0.amount", "2000000", "PERMIT_AMOUNT"],
    ["a batch of another token", BATCH_WITH_CALLS, "value.permitted.0.token", ATTACKER, "PERMIT_TOKEN"],
    ["a second token in a batch", BATCH_WITH_CALLS, "value.permitted", [{}, {}], "PERMIT_TOKEN"],
    ["an unknown relayer", BATCH_WITH_CALLS, "value.witness.relayer", ATTACKER, "PERMIT_WITNESS"],
    ["a stranger's refund", BATCH_WITH_CALLS, "value.witness.refundTo", ATTACKER, "PERMIT_WITNESS"],
    ["another contract than Permit2", BATCH_WITH_CALLS, "domain.verifyingContract", ATTACKER, "PERMIT_DOMAIN"],
    [
      "a hidden field",
      AUTHORIZATION,
      "types.TransferWithAuthorization.6",
      { name: "x", type: "uint256" },
      "PERMIT_TYPES",
    ],
    ["fields in another order", PERMIT, "types.Permit.0", { name: "spender", type: "address" }, "PERMIT_TYPES"],
    ["another message", PERMIT, "primaryType", "Order", "SIGNATURE_KNOWN"],
  ];
  for (const [what, sign, path, to, code] of ATTACKS) {
    it(`are refused: ${what}`, async () => {
      expect(await unmetOf(change(sign, path, to))).to.include(code);
    });
  }

  it("refuse a batch without the calls on one chain", async () => {
    expect(await unmetOf(BATCH)).to.deep.equal(["PERMIT_WITNESS"]);
  });

  it("refuse a 32-byte digest, and any text", async () => {
    for (const message of [`0x${"12".repeat(32)}`, REQUEST_ID, "Sign in"]) {
      expect(await unmetOf({ signatureKind: "eip191", message })).to.deep.equal(["SIGNATURE_KNOWN"]);
    }
  });

  it("refuse another endpoint, method and request", async () => {
    for (const post of [
      { ...POST, endpoint: "/steal" },
      { ...POST, method: "GET" },
      { ...POST, body: { requestId: `0x${"cd".repeat(32)}` } },
    ]) {
      expect(await unmetOf(PERMIT, post)).to.deep.equal(["PERMIT_POST"]);
    }
  });
});
