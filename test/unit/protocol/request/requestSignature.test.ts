import { readFileSync } from "node:fs";

import { expect } from "chai";
import { concat, keccak256, pad, toHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { InvalidInputError } from "../../../../packages/protocol/src/core/errors.ts";
import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import {
  RequestSignatureSchema,
  type SignedRequestData,
  hashRequest,
  recoverRequestSigner,
} from "../../../../packages/protocol/src/request/requestSignature.ts";
import { liveSignature, type SignatureVector } from "../../../support/signatureVector.ts";
import { checkEveryField, malformed } from "../everyField.ts";
import { SVM_USDC } from "../fixtures.ts";

const { requestId, requestData, signature } = liveSignature;

interface DigestVector extends SignatureVector {
  name: string;
  words: `0x${string}`[];
  digest: string;
}

const { requests } = JSON.parse(
  readFileSync(new URL("../../../vectors/request-digests.json", import.meta.url), "utf8"),
) as { requests: DigestVector[] };

async function signerOf(changes: Partial<Parameters<typeof recoverRequestSigner>[0]>): Promise<string> {
  return (await recoverRequestSigner({ requestId, requestData, signature, ...changes })).toLowerCase();
}

async function rejectedField(changes: Parameters<typeof signerOf>[0]): Promise<string> {
  try {
    await signerOf(changes);
  } catch (error) {
    expect(error).to.be.instanceOf(InvalidInputError);
    return (error as InvalidInputError).field;
  }
  throw new Error("nothing was thrown");
}

describe("a request signature", () => {
  it("from the live service recovers to the service's solver wallet", async () => {
    expect(await signerOf({})).to.equal(liveSignature.signer);
  });

  it("covers every field", async () => {
    const other = "0x0000000000000000000000000000000000000001";
    const changes: Partial<SignedRequestData>[] = [
      { originChainId: 2 },
      { originUser: other },
      { originCurrency: other },
      { originAmount: "700000000000000001" },
      { destinationChainId: 7_777_778 },
      { destinationUser: other },
    ];
    expect(changes.flatMap(Object.keys).sort()).to.deep.equal(Object.keys(requestData).sort());
    for (const change of changes) {
      expect(await signerOf({ requestData: { ...requestData, ...change } })).not.to.equal(liveSignature.signer);
    }
    expect(await signerOf({ requestId: `0x${"11".repeat(32)}` })).not.to.equal(liveSignature.signer);
  });

  it("covers seven words, with addresses padded on the left", () => {
    const words = [
      requestId as `0x${string}`,
      toHex(1, { size: 32 }),
      pad("0xf3d63166f0ca56c3c1a3508fce03ff0cf3fb691e"),
      pad("0x"),
      toHex(700000000000000000n, { size: 32 }),
      toHex(7_777_777, { size: 32 }),
      pad("0xf3d63166f0ca56c3c1a3508fce03ff0cf3fb691e"),
    ];
    expect(hashRequest(requestId, requestData)).to.equal(keccak256(concat(words)));
  });

  it("matches the vectors that the contracts' tests also read", async () => {
    expect(requests).to.have.length(5);
    for (const { name, words, digest, signer, ...signed } of requests) {
      expect([name, hashRequest(signed.requestId, signed.requestData)]).to.deep.equal([name, digest]);
      expect([name, keccak256(concat(words))]).to.deep.equal([name, digest]);
      expect([name, await signerOf(signed)]).to.deep.equal([name, signer]);
    }
  });

  it("encodes an SVM user as its 32 bytes", async () => {
    const account = privateKeyToAccount(`0x${"01".repeat(32)}`);
    const svmData = { ...requestData, destinationUser: SVM_USDC };
    const publicKey = "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61";
    expect(hashRequest(requestId, svmData)).to.equal(
      hashRequest(requestId, { ...requestData, destinationUser: publicKey }),
    );
    const raw = hashRequest(requestId, svmData);
    const signed = await account.signMessage({ message: { raw } });
    expect(await signerOf({ requestData: svmData, signature: signed })).to.equal(account.address.toLowerCase());
  });

  it("reports the invalid field", async () => {
    expect(await rejectedField({ requestId: "0x1234" })).to.equal("requestId");
    expect(await rejectedField({ signature: signature.slice(0, -2) })).to.equal("signature");
    expect(await rejectedField({ signature: `0x${"ff".repeat(65)}` })).to.equal("signature");
    expect(await rejectedField({ requestData: { ...requestData, originUser: "me" } })).to.equal(
      "requestData.originUser",
    );
    expect(await rejectedField({ requestData: { ...requestData, originAmount: "1.5" } })).to.equal(
      "requestData.originAmount",
    );
  });

  it("is rejected unless its response has all fields and a 65-byte signature", () => {
    checkEveryField(RequestSignatureSchema, { requestData, signature }, []);
    const short = { requestData, signature: signature.slice(0, -2) };
    expect(malformed(() => parseData(RequestSignatureSchema, short, "it")).path).to.equal("signature");
  });
});
