import { createHttpClient } from "./httpClient.ts";
import { CallRevertedError, failureOf, MAX_RESPONSE_BYTES, redirected, RpcError } from "./rpcErrors.ts";
import { parseJson } from "@crosscall/protocol/schema";

export interface RpcEndpoint {
  /** Host and port. */
  readonly name: string;
  /**
   * Sends a call. Batches the calls of one turn of the event loop.
   *
   * @throws {@link RpcError} if there is no usable response
   * @throws {@link CallRevertedError} if a contract call reverts
   */
  call(method: string, params: readonly unknown[]): Promise<unknown>;
  /**
   * Checks the endpoint's chain again; undefined if there is no check.
   *
   * @throws {@link RpcError} if the endpoint serves another chain, or does not report its chain
   */
  readonly checkChain?: () => Promise<void>;
  close(): void;
}

export interface RpcEndpointOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly batchSize: number;
  readonly timeoutMs: number;
  /** JSON-RPC error codes for a missing object, which becomes null. */
  readonly absentCodes?: readonly number[];
}

/** JSON-RPC error codes that providers use for rate limits. */
const RATE_LIMIT_CODES: readonly unknown[] = [429, -32005, -32029];

/** JSON-RPC error code that nodes use for a reverted call. */
const REVERT_CODE = 3;

interface PendingCall {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: RpcError) => void;
}

export function createRpcEndpoint(options: RpcEndpointOptions): RpcEndpoint {
  const { url, headers, batchSize, timeoutMs, absentCodes = [] } = options;
  const http = createHttpClient(url);
  let queue: PendingCall[] = [];

  const flush = (): void => {
    const calls = queue;
    queue = [];
    for (let start = 0; start < calls.length; start += batchSize) void sendBatch(calls.slice(start, start + batchSize));
  };

  const sendBatch = async (calls: readonly PendingCall[]): Promise<void> => {
    try {
      settle(http.host, calls, await exchange(calls), absentCodes);
    } catch (error) {
      const failure = error instanceof RpcError ? error : toRpcError(http.host, error);
      for (const { reject } of calls) reject(failure);
    }
  };

  const exchange = async (calls: readonly PendingCall[]): Promise<readonly unknown[]> => {
    const requests = calls.map(({ method, params }, id) => ({ jsonrpc: "2.0", id, method, params }));
    // Sends a single call as an object, because not every node supports batches.
    const body = JSON.stringify(requests.length === 1 ? requests[0] : requests);
    const answer = await http.send({
      method: "POST",
      body,
      timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
      ...(headers === undefined ? {} : { headers }),
    });
    if (answer.status >= 300 && answer.status < 400) throw redirected(http.host);
    if (answer.status === 429) throw new RpcError(http.host, "rate-limited");
    const parsed = parseJson(answer.body);
    if (calls.length === 1 && isObject(parsed)) return [{ ...parsed, id: 0 }];
    if (Array.isArray(parsed)) return parsed as readonly unknown[];
    if (isObject(parsed) && isObject(parsed.error)) throw rejectionOf(http.host, parsed.error);
    throw new RpcError(http.host, answer.status >= 400 ? "refused" : "malformed", { detail: `HTTP ${answer.status}` });
  };

  return {
    name: http.host,
    call: (method, params) =>
      new Promise((resolve, reject) => {
        if (queue.length === 0) setImmediate(flush);
        queue.push({ method, params, resolve, reject });
      }),
    close: () => http.close(),
  };
}

function settle(
  host: string,
  calls: readonly PendingCall[],
  answers: readonly unknown[],
  absentCodes: readonly unknown[],
): void {
  const byId = new Map(answers.flatMap((answer) => (isObject(answer) ? [[answer.id, answer] as const] : [])));
  for (const [id, { resolve, reject }] of calls.entries()) {
    const answer = byId.get(id);
    if (answer === undefined)
      reject(new RpcError(host, "malformed", { detail: "the batch response has no result for a call" }));
    else if (isObject(answer.error) && absentCodes.includes(answer.error.code)) resolve(null);
    else if (isObject(answer.error)) reject(rejectionOf(host, answer.error));
    else if (answer.result === undefined) reject(new RpcError(host, "malformed", { detail: "no result" }));
    else resolve(answer.result);
  }
}

function rejectionOf(host: string, { code, message }: Record<string, unknown>): RpcError {
  const text = typeof message === "string" ? message.slice(0, 200) : "";
  if (RATE_LIMIT_CODES.includes(code) || /rate limit|too many requests/iu.test(text)) {
    return new RpcError(host, "rate-limited");
  }
  if (code === REVERT_CODE || /revert/iu.test(text)) return new CallRevertedError(host);
  return new RpcError(host, "refused", { detail: text });
}

function toRpcError(host: string, cause: unknown): RpcError {
  return new RpcError(host, failureOf(cause), { cause });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
