import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";

import { SigningKey } from "ethers";
import { type Hex, bytesToHex, hexToBytes } from "viem";

import { FakeServer, type Listener } from "./httpServer.ts";

/** Returns a private key as a Node `KeyObject`. */
export function keyOf(privateKey: Hex): KeyObject {
  const point = Buffer.from(hexToBytes(SigningKey.computePublicKey(privateKey, false) as Hex));
  return createPrivateKey({
    key: {
      kty: "EC",
      crv: "secp256k1",
      d: Buffer.from(hexToBytes(privateKey)).toString("base64url"),
      x: point.subarray(1, 33).toString("base64url"),
      y: point.subarray(33).toString("base64url"),
    },
    format: "jwk",
  });
}

const ENDPOINT = "AWS_ENDPOINT_URL_KMS";
const VARIABLES = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret", AWS_MAX_ATTEMPTS: "1" };

/** Implements the key service's JSON protocol, with a real secp256k1 key. */
export class KeyService extends FakeServer {
  readonly calls: { target: string; body: Record<string, unknown> }[] = [];
  answer: ((target: string) => { status: number; body: unknown } | undefined) | undefined;
  readonly #key: KeyObject;
  readonly #environment: Readonly<Record<string, string | undefined>>;

  private constructor(key: KeyObject) {
    super();
    this.#key = key;
    this.#environment = Object.fromEntries(
      [...Object.keys(VARIABLES), ENDPOINT].map((name) => [name, process.env[name]]),
    );
  }

  /** Starts the service. The client's environment variables contain the service's URL until the service is closed. */
  static async start(privateKey: Hex): Promise<KeyService> {
    const service = new KeyService(keyOf(privateKey));
    await service.listen((...call) => service.#respond(...call));
    Object.assign(process.env, VARIABLES, { [ENDPOINT]: service.url });
    return service;
  }

  override close(): Promise<void> {
    for (const [name, value] of Object.entries(this.#environment)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
    return super.close();
  }

  #respond(...[request, response, text]: Parameters<Listener>): void {
    const target = String(request.headers["x-amz-target"]).split(".")[1] ?? "";
    const body = JSON.parse(text) as Record<string, unknown>;
    this.calls.push({ target, body });
    const { status, body: answer } = this.answer?.(target) ?? { status: 200, body: this.#serve(target, body) };
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(answer));
  }

  #serve(target: string, body: Record<string, unknown>): unknown {
    if (target === "GetPublicKey") {
      const der = createPublicKey(this.#key).export({ type: "spki", format: "der" });
      return { KeyId: body.KeyId, PublicKey: der.toString("base64") };
    }
    return { KeyId: body.KeyId, Signature: signDigest(this.#key, String(body.Message)).toString("base64") };
  }
}

/**
 * Returns a DER signature over a digest, without hashing it again. Its s can be in either half of the range, as in
 * the key service's responses.
 */
export function signDigest(key: KeyObject, digestBase64: string): Buffer {
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
