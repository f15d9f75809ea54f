import { BaseError, createClient, http, RpcRequestError } from "viem";

import { SVM_CHAIN_ID } from "@crosscall/protocol/chains/chainIds";
import { ChainError, InvalidInputError, shortReason, TransactionFailedError } from "@crosscall/protocol/core";
import { decodeBase64 } from "@crosscall/protocol/encoding";
import { parseData } from "@crosscall/protocol/schema";
import * as T from "@crosscall/protocol/schema/type";
import { svmKeyOf } from "@crosscall/protocol/vms/svmPrograms";
import { askNode, boundClient, fieldOf, kitErrorIn, toNodeError } from "../node.ts";
import { type LookupTable, readLookupTable } from "./svmMessage.ts";

const LOOKUP_PROGRAM = "AddressLookupTab1e1111111111111111111111111";

const ContextSchema = T.Object({ slot: T.Integer() });

const BlockhashSchema = T.Object({
  context: ContextSchema,
  value: T.Object({ blockhash: T.String(), lastValidBlockHeight: T.Integer() }),
});

const AccountSchema = T.Object({ owner: T.String(), data: T.Array(T.String()) });

const AccountsSchema = T.Object({ value: T.Array(T.Union([AccountSchema, T.Null()])) });

const StatusSchema = T.Object({ err: T.Unknown(), confirmationStatus: T.Optional(T.Union([T.String(), T.Null()])) });

const StatusesSchema = T.Object({
  context: ContextSchema,
  value: T.Array(T.Union([StatusSchema, T.Null()])),
});

const SignaturesSchema = T.Array(T.Object({ signature: T.String(), slot: T.Integer(), err: T.Unknown() }));

const CallsSchema = T.Array(T.Object({ programIdIndex: T.Integer(), data: T.String() }));

const TransactionSchema = T.Object({
  transaction: T.Object({
    message: T.Object({ accountKeys: T.Array(T.String()), instructions: CallsSchema }),
  }),
  meta: T.Object({
    err: T.Unknown(),
    innerInstructions: T.Optional(T.Union([T.Array(T.Object({ instructions: CallsSchema })), T.Null()])),
    loadedAddresses: T.Optional(T.Object({ writable: T.Array(T.String()), readonly: T.Array(T.String()) })),
  }),
});

const EpochSchema = T.Object({ absoluteSlot: T.Integer(), blockHeight: T.Integer() });

/** Blocks to wait after the last valid height, because the block directly after it can still include the transaction. */
export const MARGIN_BLOCKS = 8;

/** Maximum number of signatures per call. */
const SIGNATURES_MAX = 1_000;

/** Codes for a transaction that the node checked and did not send. */
const REJECTED_CODES: readonly unknown[] = [-32_002, -32_003];

/** Results of the node's simulation after which the transaction may still be, or already is, included. */
const PASSING_ERRORS: readonly unknown[] = ["AlreadyProcessed", "BlockhashNotFound"];

export type SvmNode = ReturnType<typeof openSvmNode>;

