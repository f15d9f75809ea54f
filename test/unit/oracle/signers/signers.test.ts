import { createPrivateKey, createPublicKey, sign as signData, type KeyObject } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { expect } from "chai";
import { SigningKey, computeAddress } from "ethers";
import { type Hex, bytesToHex, hexToBytes, recoverAddress } from "viem";

import { InvalidStateError, MalformedDataError } from "../../../../src/core/errors.ts";
import { createSigner } from "../../../../src/oracle/signers/createSigner.ts";
import { createKmsSigner } from "../../../../src/oracle/signers/kmsSigner.ts";
import { malformed } from "../../protocol/everyField.ts";
import { readPublicKey, readSignature } from "../../../../src/oracle/signers/der.ts";

const KEY: Hex = `0x${"4c".repeat(32)}`;
const ADDRESS = computeAddress(KEY).toLowerCase();
const HALF = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const digestOf = (index: number): Hex => `0x${index.toString(16).padStart(64, "7")}`;

describe("a signer with a private key", () => {
  it("signs as any RFC 6979 signer, in lower case", async () => {
    const signer = await createSigner({ module: "raw-private-key", privateKey: KEY });
    expect(signer.address).to.equal(ADDRESS);
    for (let index = 0; index < 8; index++) {
      const signature = await signer.sign(digestOf(index));
      expect(signature).to.equal(new SigningKey(KEY).sign(digestOf(index)).serialized);
      expect(await signer.sign(digestOf(index))).to.equal(signature);
    }
  });
});

/** Speaks the JSON protocol of the key service, with a real key of the curve. */
class KeyService {
  readonly calls: { target: string; body: Record<string, unknown> }[] = [];
  answer: ((target: string) => { status: number; body: unknown } | undefined) | undefined;
  readonly #key: KeyObject;
  readonly #server: Server;

  constructor(key: KeyObject) {
    this.#key = key;
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const target = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
        const body = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        this.calls.push({ target, body });
        const { status, body: answer } = this.answer?.(target) ?? { status: 200, body: this.#serve(target, body) };
        response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
      });
    });
  }

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #serve(target: string, body: Record<string, unknown>): unknown {
    if (target === "GetPublicKey") {
      const der = createPublicKey(this.#key).export({ type: "spki", format: "der" });
      return { KeyId: body.KeyId, PublicKey: der.toString("base64") };
    }
    return { KeyId: body.KeyId, Signature: signDigest(this.#key, String(body.Message)).toString("base64") };
  }
}

/** A DER signature over a digest as it is; with s in either half, as the key service gives it. */
function signDigest(key: KeyObject, digestBase64: string): Buffer {
  const jwk = key.export({ format: "jwk" });
  const secret: Hex = bytesToHex(Buffer.from(jwk.d ?? "", "base64url"));
  const digest = Buffer.from(digestBase64, "base64");
  const { r, s } = new SigningKey(secret).sign(digest);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const upper = (digest[31] ?? 0) % 2 === 0 ? BigInt(s) : order - BigInt(s);
  const integer = (value: bigint): Buffer => {
    const hex = value.toString(16).padStart(64, "0");
    const bytes = Buffer.from(hex, "hex");
    const signed = (bytes[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.of(0), bytes]) : bytes;
    return Buffer.concat([Buffer.of(2, signed.length), signed]);
  };
  const numbers = Buffer.concat([integer(BigInt(r)), integer(upper)]);
  return Buffer.concat([Buffer.of(0x30, numbers.length), numbers]);
}

describe("a signer with a key service", () => {
  const publicPoint = Buffer.from(hexToBytes(SigningKey.computePublicKey(KEY, false) as Hex));
  const key = createPrivateKey({
    key: {
      kty: "EC",
      crv: "secp256k1",
      d: Buffer.from(hexToBytes(KEY)).toString("base64url"),
      x: publicPoint.subarray(1, 33).toString("base64url"),
      y: publicPoint.subarray(33).toString("base64url"),
    },
    format: "jwk",
  });
  const options = { keyId: "alias/oracle", region: "eu-west-1" };
  const variables = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_MAX_ATTEMPTS: "1" };
  const before_: Record<string, string | undefined> = {};
  let service: KeyService;

  before(async () => {
    service = new KeyService(key);
    const url = await service.listen();
    for (const [name, value] of Object.entries({ ...variables, AWS_ENDPOINT_URL_KMS: url })) {
      before_[name] = process.env[name];
      process.env[name] = value;
    }
  });
  beforeEach(() => {
    service.calls.length = 0;
    service.answer = undefined;
  });
  after(async () => {
    for (const [name, value] of Object.entries(before_)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    await service.close();
  });

  it("asks for the public key once, and has digests signed", async () => {
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

  it("fails where the service refuses, gives nothing, or signs with another key", async () => {
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

  it("reads DER strictly", () => {
    const publicKey = createPublicKey(key).export({ type: "spki", format: "der" });
    expect(Buffer.from(readPublicKey(publicKey))).to.deep.equal(publicPoint);
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
