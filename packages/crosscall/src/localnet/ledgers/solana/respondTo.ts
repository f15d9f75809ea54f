import { invalidParams, isRecord, type Params, RpcError } from "./params.ts";

/** Responds to one JSON-RPC call. Errors of the method become error responses. */
export async function respondTo(call: unknown, run: (method: string, params: Params) => unknown): Promise<object> {
  if (call === undefined) return failure(null, new RpcError(-32_700, "Parse error"));
  const { id = null, method, params = [] } = isRecord(call) ? call : {};
  if (typeof method !== "string") return failure(id, new RpcError(-32_600, "Invalid Request"));
  if (!Array.isArray(params)) return failure(id, invalidParams("`params` should be an array"));
  try {
    return { jsonrpc: "2.0", result: await run(method, params), id };
  } catch (error) {
    if (error instanceof RpcError) return failure(id, error);
    throw error;
  }
}

export function failure(id: unknown, { code, message, data }: RpcError): object {
  return { jsonrpc: "2.0", error: { code, message, ...(data === undefined ? {} : { data }) }, id };
}
