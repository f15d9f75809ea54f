import * as Type from "typebox";
import { type Hex, isHash } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { MessageSchema } from "@crosscall/protocol/common";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { anyFields, parseJson } from "@crosscall/protocol/schema";
import type { DevChain } from "../../devchain/devChain.ts";
import { findReceipt, readTransaction } from "../../devchain/readChain.ts";
import { rejectField, type RejectionError, rejectProblem, rejectUnknown } from "../../market/rejection.ts";
import { isUserExecuted } from "../../market/requestKind.ts";
import { announceDeposit } from "../../store/deposits.ts";
import { EVERY_REQUEST, type RequestFilter } from "../../store/requests/filter.ts";
import { listRequests } from "../../store/requests/listRequests.ts";
import { findRequest, findRequestByOrderId, type RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import { referrerQuery, wholeNumber } from "../listing/queryParts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, LedgerUser, Recorder, StoreUser } from "../../market/market.ts";
import type { ReportReceiver } from "../serviceParts.ts";

/** Clients send the chain id as a number or a string. */
export const AnnouncedChainSchema = Type.Union([Type.Integer(), Type.String({ pattern: "^[0-9]+$" })], {
  description: "The origin chain.",
});

/** @throws {@link RejectionError} if the network does not have the chain */
export function requireAnnouncedChain(
  { chains }: ChainReader,
  chainId: Type.Static<typeof AnnouncedChainSchema>,
  field = "chainId",
): DevChain {
  const chain = chains.get(Number(chainId));
  if (chain !== undefined) return chain;
  throw rejectProblem({
    errorCode: "UNSUPPORTED_CHAIN",
    field,
    value: chainId,
    reason: `this network has the chains ${[...chains.keys()].join(", ")}`,
    hint: "Pass the chain on which the transaction was sent.",
  });
}

/** @throws {@link RejectionError} if the request is unknown, or has a different origin chain */
async function requireAnnouncedRequest(
  { store }: StoreUser,
  chain: Pick<DevChain, "id">,
  requestId: string,
): Promise<RequestRow> {
  const request = await findRequest(store.db, requestId);
  if (request === undefined) throw rejectUnknown(`request ${requestId}`);
  if (request.origin_chain_id === chain.id) return request;
  throw rejectProblem({
    errorCode: "INVALID_REQUEST",
    field: "chainId",
    value: chain.id,
    reason: `request ${requestId} is paid on chain ${request.origin_chain_id}`,
    hint: "Pass the origin chain of the request.",
  });
}

/** Shows a deposit without a block as `depositing`. Its event later updates the request. */
async function noteDeposit(parts: Recorder, chain: DevChain, hash: Hex): Promise<void> {
  const transaction = await readTransaction(chain, hash);
  if (transaction === undefined) return;
  const { input, to } = transaction;
  // The last 32 bytes of a deposit's call data are the orderId.
  const isDeposit = to !== null && isSameAddress(to, chain.contracts.depository) && input.length >= 66;
  if (!isDeposit || (await hasReverted(chain, hash))) return;
  const request = await findRequestByOrderId(parts.store.db, `0x${input.slice(-64)}`);
  if (request === undefined) return;
  const at = new Date(parts.clock.now());
  await parts.store.db.transaction().execute(async (db) => {
    const isMoved = await transition(db, { requestId: request.id, from: ["waiting"], to: "depositing", at });
    if (isMoved) await announceDeposit(db, { request_id: request.id, chain_id: chain.id, tx_hash: hash, at });
  });
}

async function hasReverted(chain: DevChain, hash: Hex): Promise<boolean> {
  return (await findReceipt(chain, hash))?.status === "reverted";
}

/**
 * Checks the hash of an announced transaction on a ledger, which reports its deposits itself.
 *
 * @returns whether the chain has a ledger
 * @throws {@link RejectionError} if the ledger does not have the transaction
 */
async function checkOnLedger({ ledgers }: LedgerUser, chainId: number, hash: string | undefined): Promise<boolean> {
  const ledger = ledgers.get(chainId);
  if (ledger === undefined) return false;
  const isKnown = hash === undefined || ((await ledger.hasTransaction?.(hash)) ?? true);
  if (!isKnown) throw rejectUnknown(`transaction ${hash} on chain ${chainId}`);
  return true;
}

const IndexBodySchema = Type.Object({
  chainId: AnnouncedChainSchema,
  txHash: Type.String({
    pattern: "^(0x)?[0-9a-fA-F]{64,80}$",
    description: "The deposit; with 0x on EVM chains.",
  }),
  requestId: Type.Optional(Type.String({ description: "Request that the transaction pays for, if known." })),
});

/** Lets clients announce a deposit (spec 4, section 4). */
export const transactionIndexRoute: ServiceRoute<ChainReader & Recorder & LedgerUser> = (app, parts) => {
  app.post(
    "/transactions/index",
    {
      schema: {
        summary: "Announce a deposit",
        body: IndexBodySchema,
        response: responses(MessageSchema),
      },
    },
    async ({ body: { chainId, requestId, txHash } }) => {
      const id = Number(chainId);
      if (await checkOnLedger(parts, id, txHash)) {
        if (requestId !== undefined) await requireAnnouncedRequest(parts, { id }, requestId);
        return { message: "Success" };
      }
      const chain = requireAnnouncedChain(parts, chainId);
      if (!isHash(txHash)) throw rejectHash("txHash", txHash);
      if (requestId !== undefined) await requireAnnouncedRequest(parts, chain, requestId);
      await noteDeposit(parts, chain, txHash);
      return { message: "Success" };
    },
  );
};

const StatusQuerySchema = Type.Object({
  chainId: wholeNumber("Origin or destination chain of the request."),
  hash: Type.String({ minLength: 1, description: "Any transaction of a request." }),
  ...referrerQuery,
});

const StatusSchema = Type.Object({
  status: Type.String({ description: "Status of the request; unknown if there is no request." }),
});

/** The live service documents neither the values nor their meaning. */
export const transactionStatusRoute: ServiceRoute<StoreUser> = (app, { store }) => {
  app.get(
    "/transactions/status",
    {
      schema: {
        summary: "Get the status of the request that a transaction belongs to",
        querystring: StatusQuerySchema,
        response: { 200: StatusSchema, 404: StatusSchema, "4xx": ServiceErrorSchema },
      },
    },
    async ({ query: { chainId, hash } }, reply) => {
      const filter: RequestFilter = {
        ...EVERY_REQUEST,
        conditions: [
          { field: "hash", values: [hash], isNegated: false },
          ...(chainId === undefined ? [] : [{ field: "chainId", values: [chainId], isNegated: false } as const]),
        ],
      };
      const page = { filter, sortBy: "createdAt", direction: "desc", limit: 1 } as const;
      const [request] = await listRequests(store.db, page);
      return request === undefined ? reply.status(404).send({ status: "unknown" }) : { status: request.status };
    },
  );
};

const SingleBodySchema = Type.Object({
  requestId: Type.String({ description: "Request that the transaction executes." }),
  chainId: AnnouncedChainSchema,
  // The published SDK sends JSON as a string.
  tx: Type.Union([Type.String(), anyFields("The transaction.")], {
    description: "The step's transaction with its txHash, as an object or JSON text.",
  }),
});

/** Lets clients announce a same-chain transaction (spec 4, sections 4 and 6). */
export const transactionSingleRoute: ServiceRoute<ChainReader & Recorder & ReportReceiver & LedgerUser> = (
  app,
  parts,
) => {
  app.post(
    "/transactions/single",
    {
      schema: {
        summary: "Announce the transaction of a same-chain request",
        body: SingleBodySchema,
        response: responses(MessageSchema),
      },
    },
    async ({ body }) => {
      const hash = readHash(body.tx);
      const id = Number(body.chainId);
      if (await checkOnLedger(parts, id, hash)) {
        await requireAnnouncedRequest(parts, { id }, body.requestId);
        return { message: "Success" };
      }
      const chain = requireAnnouncedChain(parts, body.chainId);
      const request = await requireAnnouncedRequest(parts, chain, body.requestId);
      if (hash === undefined) return { message: "Success" };
      if (!isHash(hash)) throw rejectHash("tx.txHash", hash);
      if (isUserExecuted(request)) await noteExecution(parts, chain, hash);
      else await noteDeposit(parts, chain, hash);
      return { message: "Success" };
    },
  );
};

/**
 * Reads the hash. Returns undefined if the transaction has no hash yet.
 *
 * @throws {@link RejectionError} if the value is not a transaction
 */
function readHash(tx: string | Readonly<Record<string, unknown>>): string | undefined {
  const fields: unknown = typeof tx === "string" ? parseJson(tx) : tx;
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    throw rejectField("tx", null, "must be a transaction", "Pass an object or its JSON text.");
  }
  const hash = "txHash" in fields ? fields.txHash : undefined;
  if (hash === undefined || hash === null) return undefined;
  if (typeof hash === "string") return hash;
  throw rejectHash("tx.txHash", hash);
}

function rejectHash(field: string, hash: unknown): RejectionError {
  return rejectField(field, hash, "must be a transaction hash", "Pass 32 bytes of hex with 0x.");
}

/** Reports a transaction. A transaction in a block ends its request immediately; others are found later. */
async function noteExecution({ reports }: ReportReceiver, chain: DevChain, hash: Hex): Promise<void> {
  const transaction = await readTransaction(chain, hash);
  if (transaction?.blockHash != null) await reports.userTransaction(chain, transaction);
}
