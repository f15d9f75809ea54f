import { expect } from "chai";

import { PERMIT2_ADDRESS } from "../../../../packages/protocol/src/chains/serviceAddresses.ts";
import { type PlannedSignature, planSteps } from "../../../../packages/protocol/src/quote/planSteps.ts";
import type { QuoteRequest } from "../../../../packages/protocol/src/quote/quoteRequest.ts";
import type { QuoteClaimCode } from "../../../../packages/sdk/src/verify/quoteReport.ts";
import { QuoteRefusedError } from "../../../../packages/sdk/src/verify/quoteRefusedError.ts";
import { toVerifiedTypedData } from "../../../../packages/sdk/src/verify/readPermit.ts";
import { verifyQuote } from "../../../../packages/sdk/src/verify/verifyQuote.ts";
import { caught } from "../../../support/rejection.ts";
import {
  AUTHORIZATION,
  BATCH,
  BATCH_WITH_CALLS,
  BATCH_WITH_VALUE,
  type Json,
  NOW,
  PERMIT,
  PERMIT_REQUEST,
  permitQuote,
  POST,
  REQUEST_ID,
  USER,
} from "./permitQuote.ts";

const ATTACKER = "0x00000000000000000000000000000000000c0DE5";

async function unmetOf(
  sign: Json,
  post?: Json,
  request: QuoteRequest = PERMIT_REQUEST,
): Promise<readonly QuoteClaimCode[]> {
  const { claims } = await verifyQuote({
    request,
    quote: permitQuote(sign, post),
    clock: { now: () => NOW * 1_000 },
  });
  return [...new Set(claims.filter(({ isMet }) => !isMet).map(({ code }) => code))];
}

/** Sets a field by its path. */
function change(value: unknown, path: string, to: unknown): Json {
  const [key = "", ...rest] = path.split(".");
  const record = value as Json;
  const inner = rest.length === 0 ? to : change(record[key], rest.join("."), to);
  if (Array.isArray(value)) return Object.assign([...(value as unknown[])], { [key]: inner });
  return { ...record, [key]: inner };
}

/** Fields of an EIP-712 domain. */
function fields(names: string): readonly Json[] {
  const types: Readonly<Record<string, string>> = { chainId: "uint256", verifyingContract: "address" };
  return names.split(" ").map((name) => ({ name, type: types[name] ?? "string" }));
}

function without({ ...value }: Json, name: string): Json {
  return Object.fromEntries(Object.entries(value).filter(([key]) => key !== name));
}

