/** Kind of a node's misbehavior. */
export type MisbehavingNodeKind =
  /** Serves state from `blocks` blocks before the latest block. */
  | "lagging"
  /** Has no state, logs or transactions older than `blocks`. */
  | "pruned"
  /** Rejects `eth_getLogs` for more than `blocks` blocks. */
  | "logLimit"
  /** Rejects one in `every` requests. */
  | "rateLimited"
  /** Drops a block after returning the first receipt from it. `release()` includes the block's transactions again. */
  | "reorging"
  /** Does not show pending transactions. */
  | "forgetful"
  /** Never responds to `methods`. */
  | "hangs"
  /** Returns the given `garbage`. */
  | "garbage"
  /** Reports `gasPrice` as the gas price. */
  | "expensiveGas"
  /** Reports `chainId` as its chain id. */
  | "wrongChain";

/** Options of `misbehavingNode`. */
export interface MisbehavingNodeOptions {
  /**
   * URL of the real node, such as `chain.rpcUrl`, or of another misbehaving node. `reorging` requires a node with
   * `evm_snapshot`.
   */
  readonly rpcUrl: string;
  /** Number of blocks of `lagging` (3 by default), `pruned` (16) and `logLimit` (1,000). */
  readonly blocks?: number;
  /** Interval of `rateLimited`; 2 by default, so that every second request is rejected. */
  readonly every?: number;
  /** Response of `rateLimited`: `http` (the default) is 429 with `Retry-After`; `rpc` is error -32005. */
  readonly refusal?: "http" | "rpc";
  /** Methods affected by `hangs`, `garbage` and `rateLimited`; all by default. */
  readonly methods?: readonly string[];
  /** Response of `garbage`: a page (the default), nothing, half of the response, another `id`, or the result `0x`. */
  readonly garbage?: "html" | "empty" | "truncated" | "wrongId" | "emptyResult";
  /** Gas price of `expensiveGas` in wei; 10^15 by default. */
  readonly gasPrice?: bigint;
  /** Chain id of `wrongChain`; 1 by default. */
  readonly chainId?: number;
}

/** A JSON-RPC request. */
export interface RpcRequest {
  readonly jsonrpc?: string;
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

export interface RpcAnswer {
  readonly jsonrpc?: string;
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A response that replaces the whole HTTP response. */
export class HttpResponse {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, body: string, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

export interface NodeContext {
  readonly options: Omit<MisbehavingNodeOptions, "rpcUrl">;
  /** Sends a request to the real node. */
  readonly ask: (request: RpcRequest) => Promise<RpcAnswer>;
  /** Sends a request to the real node and returns the result. */
  readonly result: (method: string, ...params: unknown[]) => Promise<unknown>;
}

export interface NodeBehavior {
  answer(request: RpcRequest): Promise<RpcAnswer | HttpResponse>;
  /** Stops misbehaving. */
  release(): Promise<void>;
}

export function resultOf({ id }: RpcRequest, result: unknown): RpcAnswer {
  return { jsonrpc: "2.0", id, result };
}

export function errorOf({ id }: RpcRequest, code: number, message: string): RpcAnswer {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

/** Positions of the block in the parameters of methods that read state. */
const BLOCK_POSITION: Readonly<Record<string, number>> = {
  eth_call: 1,
  eth_estimateGas: 1,
  eth_feeHistory: 1,
  eth_getBalance: 1,
  eth_getBlockByNumber: 0,
  eth_getBlockTransactionCountByNumber: 0,
  eth_getCode: 1,
  eth_getProof: 2,
  eth_getStorageAt: 2,
  eth_getTransactionCount: 1,
};

/** Returns the block that a request reads the state of; undefined for other requests and for a block hash. */
export function blockOf({
  method,
  params = [],
}: RpcRequest): { readonly at: number; readonly block: string } | undefined {
  const at = Object.hasOwn(BLOCK_POSITION, method) ? BLOCK_POSITION[method] : undefined;
  if (at === undefined) return undefined;
  const block = params[at] ?? "latest";
  return typeof block === "string" ? { at, block } : undefined;
}

/** Returns the same request for another block. */
export function atBlock(request: RpcRequest, at: number, block: string): RpcRequest {
  const params = [...(request.params ?? [])];
  params[at] = block;
  return { ...request, params };
}

/** Returns the block number of a transaction or receipt, or undefined while it is pending or unknown. */
export function heightOf(answer: RpcAnswer): number | undefined {
  const { result } = answer;
  const height: unknown =
    typeof result === "object" && result !== null
      ? (Reflect.get(result, "blockNumber") ?? Reflect.get(result, "number"))
      : undefined;
  return typeof height === "string" ? Number(height) : undefined;
}
