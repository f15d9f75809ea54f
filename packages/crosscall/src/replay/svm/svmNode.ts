import * as Type from "typebox";
import { Value } from "typebox/value";

import { ChainError, InvalidInputError } from "@crosscall/protocol/core";
import { decodeBase64 } from "@crosscall/protocol/encoding";
import { isObject } from "@crosscall/protocol/schema";
import { createUpstream, type Upstream } from "../fork/upstream.ts";
import { type RawTransaction, readSimulation, readTransaction } from "./readTransaction.ts";

export interface SvmNodeParameters {
  readonly rpcUrl: string;
  /** For errors; undefined if not known. */
  readonly chainId: number | undefined;
  /** Timeout of each response; 30 seconds by default. */
  readonly timeoutMs?: number | undefined;
  readonly signal: AbortSignal;
}

const TIMEOUT_MS = 30_000;

const CONFIRMED = { commitment: "confirmed" } as const;

const listed = Type.Object({
  signature: Type.String({ pattern: "^[1-9A-HJ-NP-Za-km-z]{64,88}$" }),
  slot: Type.Integer({ minimum: 0 }),
  err: Type.Optional(Type.Unknown()),
});

/** A transaction in a list. */
export interface SvmListed {
  readonly signature: string;
  readonly slot: number;
  readonly isFailed: boolean;
}

/** Size of a mint, and the position of its decimals. */
const MINT_BYTES = 82;
const MINT_DECIMALS = 44;

export type SvmNode = ReturnType<typeof openSvmNode>;

/**
 * Opens the JSON-RPC API of a node, which is only read. Its functions throw {@link ChainError} if the node does not
 * respond or rejects the request, and {@link MalformedDataError} for a malformed response.
 */
export function openSvmNode({ rpcUrl, chainId, timeoutMs = TIMEOUT_MS, signal }: SvmNodeParameters) {
  const upstream = createUpstream({ rpcUrl, chainId, timeoutMs, signal });
  const call = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
    send(upstream, chainId, method, params);
  const findTransaction = async (signature: string): Promise<RawTransaction | undefined> => {
    const options = { ...CONFIRMED, encoding: "json", maxSupportedTransactionVersion: 0 };
    const response = await call("getTransaction", signature, options);
    return response === null ? undefined : readTransaction(response, signature);
  };
  return {
    /** Returns undefined if the node does not have the transaction. */
    findTransaction,
    /** @throws {@link InvalidInputError} if the node does not have the transaction */
    async transaction(signature: string): Promise<RawTransaction> {
      const found = await findTransaction(signature);
      if (found !== undefined) return found;
      throw new InvalidInputError({
        field: "signature",
        value: signature,
        reason: `${upstream.host} has no transaction with this signature`,
        hint: "Pass the URL of a node of the transaction's chain. Nodes without history lack old transactions.",
      });
    },
    /**
     * Runs an unsigned transaction on the current state.
     *
     * @param transaction in base64
     */
    async simulate(transaction: string) {
      const options = { ...CONFIRMED, encoding: "base64", sigVerify: false, replaceRecentBlockhash: true };
      return readSimulation(await call("simulateTransaction", transaction, { ...options, innerInstructions: true }));
    },
    /** Returns the lamports that an account without data must have; undefined if the node does not report them. */
    async rentExemptMinimum(): Promise<bigint | undefined> {
      const lamports = await call("getMinimumBalanceForRentExemption", 0);
      return Number.isSafeInteger(lamports) ? BigInt(Number(lamports)) : undefined;
    },
    /** Lists the latest transactions that use an account, newest first. */
    async transactionsOf(account: string, limit: number): Promise<SvmListed[]> {
      const response = await call("getSignaturesForAddress", account, { ...CONFIRMED, limit });
      const list: readonly unknown[] = Array.isArray(response) ? response.slice(0, limit) : [];
      return list.flatMap((each) => {
        if (!Value.Check(listed, each)) return [];
        const { signature, slot, err } = each;
        return [{ signature, slot, isFailed: err !== null && err !== undefined }];
      });
    },
    /** Returns the token program and the decimals of a mint; undefined if it is not a mint. */
    async mint(address: string): Promise<{ readonly program: string; readonly decimals: number } | undefined> {
      const response = await call("getAccountInfo", address, { ...CONFIRMED, encoding: "base64" });
      const value = isObject(response) && isObject(response.value) ? response.value : {};
      const data = Array.isArray(value.data) ? decodeBase64(value.data[0]) : undefined;
      const decimals = data === undefined || data.length < MINT_BYTES ? undefined : data[MINT_DECIMALS];
      return decimals === undefined || typeof value.owner !== "string" ? undefined : { program: value.owner, decimals };
    },
  };
}

async function send(
  upstream: Upstream,
  chainId: number | undefined,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  const [response] = await upstream.send([{ method, params }]);
  if (response !== undefined && "result" in response) return response.result;
  throw new ChainError({
    message: `${upstream.host} rejected ${method}: ${response?.error.message ?? "no response"}`,
    hint: "Check that the RPC URL belongs to a node of an SVM chain, and that its key is valid.",
    chainId,
    cause: response?.error,
  });
}
