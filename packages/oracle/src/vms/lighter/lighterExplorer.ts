import * as Type from "typebox";
import { Compile } from "typebox/compile";

import { type Clock, MalformedDataError } from "@crosscall/protocol/core";
import { createChainRpc, type RpcObserver } from "../../rpc/chainRpc.ts";
import { RPC_TIMEOUT_MS } from "../../rpc/openChainRpc.ts";
import { createRestEndpoint, fixedHeaders } from "../../rpc/restEndpoint.ts";
import type { RpcEndpoint } from "../../rpc/rpcEndpoint.ts";

/** Longest page of the explorer. */
export const PAGE_SIZE = 100;

/** Where to read a transfer. */
export interface ListedTransfer {
  readonly hash: string;
  /** Account indexes; undefined for entries of another shape. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Lists transfers, which the exchange's API only finds by hash. */
export interface LighterExplorer {
  /** An account's transfers, the latest first. */
  transfersOf(account: string, page: number): Promise<readonly ListedTransfer[]>;
  close(): void;
}

const accounts = Type.Object({ from_account_index: Type.String(), to_account_index: Type.String() });
const logsCheck = Compile(
  Type.Array(
    Type.Object({
      hash: Type.String({ pattern: "^([0-9a-fA-F]{2})+$" }),
      pubdata: Type.Optional(
        Type.Object({
          l2_transfer_pubdata: Type.Optional(accounts),
          l2_transfer_pubdata_v2: Type.Optional(accounts),
        }),
      ),
    }),
  ),
);

/** @param url base of the explorer's API */
export function openLighterExplorer(
  url: string,
  options: { readonly chainId: string; readonly observer: RpcObserver; readonly clock: Clock },
): LighterExplorer {
  const rpc = createChainRpc({ ...options, endpoints: [createEndpoint(url)], agreement: 1 });
  return {
    transfersOf: (account, page) => rpc.read("logs", [account, page * PAGE_SIZE], parseLogs),
    close: () => rpc.close(),
  };
}

function createEndpoint(url: string): RpcEndpoint {
  return createRestEndpoint({
    url,
    timeoutMs: RPC_TIMEOUT_MS,
    // The explorer's host blocks requests without one.
    credentials: fixedHeaders({ "user-agent": "crosscall" }),
    toCall: (_method, [account, offset]) => ({
      path: `/accounts/${String(account)}/logs?pub_data_type=L2Transfer%2CL2TransferV2&limit=${PAGE_SIZE}&offset=${String(offset)}`,
    }),
  });
}

/** A missing account is refused too: a wrong URL must not look like an account without transfers. */
function parseLogs(answer: unknown): readonly ListedTransfer[] {
  if (!logsCheck.Check(answer)) {
    throw new MalformedDataError({ what: "the response of an RPC endpoint", path: "", reason: "no list of transfers" });
  }
  return answer.map(({ hash, pubdata }) => {
    const moved = pubdata?.l2_transfer_pubdata ?? pubdata?.l2_transfer_pubdata_v2;
    return { hash, from: moved?.from_account_index, to: moved?.to_account_index };
  });
}
