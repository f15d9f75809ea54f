import { createHmac, timingSafeEqual } from "node:crypto";

/** Lifetime of a token in seconds, the same as on the live service. */
const LIFETIME_SECONDS = 900;

const HEADER = encode({ alg: "HS256", typ: "JWT" });

interface Claims {
  /** Hash of the API key. */
  readonly sub: string;
  readonly scope: "public-api";
  /** Unix seconds. */
  readonly iat: number;
  readonly exp: number;
}

export interface MintedToken {
  readonly token: string;
  readonly expiresAt: Date;
}

/** Creates a token that represents an API key for 15 minutes. */
export function mintAccessToken(keyHash: string, secret: string, nowMs: number): MintedToken {
  const iat = Math.floor(nowMs / 1_000);
  const exp = iat + LIFETIME_SECONDS;
  const claims: Claims = { sub: keyHash, scope: "public-api", iat, exp };
  const signed = `${HEADER}.${encode(claims)}`;
  return { token: `${signed}.${sign(signed, secret)}`, expiresAt: new Date(exp * 1_000) };
}

/**
 * Returns the hash of the API key that a token represents, or undefined if the token is expired or from another
 * network.
 */
export function readAccessToken(token: string, secret: string, nowMs: number): string | undefined {
  const [header = "", body = "", signature = ""] = token.split(".");
  const expected = Buffer.from(sign(`${header}.${body}`, secret));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const { sub, exp } = JSON.parse(Buffer.from(body, "base64url").toString()) as Claims;
  return nowMs < exp * 1_000 ? sub : undefined;
}

/** Returns whether a bearer token is an access token rather than an API key. */
export function isAccessToken(bearer: string): boolean {
  return /^eyJ[\w-]*\.[\w-]+\.[\w-]+$/u.test(bearer);
}

function sign(text: string, secret: string): string {
  return createHmac("sha256", `access token ${secret}`).update(text).digest("base64url");
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
