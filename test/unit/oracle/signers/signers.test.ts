import { createPublicKey, sign as signData } from "node:crypto";

import { expect } from "chai";
import { SigningKey, computeAddress } from "ethers";
import fc from "fast-check";
import { bytesToHex, type Hex, hexToBytes, recoverAddress } from "viem";

import { InvalidStateError, MalformedDataError } from "../../../../packages/protocol/src/core/errors.ts";
import { createSigner } from "../../../../packages/oracle/src/signers/createSigner.ts";
import { createKmsSigner } from "../../../../packages/oracle/src/signers/kmsSigner.ts";
import { KeyService, keyOf, signDigest } from "../../../support/keyService.ts";
import { malformed } from "../../protocol/everyField.ts";
import { readPublicKey, readSignature } from "../../../../packages/oracle/src/signers/der.ts";

const KEY: Hex = `0x${"4c".repeat(32)}`;
const ADDRESS = computeAddress(KEY).toLowerCase();
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const digestOf = (index: number): Hex => `0x${index.toString(16).padStart(64, "7")}`;

describe("a signer with a private key", () => {
  it("signs as any RFC 6979 signer does, in lowercase", async () => {
    const signer = await createSigner({ module: "raw-private-key", privateKey: KEY });
    expect(signer.address).to.equal(ADDRESS);
    for (let index = 0; index < 8; index++) {
      const signature = await signer.sign(digestOf(index));
      expect(signature).to.equal(new SigningKey(KEY).sign(digestOf(index)).serialized);
      expect(await signer.sign(digestOf(index))).to.equal(signature);
    }
  });

  it("signs any digest with any key as ethers does", async () => {
    const word = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => bytesToHex(bytes));
    await fc.assert(
      fc.asyncProperty(word.filter(isPrivateKey), word, async (privateKey, digest) => {
        const signer = await createSigner({ module: "raw-private-key", privateKey });
        expect(await signer.sign(digest)).to.equal(new SigningKey(privateKey).sign(digest).serialized);
      }),
      { numRuns: 200 },
    );
  });
});

/** Generates keys from 1 to the order of the secp256k1 curve, exclusive. */
function isPrivateKey(key: Hex): boolean {
  return BigInt(key) > 0n && BigInt(key) < 2n * HALF + 1n;
}

describe("a signer with a key service", () => {
  const key = keyOf(KEY);
  const options = { keyId: "alias/oracle", region: "eu-west-1" };
  let service: KeyService;

  before(async () => {
    service = await KeyService.start(KEY);
  });
  beforeEach(() => {
    service.calls.length = 0;
    service.answer = undefined;
  });
  after(() => service.close());

  it("requests the public key only once, and signs digests", async () => {
    const signer = await createSigner({ module: "cloud-kms", ...options });
    expect(signer.address).to.equal(ADDRESS);
    for (let index = 0; index < 8; index++) {
      const signature = await signer.sign(digestOf(index));
      expect((await recoverAddress({ hash: digestOf(index), signature })).toLowerCase()).to.equal(ADDRESS);
      expect(BigInt(`0x${signature.slice(66, 130)}`) <= HALF).to.equal(true);
      expect(["1b", "1c"]).to.include(signature.slice(130));
    }
    expect(service.calls.map(({ target }) => target)).to.deep.equal(["GetPublicKey", ...Array<string>(8).fill("Sign")]);
    expect(service.calls[1]?.body).to.deep.equal({
      KeyId: "alias/oracle",
      Message: Buffer.from(hexToBytes(digestOf(0))).toString("base64"),
      MessageType: "DIGEST",
      SigningAlgorithm: "ECDSA_SHA_256",
    });
  });

  it("fails if the service rejects the request, returns no signature, or signs with another key", async () => {
    const failureOf = async (work: () => Promise<unknown>): Promise<unknown> => {
      try {
        return await work();
      } catch (error) {
        return error;
      }
    };
    const refusal = { status: 400, body: { __type: "AccessDeniedException", message: "no" } };
    const signer = await createKmsSigner(options);
    service.answer = () => refusal;
    expect(await failureOf(() => createKmsSigner(options))).to.be.instanceOf(InvalidStateError);
    expect(await failureOf(() => signer.sign(digestOf(1)))).to.have.property("name", "AccessDeniedException");
    service.answer = () => ({ status: 200, body: {} });
    expect(await failureOf(() => createKmsSigner(options))).to.be.instanceOf(InvalidStateError);
    expect(await failureOf(() => signer.sign(digestOf(1)))).to.be.instanceOf(InvalidStateError);
    const foreign = signData("sha256", Buffer.from("another message"), key).toString("base64");
    service.answer = () => ({ status: 200, body: { Signature: foreign } });
    expect(await failureOf(() => signer.sign(digestOf(1)))).to.be.instanceOf(InvalidStateError);
  });

  it("parses DER strictly", () => {
    const point = Buffer.from(hexToBytes(SigningKey.computePublicKey(KEY, false) as Hex));
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    expect(Buffer.from(readPublicKey(publicKey))).to.deep.equal(point);
    const otherCurve = Buffer.from(publicKey);
    otherCurve[22] = 0x0b;
    const signature = signDigest(key, Buffer.alloc(32, 1).toString("base64"));
    for (const bad of [
      () => readPublicKey(otherCurve),
      () => readPublicKey(publicKey.subarray(0, -1)),
      () => readPublicKey(new Uint8Array()),
      () => readSignature(Buffer.concat([signature, Buffer.of(0)])),
      () => readSignature(signature.subarray(0, -1)),
      () => readSignature(publicKey),
      () => readSignature(Buffer.of(0x30, 0x84)),
    ]) {
      expect(malformed(bad)).to.be.instanceOf(MalformedDataError);
    }
  });
});
