import * as Type from "typebox";
import { type Hex, isHash } from "viem";

import { isSameAddress } from "@crosscall/protocol/chains";
import { MessageSchema } from "@crosscall/protocol/common";
import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { anyFields, parseJson } from "@crosscall/protocol/schema";
import type { DevChain } from "../../devchain/devChain.ts";
import { findReceipt, readTransaction } from "../../devchain/readChain.ts";
import { isSimulated, type QuotedChain } from "../../market/quotedChains.ts";
import { rejectField, rejectProblem, rejectUnknown } from "../../market/rejection.ts";
import { isUserExecuted } from "../../market/requestKind.ts";
import { findSimulatedChain } from "../../market/simulatedChains.ts";
import { announceDeposit } from "../../store/deposits.ts";
import { EVERY_REQUEST, type RequestFilter } from "../../store/requests/filter.ts";
import { listRequests } from "../../store/requests/listRequests.ts";
import { findRequest, findRequestByOrderId, type RequestRow } from "../../store/requests/requests.ts";
import { transition } from "../../store/requests/transitions.ts";
import { referrerQuery } from "../listing/queryParts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, Recorder, StoreUser } from "../../market/market.ts";
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

/** Includes simulated chains, whose ledgers find the deposits without an announcement. */
function requireOriginChain(parts: ChainReader, chainId: Type.Static<typeof AnnouncedChainSchema>): QuotedChain {
  return findSimulatedChain(Number(chainId)) ?? requireAnnouncedChain(parts, chainId);
}

/** @throws {@link RejectionError} if the request is unknown, or has another origin chain */
async function requireAnnouncedRequest({ store }: StoreUser, chain: QuotedChain, requestId: string): Promise<RequestRow> {
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

const IndexBodySchema = Type.Object({
  chainId: AnnouncedChainSchema,
  txHash: Type.String({ minLength: 1, description: "The deposit, as its chain writes hashes." }),
  requestId: Type.Optional(Type.String({ description: "Request that the transaction pays for, if known." })),
});

/** Lets clients announce a deposit (spec 4, section 4). */
export const transactionIndexRoute: ServiceRoute<ChainReader & Recorder> = (app, parts) => {
  app.post(
    "/transactions/index",
    {
      schema: {
        summary: "Announce a deposit",
        body: IndexBodySchema,
        response: responses(MessageSchema),
      },
    },
    async ({ body }) => {
      const chain = requireOriginChain(parts, body.chainId);
      if (body.requestId !== undefined) await requireAnnouncedRequest(parts, chain, body.requestId);
      if (!isSimulated(chain)) await noteDeposit(parts, chain, requireHash(body.txHash, "txHash", "Pass 32 bytes of hex."));
      return { message: "Success" };
    },
  );
};

const StatusQuerySchema = Type.Object({
  chainId: Type.Optional(Type.Integer({ minimum: 0, description: "Origin or destination chain of the request." })),
  hash: Type.String({ minLength: 1, description: "Any transaction of a request." }),
  ...referrerQuery,
});

const StatusSchema = Type.Object({ status: Type.String({ description: "Of the request; unknown if there is none." }) });

/** The live service documents neither the values nor their meaning. */
export const transactionStatusRoute: ServiceRoute<StoreUser> = (app, { store }) => {
  app.get(
    "/transactions/status",
    {
      schema: {
        summary: "The status of the request that a transaction belongs to",
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
export const transactionSingleRoute: ServiceRoute<ChainReader & Recorder & ReportReceiver> = (app, parts) => {
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
      const chain = requireOriginChain(parts, body.chainId);
      const hash = readHash(body.tx);
      const request = await requireAnnouncedRequest(parts, chain, body.requestId);
      if (hash === undefined || isSimulated(chain)) return { message: "Success" };
      const txHash = requireHash(hash, "tx.txHash", "Pass 32 bytes of hex, or omit it.");
      if (isUserExecuted(request)) await noteExecution(parts, chain, txHash);
      else await noteDeposit(parts, chain, txHash);
      return { message: "Success" };
    },
  );
};

/**
 * Undefined if the transaction has no hash yet.
 *
 * @throws {@link RejectionError} if it is not a transaction
 */
function readHash(tx: string | Readonly<Record<string, unknown>>): unknown {
  const fields: unknown = typeof tx === "string" ? parseJson(tx) : tx;
  if (typeof fields !== "object" || fields === null || Array.isArray(fields)) {
    throw rejectField("tx", null, "must be a transaction", "Pass an object or its JSON text.");
  }
  return ("txHash" in fields ? fields.txHash : undefined) ?? undefined;
}

/** @throws {@link RejectionError} if it is not a hash of an EVM chain */
function requireHash(hash: unknown, field: string, hint: string): Hex {
  if (typeof hash === "string" && isHash(hash)) return hash;
  throw rejectField(field, hash, "must be a transaction hash", hint);
}

/** A transaction in a block ends its request immediately. Others are found later. */
async function noteExecution({ reports }: ReportReceiver, chain: DevChain, hash: Hex): Promise<void> {
  const transaction = await readTransaction(chain, hash);
  if (transaction?.blockHash != null) await reports.userTransaction(chain, transaction);
}
