import * as Type from "typebox";

import { ServiceErrorSchema } from "@crosscall/protocol/errors";
import { DepositAddressEntrySchema, ReindexResultSchema } from "@crosscall/protocol/request/records";
import { currencyIdOf } from "../../market/currencies.ts";
import { rejectField, rejectUnknown } from "../../market/rejection.ts";
import { findDepositAddress, findDepositAddressOf } from "../../store/depositAddresses.ts";
import { findRequest } from "../../store/requests/requests.ts";
import { isOwnRequest } from "../caller.ts";
import { referrerQuery, text } from "../listing/queryParts.ts";
import { MINUTE_MS, RateLimit, secondsToNext } from "../rateLimit.ts";
import { rejectForbidden, rejectRate } from "../rejection.ts";
import { requireKey, responses, type ServiceRoute } from "../route.ts";
import { requireAnnouncedChain } from "./transactions.ts";
import type { ChainReader, Pricer, Recorder, StoreUser } from "../../market/market.ts";
import type { ReportReceiver } from "../serviceParts.ts";

const QuerySchema = Type.Object({
  address: text("The deposit address."),
  requestId: text("The request that was quoted with the address."),
  ...referrerQuery,
});

export const depositAddressRoute: ServiceRoute<Pricer & StoreUser> = (app, parts) => {
  app.get(
    "/deposit-addresses/v1",
    {
      schema: {
        summary: "Find a deposit address",
        querystring: QuerySchema,
        response: responses(DepositAddressEntrySchema),
      },
      onRequest: requireKey,
    },
    async ({ query: { address, requestId } }) => {
      const { db } = parts.store;
      if ((address === undefined) === (requestId === undefined)) {
        throw rejectField("address", address, "cannot be combined with requestId", "Pass one of the two.");
      }
      const found =
        address === undefined ? await findDepositAddressOf(db, requestId ?? "") : await findDepositAddress(db, address);
      const request = found && (await findRequest(db, found.request_id));
      if (request?.deposit_address == null || request.deposit_address_type === null) {
        throw rejectUnknown(address === undefined ? `a deposit address of ${requestId}` : `deposit address ${address}`);
      }
      const origin = parts.currencies.find(request.origin_chain_id, request.origin_currency);
      return {
        depositAddress: request.deposit_address,
        type: request.deposit_address_type,
        requestId: request.id,
        chainId: request.origin_chain_id,
        createdAt: request.created_at.toISOString(),
        currency: origin === undefined ? null : currencyIdOf(origin.currency),
        refundTo: request.refund_to,
      };
    },
  );
};

const ReindexBodySchema = Type.Object({
  chainId: Type.Integer({ description: "The origin chain of the address." }),
  depositAddress: Type.String(),
  targetChainId: Type.Optional(Type.Integer({ description: "Chain to check; chainId by default." })),
  currency: Type.Optional(Type.String({ description: "Address of the currency to check; all by default." })),
  sweep: Type.Optional(Type.Boolean({ deprecated: true, description: "Accepted without effect." })),
  referrer: Type.Optional(Type.String({ description: "Accepted without effect." })),
});

/** Maximum number of requests per minute. The live service publishes no cooldown. */
const CALLS_PER_MINUTE = 1;

export const depositAddressReindexRoute: ServiceRoute<Pricer & ChainReader & Recorder & ReportReceiver> = (
  app,
  parts,
) => {
  const limit = new RateLimit();
  app.post(
    "/transactions/deposit-address/reindex",
    {
      schema: {
        summary: "Check a deposit address for payments",
        body: ReindexBodySchema,
        response: { 200: ReindexResultSchema, "4xx": ServiceErrorSchema, "5xx": ServiceErrorSchema },
      },
    },
    async ({ body, caller }, reply) => {
      const { chainId, depositAddress, targetChainId = chainId, currency } = body;
      const chain = requireAnnouncedChain(parts, targetChainId, "targetChainId");
      const all = parts.currencies.ofChain(chain.id).map((priced) => priced.currency);
      const known = currency === undefined ? undefined : parts.currencies.find(chain.id, currency);
      if (currency !== undefined && known === undefined) {
        throw rejectField("currency", currency, `chain ${chain.id} has no such currency`, "Omit it to check all.");
      }
      const { db } = parts.store;
      const address = await findDepositAddress(db, depositAddress);
      const request = address && (await findRequest(db, address.request_id));
      if (address === undefined || request?.origin_chain_id !== chainId)
        throw rejectUnknown(`deposit address ${depositAddress}`);
      if (caller !== undefined && request.api_key_hash !== null && !isOwnRequest(caller, request)) {
        throw rejectForbidden(
          "depositAddress",
          "belongs to another integrator",
          "Send a key of the integrator that quoted it.",
        );
      }
      const now = parts.clock.now();
      if (!limit.take(`${address.address} ${chain.id} ${currency?.toLowerCase()}`, CALLS_PER_MINUTE, now)) {
        const seconds = secondsToNext(MINUTE_MS, now);
        void reply.header("retry-after", seconds);
        throw rejectRate({ calls: CALLS_PER_MINUTE, periodMs: MINUTE_MS }, seconds);
      }
      const checked = known === undefined ? all : [known.currency];
      const addresses = checked.map((one) => one.address);
      const { found, errors } = await parts.reports.depositAddress(chain, address, addresses);
      if (errors.length === checked.length) throw errors[0];
      if (found.length === 0) throw rejectUnknown(`a payment at ${depositAddress}`);
      const triggeredCurrencies = found.map(({ currency: of, amount }) => ({
        currency: of,
        symbol: checked.find((one) => one.address === of)?.symbol ?? "",
        balance: amount.toString(),
      }));
      return {
        message: `Deposits ${triggeredCurrencies.map(({ symbol }) => symbol).join(" and ")}`,
        triggeredCurrencies,
        checkedCurrencies: checked.length,
        failedCurrencies: errors.length,
      };
    },
  );
};
