import * as Type from "typebox";
import { Compile } from "typebox/compile";

import type { Clock } from "@crosscall/protocol/core";
import type { AdditionalData } from "../../chainFiles.ts";
import { RPC_BATCH_SIZE, RPC_TIMEOUT_MS } from "../../rpc/chainRpc.ts";
import { createHttpClient } from "../../rpc/httpClient.ts";
import { createRestEndpoint, fixedHeaders, type RestCredentials } from "../../rpc/restEndpoint.ts";
import { createRpcEndpoint, type RpcEndpoint } from "../../rpc/rpcEndpoint.ts";
import { RpcError } from "../../rpc/rpcErrors.ts";

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

/** Reads the hash of the first block. Nodes return the hash, and explorers list blocks down from a height. */
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

const LOGIN_URL = "https://login.blockstream.com/realms/blockstream-public/protocol/openid-connect/token";

const tokenCheck = Compile(Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number() }));

interface Token {
  readonly text: string;
  /** Expiration as Unix time in milliseconds. */
  readonly endsAt: number;
}

/**
 * Returns an API key, or an OAuth token for a client id and secret.
 *
 * @returns undefined if the settings have neither
 */
function esploraCredentials(settings: AdditionalData, clock: Clock): RestCredentials | undefined {
  const { maestroApiKey, blockstreamClientId: id, blockstreamClientSecret: secret } = settings;
  if (maestroApiKey !== undefined) return fixedHeaders({ "api-key": maestroApiKey });
  if (id === undefined || secret === undefined) return undefined;
  const login = createHttpClient(settings.blockstreamLoginUrl ?? LOGIN_URL);
  const grant = { grant_type: "client_credentials", scope: "openid" };
  const body = new URLSearchParams({ ...grant, client_id: id, client_secret: secret }).toString();
  let token: Promise<Token> | undefined;

  const askForToken = async (): Promise<Token> => {
    const answer = await login.send({
      method: "POST",
      body,
      timeoutMs: RPC_TIMEOUT_MS,
      maxBytes: 64 * 1024,
      headers: { "content-type": "application/x-www-form-urlencoded", "content-length": `${Buffer.byteLength(body)}` },
    });
    const content = answer.status === 200 ? (JSON.parse(answer.body) as unknown) : undefined;
    if (!tokenCheck.Check(content)) throw new RpcError(login.host, "refused", { detail: "the response has no token" });
    return { text: content.access_token, endsAt: clock.now() + content.expires_in * 1000 };
  };

  const refresh = (): Promise<Token> => {
    token = askForToken();
    token.catch(() => {
      token = undefined;
    });
    return token;
  };

  return {
    async headers() {
      let known = await (token ?? refresh());
      if (known.endsAt <= clock.now()) known = await refresh();
      return { authorization: `Bearer ${known.text}` };
    },
    close: () => login.close(),
  };
}
