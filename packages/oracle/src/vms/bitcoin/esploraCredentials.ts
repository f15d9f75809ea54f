import * as Type from "typebox";
import { Compile } from "typebox/compile";

import type { Clock } from "@crosscall/protocol/core";
import type { AdditionalData } from "../../chainFiles.ts";
import { createHttpClient } from "../../rpc/httpClient.ts";
import { RPC_TIMEOUT_MS } from "../../rpc/openChainRpc.ts";
import { fixedHeaders, type RestCredentials } from "../../rpc/restEndpoint.ts";
import { RpcError } from "../../rpc/rpcErrors.ts";

const LOGIN_URL = "https://login.blockstream.com/realms/blockstream-public/protocol/openid-connect/token";

const tokenCheck = Compile(Type.Object({ access_token: Type.String({ minLength: 1 }), expires_in: Type.Number() }));

interface Token {
  readonly text: string;
  /** Unix time in milliseconds. */
  readonly endsAt: number;
}

/**
 * An API key, or an OAuth token for a client id and secret.
 *
 * @returns undefined without either in the settings
 */
export function esploraCredentials(settings: AdditionalData, clock: Clock): RestCredentials | undefined {
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