describe("permit verification", () => {
  const VALID: Readonly<Record<string, Json>> = { AUTHORIZATION, PERMIT, BATCH_WITH_CALLS, BATCH_WITH_VALUE };
  for (const [name, sign] of Object.entries(VALID)) {
    it(`accepts ${name}`, async () => {
      expect(await unmetOf(sign)).to.deep.equal([]);
      const domain = Object.keys(sign.domain as Json).join(" ");
      expect(await unmetOf(change(sign, "types.EIP712Domain", fields(domain)))).to.deep.equal([]);
    });
  }

  const ATTACKS: readonly (readonly [what: string, sign: Json, path: string, to: unknown, code: QuoteClaimCode])[] = [
    ["a transfer to a stranger", AUTHORIZATION, "value.to", ATTACKER, "PERMIT_SPENDER"],
    ["twice the amount", AUTHORIZATION, "value.value", "2000000", "PERMIT_AMOUNT"],
    ["a transfer from another account", AUTHORIZATION, "value.from", ATTACKER, "PERMIT_OWNER"],
    ["an authorization that never expires", AUTHORIZATION, "value.validBefore", 9e15, "PERMIT_DEADLINE"],
    ["an authorization that is not valid yet", AUTHORIZATION, "value.validAfter", NOW + 60, "PERMIT_DEADLINE"],
    ["another token", AUTHORIZATION, "domain.verifyingContract", ATTACKER, "PERMIT_DOMAIN"],
    ["another chain", AUTHORIZATION, "domain.chainId", 1, "PERMIT_DOMAIN"],
    ["a nonce with the wrong size", AUTHORIZATION, "value.nonce", "0x11", "PERMIT_TYPES"],
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
    ["a contract other than Permit2", BATCH_WITH_CALLS, "domain.verifyingContract", ATTACKER, "PERMIT_DOMAIN"],
    [
      "a hidden field",
      AUTHORIZATION,
      "types.TransferWithAuthorization.6",
      { name: "x", type: "uint256" },
      "PERMIT_TYPES",
    ],
    ["fields in another order", PERMIT, "types.Permit.0", { name: "spender", type: "address" }, "PERMIT_TYPES"],
    ["another message", PERMIT, "primaryType", "Order", "SIGNATURE_KNOWN"],
    ["types of an empty domain", PERMIT, "types.EIP712Domain", [], "PERMIT_TYPES"],
    ["domain types that are not a list", PERMIT, "types.EIP712Domain", {}, "PERMIT_TYPES"],
    ["domain types without a chain", PERMIT, "types.EIP712Domain", fields("name version"), "PERMIT_TYPES"],
    [
      "domain types with a salt",
      PERMIT,
      "types.EIP712Domain",
      [...fields("name version chainId verifyingContract"), { name: "salt", type: "bytes32" }],
      "PERMIT_TYPES",
    ],
    [
      "domain types in another order",
      PERMIT,
      "types.EIP712Domain",
      fields("version name chainId verifyingContract"),
      "PERMIT_TYPES",
    ],
    [
      "a version in the domain of Permit2",
      BATCH_WITH_CALLS,
      "types.EIP712Domain",
      fields("name version chainId verifyingContract"),
      "PERMIT_TYPES",
    ],
    ["a salt in the domain", PERMIT, "domain.salt", `0x${"12".repeat(32)}`, "PERMIT_DOMAIN"],
    ["an unknown field of the domain", AUTHORIZATION, "domain.network", "base", "PERMIT_DOMAIN"],
    ["a domain that is text", AUTHORIZATION, "domain", "USD Coin", "PERMIT_DOMAIN"],
    ["a domain without a chain", AUTHORIZATION, "domain", without(AUTHORIZATION.domain, "chainId"), "PERMIT_DOMAIN"],
    ["a domain without a version", PERMIT, "domain", without(PERMIT.domain, "version"), "PERMIT_DOMAIN"],
    ["a chain that is almost this chain", PERMIT, "domain.chainId", 8453.5, "PERMIT_DOMAIN"],
    ["a chain in hex", PERMIT, "domain.chainId", "0x2105", "PERMIT_DOMAIN"],
    ["a chain in a list", PERMIT, "domain.chainId", ["8453"], "PERMIT_DOMAIN"],
    ["a version of Permit2", BATCH_WITH_CALLS, "domain.version", "1", "PERMIT_DOMAIN"],
    ["another name of Permit2", BATCH_WITH_CALLS, "domain.name", "Permit3", "PERMIT_DOMAIN"],
    ["a second domain contract", BATCH_WITH_CALLS, "domain.verifyingContract", [PERMIT2_ADDRESS], "PERMIT_DOMAIN"],
    ["another member in the message", PERMIT, "value.amount", "1", "PERMIT_TYPES"],
    ["a message with a prototype", PERMIT, "value", JSON.parse(`{"__proto__":{}}`), "PERMIT_TYPES"],
    ["a message without a nonce", PERMIT, "value", without(PERMIT.value, "nonce"), "PERMIT_TYPES"],
    ["an amount in hex", PERMIT, "value.nonce", "0x7", "PERMIT_TYPES"],
    ["a nonce above 32 bytes", PERMIT, "value.nonce", `1${"0".repeat(78)}`, "PERMIT_TYPES"],
    ["another member in a permitted token", BATCH_WITH_CALLS, "value.permitted.0.extra", "1", "PERMIT_TYPES"],
    ["a witness with another member", BATCH_WITH_CALLS, "value.witness.extra", USER, "PERMIT_TYPES"],
    ["a stranger as relayer, with a value", BATCH_WITH_VALUE, "value.witness.relayer", ATTACKER, "PERMIT_WITNESS"],
    ["a refund of the value to a stranger", BATCH_WITH_VALUE, "value.witness.refundTo", ATTACKER, "PERMIT_WITNESS"],
    ["a value that is not a number", BATCH_WITH_VALUE, "value.witness.msgValue", "all", "PERMIT_TYPES"],
    ["a call without a target", BATCH_WITH_CALLS, "value.witness.call3Values", [{}], "PERMIT_TYPES"],
  ];
  for (const [what, sign, path, to, code] of ATTACKS) {
    it(`refuses ${what}`, async () => {
      const changed = change(sign, path, to);
      expect(await unmetOf(changed)).to.include(code);
      if (code === "PERMIT_TYPES" || path.startsWith("domain.salt")) {
        const [planned] = planSteps(permitQuote(changed).steps, 8453);
        const { code: thrown } = caught(() => toVerifiedTypedData(planned as PlannedSignature));
        expect(thrown).to.be.oneOf(["MALFORMED_DATA", "UNSUPPORTED_STEP"]);
      }
    });
  }

  it("rejects a same-chain batch without the calls", async () => {
    expect(await unmetOf(BATCH)).to.deep.equal(["PERMIT_WITNESS"]);
  });

  it("rejects a 32-byte digest and any text", async () => {
    for (const message of [`0x${"12".repeat(32)}`, REQUEST_ID, "Sign in"]) {
      expect(await unmetOf({ signatureKind: "eip191", message })).to.deep.equal(["SIGNATURE_KNOWN"]);
    }
  });

  // Approval proxy 3.2 accepts this signature, but no public page documents the step.
  it("rejects a signature for an EIP-3009 authorization's calls, and names it", async () => {
    const { spender } = BATCH_WITH_VALUE.value;
    const sign = {
      ...BATCH_WITH_VALUE,
      signatureKind: "eip712",
      domain: { name: "RelayApprovalProxy", version: "3.2", chainId: 8453, verifyingContract: spender },
      primaryType: "MulticallAuthorization",
      types: { MulticallAuthorization: fields("from relayer") },
      value: { from: USER, relayer: ATTACKER },
    };
    const quote = permitQuote(sign);
    const report = await verifyQuote({ request: PERMIT_REQUEST, quote, clock: { now: () => NOW * 1_000 } });
    const [unmet] = new QuoteRefusedError({ requestId: REQUEST_ID, report }).unmet;
    expect(unmet).to.include({ code: "SIGNATURE_KNOWN", seen: "MulticallAuthorization" });
    const [planned] = planSteps(quote.steps, 8453);
    const error = caught(() => toVerifiedTypedData(planned as PlannedSignature));
    expect(error).to.include({ code: "UNSUPPORTED_STEP", kind: "signature MulticallAuthorization" });
    // The corresponding authorization pays the approval proxy.
    expect(await unmetOf(change(AUTHORIZATION, "value.to", spender))).to.deep.equal(["PERMIT_SPENDER"]);
  });

  it("rejects every permit for a request without `usePermit`", async () => {
    const { usePermit: _, ...request } = PERMIT_REQUEST;
    for (const sign of Object.values(VALID)) {
      expect(await unmetOf(sign, POST, request)).to.deep.equal(["PERMIT_ASKED"]);
      expect(await unmetOf(sign, POST, { ...request, usePermit: false })).to.deep.equal(["PERMIT_ASKED"]);
    }
  });

  it("rejects another endpoint, method and request", async () => {
    for (const post of [
      { ...POST, endpoint: "/steal" },
      { ...POST, method: "GET" },
      { ...POST, body: { requestId: `0x${"cd".repeat(32)}` } },
    ]) {
      expect(await unmetOf(PERMIT, post)).to.deep.equal(["PERMIT_POST"]);
    }
  });
});
