import { readFileSync } from "node:fs";

import { expect } from "chai";
import { keccak256, stringToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import {
  verifySignatureV2,
  type VerifySignatureV2Parameters,
} from "../../../../packages/sdk/src/client/verifySignature.ts";
import { hashRequestV2, type SignedRequestDataV2 } from "../../../../packages/protocol/src/request/requestSignature.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { USDC, USER } from "../../protocol/fixtures.ts";
import { useService } from "./service.ts";

const solver = privateKeyToAccount(`0x${"01".repeat(32)}`);
const requestId = `0x${"12".repeat(32)}` as const;
const requestData = {
  originChainId: 8453,
  originUser: USER,
  originCurrency: USDC,
  destinationChainId: 10,
  destinationUser: USER,
  destinationCurrency: USDC,
};
const { requests } = JSON.parse(
  readFileSync(new URL("../../../vectors/request-digests-v2.json", import.meta.url), "utf8"),
) as { readonly requests: readonly [{ readonly signer: string }] };

describe("verifySignatureV2", () => {
  const service = useService();
  const client = () => createServiceClient({ baseUrl: service.url });
  const expectedSigners = [solver.address];
  const verify = (parameters: Partial<VerifySignatureV2Parameters> = {}) =>
    verifySignatureV2(client(), { requestId, expectedSigners, ...parameters });
  const signedBySolver = async (data: SignedRequestDataV2, words = {}) => ({
    requestData: data,
    signature: await solver.signMessage({ message: { raw: hashRequestV2(requestId, data, words) } }),
  });

  beforeEach(async () => {
    const json = await signedBySolver(requestData);
    service.answers = () => ({ json });
  });

  it("fetches version 2 and recovers its signer", async () => {
    expect(await verify()).to.deep.equal({
      isValid: true,
      requestId,
      signed: await signedBySolver(requestData),
      offChain: { check: "off-chain", isPassed: true, signer: solver.address, expectedSigners },
      differences: [],
    });
    expect(service.calls.map(({ url }) => url)).to.deep.equal([`/requests/${requestId}/signature/v2`]);
  });

  it("expects the pinned solvers by default", async () => {
    const { isValid, offChain } = await verifySignatureV2(client(), {
      requestId,
      trust: { 10: { name: "optimism", depositories: [], solvers: [requests[0].signer] } },
    });
    expect([isValid, offChain.isPassed, offChain.signer]).to.deep.equal([false, false, solver.address]);
    const trust = { 10: { name: "optimism", depositories: [], solvers: [solver.address] } };
    expect((await verifySignatureV2(client(), { requestId, trust })).isValid).to.equal(true);
    expect((await rejected(verifySignatureV2(client(), { requestId, trust: {} }))).code).to.equal("INVALID_STATE");
  });

  it("reports each field that differs from the expected value", async () => {
    const { isValid, differences } = await verify({ expected: { ...requestData, destinationCurrency: USER } });
    expect([isValid, differences]).to.deep.equal([
      false,
      [{ field: "destinationCurrency", expected: USER, signed: USDC }],
    ]);
  });

  it("verifies the words that the caller passes for Bitcoin, and requires them", async () => {
    const data = {
      ...requestData,
      destinationChainId: 8_253_038,
      destinationUser: "bc1quser",
      destinationCurrency: "bc1qcoin",
    };
    const words = {
      destinationUser: keccak256(stringToBytes("bc1quser")),
      destinationCurrency: keccak256(stringToBytes("bc1qcoin")),
    };
    const signed = await signedBySolver(data, words);
    expect((await verify({ signed, words })).isValid).to.equal(true);
    const others = { ...words, destinationUser: words.destinationCurrency };
    expect((await verify({ signed, words: others })).isValid).to.equal(false);
    expect(factsOf(await rejected(verify({ signed })))).to.include({
      code: "INVALID_INPUT",
      field: "requestData.destinationUser",
    });
    expect(service.calls).to.deep.equal([]);
  });

  it("returns no signer for an invalid signature", async () => {
    const { isValid, offChain } = await verify({ signed: { requestData, signature: `0x${"ff".repeat(65)}` } });
    expect([isValid, offChain.signer]).to.deep.equal([false, undefined]);
  });

  it("stops if the signal aborts", async () => {
    const error = await rejected(verify({ signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
