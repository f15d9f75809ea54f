import type { MisbehavingNodeOptions } from "./nodeOptions.ts";

/** A request of JSON-RPC. */
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

/** Replaces the whole HTTP response. */
export class HttpAnswer {
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
  /** Asks the real node. */
  readonly ask: (request: RpcRequest) => Promise<RpcAnswer>;
  /** A result of the real node. */
  readonly result: (method: string, ...params: unknown[]) => Promise<unknown>;
}

export interface NodeBehavior {
  answer(request: RpcRequest): Promise<RpcAnswer | HttpAnswer>;
  /** Behaves well from now on. */
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

/** The block of a request that reads the state of one; undefined for other requests and for a block hash. */
export function blockOf({
  method,
  params = [],
}: RpcRequest): { readonly at: number; readonly block: string } | undefined {
  const at = Object.hasOwn(BLOCK_POSITION, method) ? BLOCK_POSITION[method] : undefined;
  if (at === undefined) return undefined;
  const block = params[at] ?? "latest";
  return typeof block === "string" ? { at, block } : undefined;
}

/** The request with another block. */
export function atBlock(request: RpcRequest, at: number, block: string): RpcRequest {
  const params = [...(request.params ?? [])];
  params[at] = block;
  return { ...request, params };
}

/** The number of a block with a transaction or of a receipt; undefined while it is pending or unknown. */
export function heightOf(answer: RpcAnswer): number | undefined {
  const { result } = answer;
  const height: unknown =
    typeof result === "object" && result !== null
      ? (Reflect.get(result, "blockNumber") ?? Reflect.get(result, "number"))
      : undefined;
  return typeof height === "string" ? Number(height) : undefined;
}