/** Opens the JSON-RPC API of a node. */
export function openSvmNode(rpcUrl: string, signal: AbortSignal, chainId = SVM_CHAIN_ID) {
  const client = boundClient(createClient({ transport: http(rpcUrl, { fetchOptions: { signal } }) }), { signal });
  const request = client.request as (call: { method: string; params: readonly unknown[] }) => Promise<unknown>;
  const read = async <Schema extends Parameters<typeof parseData>[0]>(
    schema: Schema,
    method: string,
    ...params: readonly unknown[]
  ) => {
    const result = await askNode(chainId, method, () => request({ method, params }));
    return parseData(schema, result, `the response of ${method}`);
  };
  return {
    /** Calls a method, and parses its result. */
    read,
    /** Identifies the cluster. */
    genesisHash: () => read(T.String(), "getGenesisHash"),
    latestBlockhash: async () => {
      const { context, value } = await read(BlockhashSchema, "getLatestBlockhash", { commitment: "confirmed" });
      return { ...value, slot: context.slot };
    },
    /** Omits tables that do not exist, without which the transaction is larger. */
    async lookupTables(addresses: readonly string[]): Promise<LookupTable[]> {
      if (addresses.length === 0) return [];
      const options = { encoding: "base64", commitment: "confirmed" };
      const { value } = await read(AccountsSchema, "getMultipleAccounts", addresses, options);
      return addresses.flatMap((address, index) => {
        const account = value[index];
        const data = account?.owner === LOOKUP_PROGRAM ? decodeBase64(account.data[0]) : undefined;
        return data === undefined ? [] : [{ address, addresses: readLookupTable(data) }];
      });
    },
    /** Also searches old blocks. A node without them responds with an error. */
    async status(signature: string) {
      const options = { searchTransactionHistory: true };
      const { context, value } = await read(StatusesSchema, "getSignatureStatuses", [signature], options);
      const status = value[0] ?? undefined;
      const level = status?.confirmationStatus;
      const outcome =
        level === "finalized" && status?.err !== null
          ? ("failed" as const)
          : (level === "finalized" || level === "confirmed") && status?.err === null
            ? ("included" as const)
            : undefined;
      return { slot: context.slot, isKnown: status !== undefined, outcome };
    },
    /** Returns an account's successful transactions in and after a slot, newest first. */
    async signaturesSince(account: string, slot: number): Promise<string[]> {
      const signatures: string[] = [];
      for (let before: string | undefined; ;) {
        const options = { commitment: "confirmed", limit: SIGNATURES_MAX, ...(before === undefined ? {} : { before }) };
        const page = await read(SignaturesSchema, "getSignaturesForAddress", account, options);
        const recent = page.filter((one) => one.slot >= slot);
        signatures.push(...recent.flatMap(({ signature, err }) => (err === null ? [signature] : [])));
        before = page.at(-1)?.signature;
        if (recent.length < SIGNATURES_MAX) return signatures;
      }
    },
    /**
     * Lists the calls of a successful transaction, including nested calls, as program and data in hex. Returns
     * undefined if the node does not have the transaction.
     */
    async callsOf(signature: string): Promise<string[] | undefined> {
      const options = { encoding: "json", commitment: "confirmed", maxSupportedTransactionVersion: 0 };
      const found = await read(T.Union([TransactionSchema, T.Null()]), "getTransaction", signature, options);
      if (found === null) return undefined;
      const { message } = found.transaction;
      const { err, innerInstructions, loadedAddresses: loaded } = found.meta;
      if (err !== null) return [];
      const accounts = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
      const nested = (innerInstructions ?? []).flatMap(({ instructions }) => instructions);
      return [...message.instructions, ...nested].map(
        ({ programIdIndex, data }) => `${accounts[programIdIndex]} ${svmKeyOf(data)}`,
      );
    },
    /** Returns the last block that cannot be replaced. */
    finalized: () => read(EpochSchema, "getEpochInfo", { commitment: "finalized" }),
    firstBlock: () => read(T.Integer(), "getFirstAvailableBlock"),
    /**
     * Sends a transaction. It is not an error if the node already has it.
     *
     * @param transaction in base64
     * @throws {@link TransactionFailedError} when the node simulates it first, and the simulation fails
     */
    async send(transaction: string, { isSimulated }: { readonly isSimulated: boolean }): Promise<void> {
      const options = { encoding: "base64", preflightCommitment: "confirmed", skipPreflight: !isSimulated };
      try {
        await request({ method: "sendTransaction", params: [transaction, options] });
      } catch (error) {
        const cause = error instanceof BaseError ? error.walk((layer) => layer instanceof RpcRequestError) : null;
        const isRejected = cause instanceof RpcRequestError && REJECTED_CODES.includes(cause.code);
        if (!isRejected || kitErrorIn(error) !== undefined) throw toNodeError(error, SVM_CHAIN_ID, "sendTransaction");
        if (PASSING_ERRORS.includes(fieldOf(cause.data, "err"))) return;
        throw new TransactionFailedError({
          message: `the node of chain ${SVM_CHAIN_ID} rejected the transaction: ${shortReason(cause.details)}`,
          hint: "Resolve the reason, for example fund the account, and execute the same quote with the same journal again.",
          chainId: SVM_CHAIN_ID,
          cause: error,
        });
      }
    },
  };
}

/** Creates the error for a node that cannot prove that a transaction was not included. */
export function historyMissing(signature: string): ChainError {
  return new ChainError({
    message: `the node of chain ${SVM_CHAIN_ID} does not have the blocks that could include transaction ${signature}`,
    hint: "Use a node with older blocks, and execute the same quote with the same journal again.",
    chainId: SVM_CHAIN_ID,
  });
}

/** @throws {@link InvalidInputError} when the node serves a different chain than the transaction's */
export async function requireSameChain(
  node: SvmNode,
  { genesisHash }: { readonly genesisHash: string },
): Promise<void> {
  if ((await node.genesisHash()) === genesisHash) return;
  throw new InvalidInputError({
    field: "rpcUrl",
    value: undefined,
    reason: "its chain is not the one of the transaction in the journal",
    hint: "Pass a node of the same chain as in the earlier run.",
  });
}
