import type { Clock } from "@crosscall/protocol/core";
import type { AdditionalData } from "../../chainFiles.ts";
import { RPC_BATCH_SIZE, RPC_TIMEOUT_MS } from "../../rpc/openChainRpc.ts";
import { createRestEndpoint } from "../../rpc/restEndpoint.ts";
import { createRpcEndpoint, type RpcEndpoint } from "../../rpc/rpcEndpoint.ts";
import { esploraCredentials } from "./esploraCredentials.ts";

const UNKNOWN = -5;

export function createCoreEndpoint(url: string, batchSize = RPC_BATCH_SIZE): RpcEndpoint {
  const core = createRpcEndpoint({ url, batchSize, timeoutMs: RPC_TIMEOUT_MS, absentCodes: [UNKNOWN] });
  const readTransaction = async (txid: unknown, withBlock: boolean): Promise<unknown> => {
    const transaction = await core.call("getrawtransaction", [txid, true]);
    if (transaction === null) return null;
    const { blockhash } = transaction as { readonly blockhash?: unknown };
    const isIncluded = withBlock && blockhash !== undefined;
    return { transaction, header: isIncluded ? await core.call("getblockheader", [blockhash]) : null };
  };
  return {
    name: core.name,
    call(method, params) {
      if (method === "height") return core.call("getblockcount", []);
      if (method === "genesis") return core.call("getblockhash", [0]);
      if (method === "outspend") return core.call("gettxout", params);
      return readTransaction(params[0], method === "transaction");
    },
    close: () => core.close(),
  };
}

export function createEsploraEndpoint(url: string, settings: AdditionalData, clock: Clock): RpcEndpoint {
  const credentials = esploraCredentials(settings, clock);
  return createRestEndpoint({
    url,
    timeoutMs: RPC_TIMEOUT_MS,
    ...(credentials === undefined ? {} : { credentials }),
    toCall: (method, [txid, vout]) => ({ path: pathOf(method, String(txid), Number(vout)) }),
  });
}

/** A node reports the hash; an explorer lists the blocks down from a height. */
export function genesisHashOf(result: unknown): unknown {
  if (!Array.isArray(result)) return result;
  const [block] = result as readonly unknown[];
  return typeof block === "object" && block !== null ? Reflect.get(block, "id") : undefined;
}

function pathOf(method: string, txid: string, vout: number): string {
  if (method === "height") return "/blocks/tip/height";
  if (method === "genesis") return "/blocks/0";
  return method === "outspend" ? `/tx/${txid}/outspend/${vout}` : `/tx/${txid}`;
}
