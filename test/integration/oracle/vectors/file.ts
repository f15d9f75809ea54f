import type { Hex } from "viem";

import type { ChainConfig, HubConfig } from "../../../../packages/oracle/src/chainFiles.ts";
import { createOracleLog } from "../../../../packages/oracle/src/log.ts";
import { type Oracle, startOracle } from "../../../../packages/oracle/src/startOracle.ts";
import type { RecordedResponse, RecordedCall } from "../support/recordedServer.ts";

/** Request to the oracle, and its full response. */
export interface Vector {
  readonly name: string;
  /** Path below `/attestations/`. */
  readonly route: string;
  /** Value of the `x-api-key` header. Defaults to the first configured key. */
  readonly apiKey?: string;
  readonly request: object;
  readonly status: number;
  readonly answer: object;
  /** Upstream exchanges that the oracle reads, as indexes in `exchanges`. */
  readonly reads: readonly number[];
}

/** Request to an upstream service, and its response. */
export interface Exchange {
  /** URL path, followed by the JSON-RPC method and parameters, or by the HTTP method and the body. */
  readonly call: string;
  readonly status?: number;
  readonly answer: unknown;
}

/** Contents of `test/vectors/oracle.json`. */
export interface VectorFile {
  readonly privateKey: Hex;
  /** Unix milliseconds. */
  readonly clock: number;
  readonly apiKeys: readonly string[];
  /** Chains with URLs that start with `http://upstream`. */
  readonly chains: readonly ChainConfig[];
  readonly hub: HubConfig;
  readonly exchanges: readonly Exchange[];
  readonly vectors: readonly Vector[];
}

/** Part of the vector file that configures the oracle. */
export type VectorSetup = Omit<VectorFile, "exchanges" | "vectors">;

/** Starts the oracle that the file configures, with an upstream server. */
export function startVectorOracle(setup: VectorSetup, upstreamUrl: string): Promise<Oracle> {
  const reachable = JSON.parse(JSON.stringify(setup).replaceAll("http://upstream", upstreamUrl)) as VectorSetup;
  return startOracle(
    {
      settings: {
        environment: "test",
        signing: { module: "raw-private-key", privateKey: setup.privateKey },
        apiKeys: setup.apiKeys.map((key) => ({ key, label: "vectors" })),
        peers: [],
        peerTimeoutMs: 2_000,
        signers: undefined,
        signersThreshold: 0,
        port: 0,
        workers: 1,
        rateLimit: { max: 100_000, windowMs: 1_000 },
        version: undefined,
      },
      chains: reachable.chains,
      hub: reachable.hub,
    },
    { log: createOracleLog("silent"), clock: { now: () => setup.clock } },
  );
}

/** Sends a vector's request. */
export async function askVector(
  oracle: Pick<Oracle, "url">,
  { apiKeys }: VectorSetup,
  { route, apiKey = apiKeys[0] ?? "", request }: Pick<Vector, "apiKey" | "request" | "route">,
): Promise<Pick<Vector, "answer" | "status">> {
  const response = await fetch(`${oracle.url}/attestations/${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": apiKey },
    body: JSON.stringify(request),
  });
  return { status: response.status, answer: (await response.json()) as object };
}

interface JsonRpcCall {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
}

/** Handles each JSON-RPC request separately, even in a batch, and any other request as a whole. */
export function respondBy(answer: (call: string) => Omit<Exchange, "call">) {
  return ({ method: verb, path, body }: RecordedCall): RecordedResponse => {
    const parsed =
      body.startsWith("{") || body.startsWith("[") ? (JSON.parse(body) as JsonRpcCall | JsonRpcCall[]) : {};
    const calls = [parsed].flat();
    if (calls.some(({ method }) => method === undefined)) {
      const { status = 200, answer: response } = answer([path, verb, body].join(" ").trim());
      return { status, body: response };
    }
    const responses = calls.map(({ id, method, params }) => {
      const { answer: response } = answer([path, method, JSON.stringify(params)].join(" "));
      return { jsonrpc: "2.0", id, ...(response as object) };
    });
    return { body: Array.isArray(parsed) ? responses : responses[0] };
  };
}
