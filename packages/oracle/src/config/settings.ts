import { availableParallelism } from "node:os";

import type { Hex } from "viem";

import {
  type Environment,
  readList,
  readNumber,
  readPositiveOrDefault,
  type ReportProblem,
  type Reports,
} from "./environment.ts";

export type SigningSettings =
  | { readonly module: "raw-private-key"; readonly privateKey: Hex }
  | { readonly module: "cloud-kms"; readonly keyId: string; readonly region: string };

export interface ApiKey {
  readonly key: string;
  readonly label: string;
}

/** Another oracle to request signatures from. */
export interface PeerSettings {
  /** Base URL without a trailing slash. */
  readonly baseUrl: string;
  /** API key to send; undefined to pass on the caller's key. */
  readonly apiKey: string | undefined;
}

/** Settings of the oracle. */
export interface OracleSettings {
  /** Name of the environment, which selects the chain files. */
  readonly environment: string;
  readonly signing: SigningSettings;
  /** API keys with their labels; undefined if every route is open. */
  readonly apiKeys: readonly ApiKey[] | undefined;
  readonly peers: readonly PeerSettings[];
  readonly peerTimeoutMs: number;
  /** Addresses of the signers that count, in lower case; undefined to wait for all peers. */
  readonly signers: readonly string[] | undefined;
  /** Sufficient number of signers. */
  readonly signersThreshold: number;
  readonly port: number;
  /** Number of processes that share the port. */
  readonly workers: number;
  /** Rate limit of requests without a valid key, per IP address. */
  readonly rateLimit: { readonly max: number; readonly windowMs: number };
  /** The running version, as in `/lives/v1`. */
  readonly version: string | undefined;
}

const WORKERS = { fallback: 1, min: 1, max: 256 };

const PASS_THROUGH = "pass-through";

/**
 * Reads the settings from environment variables. Problems contain the variable's name, but never its value.
 *
 * @param variables environment variables; empty variables count as unset
 */
export function readSettings(variables: Environment, { report, warn }: Reports): OracleSettings {
  const env = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ""));
  return {
    environment: readEnvironment(env, report),
    signing: readSigning(env, report),
    apiKeys: readApiKeys(env, { report, warn }),
    peers: readPeers(env, report),
    peerTimeoutMs: readNumber(env, "PEER_REQUEST_TIMEOUT_MS", { fallback: 5000, min: 1, max: 600_000 }, report),
    signers: env.ORACLE_SIGNERS === undefined ? undefined : readSigners(env, report),
    signersThreshold: readNumber(env, "ORACLE_SIGNERS_THRESHOLD", { fallback: 0, min: 0, max: 1000 }, report),
    port: readPort(env, report),
    workers: env.WORKERS === "auto" ? availableParallelism() : readNumber(env, "WORKERS", WORKERS, report),
    rateLimit: {
      max: readPositiveOrDefault(env, "UNAUTHENTICATED_RATE_LIMIT_MAX", 2),
      windowMs: readPositiveOrDefault(env, "UNAUTHENTICATED_RATE_LIMIT_WINDOW_MS", 1000),
    },
    version: env.IMAGE_TAG,
  };
}

function readEnvironment(env: Environment, report: ReportProblem): string {
  const environment = env.ENVIRONMENT ?? "";
  // The name becomes part of file names, so it must not contain a path.
  if (!/^[\w-]+(?:\.[\w-]+)*$/u.test(environment)) {
    const reason = environment === "" ? "it is not set" : "it is not a valid name";
    report("ENVIRONMENT", reason, "Set the name in configs/chains.<ENVIRONMENT>.json, for example localnet.");
  }
  return environment;
}

function readSigning(env: Environment, report: ReportProblem): SigningSettings {
  const module = env.SIGNING_MODULE ?? "raw-private-key";
  if (module === "cloud-kms" || module === "aws-kms") {
    const read = (name: string): string => {
      const value = env[`CLOUD_${name}`] ?? env[`AWS_${name}`];
      if (value === undefined) {
        report(`CLOUD_${name}`, "it is not set", "Set it, or sign with another SIGNING_MODULE.");
      }
      return value ?? "";
    };
    return { module: "cloud-kms", keyId: read("KMS_SIGNER_KEY_ID"), region: read("KMS_SIGNER_KEY_REGION") };
  }
  if (module !== "raw-private-key") {
    report("SIGNING_MODULE", "it is not a known module", "Set raw-private-key or cloud-kms.");
  }
  const digits = (env.ECDSA_PRIVATE_KEY ?? "").replace(/^0x/u, "");
  if (module === "raw-private-key" && !isPrivateKey(digits)) {
    const reason = digits === "" ? "it is not set" : "it is not a 32-byte private key";
    report("ECDSA_PRIVATE_KEY", reason, "Set 64 hexadecimal digits, with or without 0x.");
  }
  return { module: "raw-private-key", privateKey: `0x${digits}` };
}

const CURVE_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

function isPrivateKey(digits: string): boolean {
  if (!/^[0-9a-f]{64}$/iu.test(digits)) return false;
  const secret = BigInt(`0x${digits}`);
  return secret > 0n && secret < CURVE_ORDER;
}

function readApiKeys(env: Environment, { report, warn }: Reports): readonly ApiKey[] | undefined {
  if (env.API_KEYS === undefined) return undefined;
  const entries = readList(env, "API_KEYS");
  if (entries.length === 0) report("API_KEYS", "it contains no key", "Set <key>:<label>, or unset the variable.");
  return entries.flatMap((entry, index) => {
    const at = entry.indexOf(":");
    const [key, label] = at === -1 ? [entry, ""] : [entry.slice(0, at), entry.slice(at + 1)];
    if (key !== "" && label !== "") return [{ key, label }];
    const reason = "its key or its label is missing";
    warn(`API_KEYS, entry ${index + 1}`, reason, "Write it as <key>:<label>.");
    return [];
  });
}

function readPeers(env: Environment, report: ReportProblem): readonly PeerSettings[] {
  return readList(env, "PEERS").map((entry, index) => {
    const [url = "", key = "", ...others] = entry.split("|");
    const isHttp = /^https?:$/u.test(URL.canParse(url) ? new URL(url).protocol : "");
    if (!isHttp || key === "" || others.length > 0) {
      const hint = `Write it as <base URL>|<key>, or <base URL>|${PASS_THROUGH}.`;
      report(`PEERS, entry ${index + 1}`, "it is not an HTTP URL with a key", hint);
    }
    return { baseUrl: url.replace(/\/+$/u, ""), apiKey: key === PASS_THROUGH ? undefined : key };
  });
}

function readSigners(env: Environment, report: ReportProblem): readonly string[] {
  const signers = readList(env, "ORACLE_SIGNERS").map((signer, index) => {
    if (!/^0x[0-9a-f]{40}$/iu.test(signer)) {
      report(`ORACLE_SIGNERS, entry ${index + 1}`, "it is not an EVM address", "Write 0x and 40 hexadecimal digits.");
    }
    return signer.toLowerCase();
  });
  // A signer counts once, even if it is listed twice.
  return [...new Set(signers)];
}

/** Reads `HTTP_PORT`, or else `PORT`. */
function readPort(env: Environment, report: ReportProblem): number {
  const name = env.HTTP_PORT === undefined ? "PORT" : "HTTP_PORT";
  return readNumber(env, name, { fallback: 3000, min: 0, max: 65_535 }, report);
}
