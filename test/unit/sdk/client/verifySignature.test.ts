import { expect } from "chai";
import { createPublicClient, http, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { LOCAL_SOLVER_ADDRESS } from "../../../../packages/protocol/src/chains/serviceAddresses.ts";
import { createServiceClient } from "../../../../packages/sdk/src/client/client.ts";
import {
  verifySignature,
  type VerifySignatureParameters,
} from "../../../../packages/sdk/src/client/verifySignature.ts";
import { hashRequest, type SignedRequestData } from "../../../../packages/protocol/src/request/requestSignature.ts";
import { serviceTrust } from "../../../../packages/sdk/src/verify/trust.ts";
import { liveSignature } from "../../../support/signatureVector.ts";
import { factsOf, rejected } from "../../../support/rejection.ts";
import { chainEntry, SVM_USDC, USER } from "../../protocol/fixtures.ts";
import { freeUrl, useService } from "./service.ts";

const { requestId, requestData, signature } = liveSignature;
const SOLVER = "0xf70da97812CB96acDF810712Aa562db8dfA3dbEF";
const evmChain = { ...chainEntry, id: 1, solverAddresses: [liveSignature.signer] };
const stranger = privateKeyToAccount(`0x${"01".repeat(32)}`);

describe("verifySignature", () => {
  const service = useService();
  const verify = (parameters: Partial<VerifySignatureParameters> = {}) =>
    verifySignature(createServiceClient({ baseUrl: service.url }), { requestId, ...parameters });
  const signedBy = async (data: SignedRequestData, account = stranger) => ({
    requestData: data,
    signature: await account.signMessage({ message: { raw: hashRequest(requestId, data) } }),
  });

  beforeEach(() => {
    service.answers = () => ({ json: { requestData, signature } });
  });

  it("recovers the solver wallet from a signature by the live service", async () => {
    expect(await verify()).to.deep.equal({
      isValid: true,
      requestId,
      signed: { requestData, signature },
      offChain: { check: "off-chain", isPassed: true, signer: SOLVER, expectedSigners: [SOLVER] },
      onChain: undefined,
      differences: [],
    });
    expect(service.calls.map(({ url }) => url)).to.deep.equal([`/requests/${requestId}/signature`]);
  });

  it("sends no requests if all data is given", async () => {
    const { isValid } = await verify({ signed: { requestData, signature }, expectedSigners: [liveSignature.signer] });
    expect([isValid, service.calls]).to.deep.equal([true, []]);
  });

  it("reports an unexpected signer", async () => {
    const { isValid, offChain } = await verify({ signed: await signedBy(requestData) });
    expect([isValid, offChain]).to.deep.equal([
      false,
      { check: "off-chain", isPassed: false, signer: stranger.address, expectedSigners: [SOLVER] },
    ]);
  });

  it("recovers another signer if the signed data differs", async () => {
    const changed = { ...requestData, destinationUser: USER };
    const { isValid, offChain } = await verify({ signed: { requestData: changed, signature } });
    expect(isValid).to.equal(false);
    expect(offChain.signer).not.to.equal(SOLVER);
  });

  it("returns no signer for an invalid signature", async () => {
    const { isValid, offChain } = await verify({ signed: { requestData, signature: `0x${"ff".repeat(65)}` } });
    expect([isValid, offChain.signer, offChain.isPassed]).to.deep.equal([false, undefined, false]);
  });

  it("reports each unexpected field, ignoring the letter case of addresses", async () => {
    const { originUser, ...rest } = requestData;
    const same = await verify({ expected: { ...rest, originUser: originUser.toLowerCase() } });
    expect([same.isValid, same.differences]).to.deep.equal([true, []]);
    const { isValid, differences } = await verify({
      expected: { originAmount: "1", destinationChainId: 10, destinationUser: USER, originChainId: 1 },
    });
    expect([isValid, differences]).to.deep.equal([
      false,
      [
        { field: "originAmount", expected: "1", signed: requestData.originAmount },
        { field: "destinationChainId", expected: 10, signed: requestData.destinationChainId },
        { field: "destinationUser", expected: USER, signed: requestData.destinationUser },
      ],
    ]);
  });

  it("encodes SVM users and currencies as 32 bytes", async () => {
    const data = {
      ...requestData,
      originChainId: 792_703_809,
      originUser: "DYw8jCTfwHNRJhhmFcbXvVDTqWMEVFBX6ZKUmG5CNSKK",
      originCurrency: SVM_USDC,
    };
    const { offChain } = await verify({ signed: await signedBy(data), expectedSigners: [stranger.address] });
    expect(offChain.isPassed).to.equal(true);
    const sameLetters = { ...data, originCurrency: SVM_USDC.toLowerCase() };
    const { differences } = await verify({ signed: await signedBy(data), expected: sameLetters });
    expect(differences.map(({ field }) => field)).to.deep.equal(["originCurrency"]);
  });

  describe("expects the pinned solvers", () => {
    const signersFor = async (data: Partial<SignedRequestData>, parameters: Partial<VerifySignatureParameters> = {}) =>
      (await verify({ signed: await signedBy({ ...requestData, ...data }), ...parameters })).offChain.expectedSigners;
    const trust = {
      1: { name: "ethereum", depositories: [], solvers: [SOLVER] },
      10: { name: "optimism", depositories: [], solvers: [SOLVER, stranger.address] },
      792_703_809: { name: "solana", depositories: [], solvers: [SVM_USDC] },
    };

    it("of the request's chains only, if they have EVM addresses", async () => {
      expect(await signersFor({})).to.deep.equal([SOLVER]);
      expect(await signersFor({ destinationChainId: 10 }, { trust })).to.deep.equal([SOLVER, stranger.address]);
      expect(await signersFor({ destinationChainId: 792_703_809 }, { trust })).to.deep.equal([SOLVER]);
      expect(service.calls).to.deep.equal([]);
    });

    it("and not the wallets that the service reports", async () => {
      service.answers = ({ url }) => ({
        json: url === "/chains" ? { chains: [{ ...evmChain, solverAddresses: [stranger.address] }] } : {},
      });
      const { isValid, offChain } = await verify({ signed: await signedBy(requestData) });
      expect([isValid, offChain.expectedSigners]).to.deep.equal([false, [SOLVER]]);
    });

    it("and the solver of local networks, whose key is public, only for a service on this machine", async () => {
      const local = { originChainId: 31_337, destinationChainId: 31_338 };
      expect(await signersFor(local)).to.deep.equal([LOCAL_SOLVER_ADDRESS]);
      const signed = await signedBy({ ...requestData, ...local });
      const remote = createServiceClient({ baseUrl: "https://api.example" });
      expect((await rejected(verifySignature(remote, { requestId, signed }))).code).to.equal("INVALID_STATE");
      const { offChain } = await verifySignature(remote, { requestId, signed, trust: serviceTrust });
      expect(offChain.expectedSigners).to.deep.equal([LOCAL_SOLVER_ADDRESS]);
    });

    it("and fails without a pinned address", async () => {
      expect((await rejected(verify({ trust: {} }))).code).to.equal("INVALID_STATE");
    });
  });

  describe("rejects", () => {
    const refused: [string, Partial<VerifySignatureParameters>, string][] = [
      ["an invalid id", { requestId: "0x01" }, "requestId"],
      [
        "an invalid user",
        { signed: { requestData: { ...requestData, originUser: "me" }, signature } },
        "requestData.originUser",
      ],
      ["an invalid signer", { expectedSigners: [SOLVER, "0x01"] }, "expectedSigners[1]"],
    ];
    for (const [name, parameters, field] of refused) {
      it(name, async () => {
        expect(factsOf(await rejected(verify(parameters)))).to.include({ code: "INVALID_INPUT", field });
      });
    }
  });

  it("rejects an unknown receiver chain", async () => {
    const client = createPublicClient({ transport: http(await freeUrl(), { retryCount: 0 }) });
    const error = await rejected(verify({ receiver: { address: zeroAddress, client } }));
    expect(factsOf(error)).to.deep.equal({ code: "CHAIN_ERROR", chainId: undefined });
  });

  it("stops if the signal aborts", async () => {
    const error = await rejected(verify({ signal: AbortSignal.abort() }));
    expect([error.code, service.calls]).to.deep.equal(["ABORTED", []]);
  });
});
