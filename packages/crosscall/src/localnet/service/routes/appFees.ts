import * as Type from "typebox";

import { AppFeeBalancesSchema, AppFeeClaimSchema, ClaimStepsSchema } from "@crosscall/protocol/fees";
import { amountText } from "@crosscall/protocol/schema";
import { accrualCurrency, readAppFeeBalance } from "../../market/appFeeBalance.ts";
import { amountWorth, formatUsd } from "../../market/currencies.ts";
import { amountObject } from "../../market/quote/buildDetails.ts";
import { rejectPlain } from "../../market/rejection.ts";
import { findClaim, listClaims } from "../../store/appFees.ts";
import { parseWallet, quoteClaim, toClaimEntry, toClaimSteps } from "../appFees/claims.ts";
import { permitsPath } from "../deprecation.ts";
import { normalizeBody } from "../quoteBodies/normalizeAmounts.ts";
import { responses, type ServiceRoute } from "../route.ts";
import type { ChainReader, Pricer, QuoteIssuer, RandomSource, Recorder } from "../../market/market.ts";
import type { Retirer } from "../serviceParts.ts";

const WalletSchema = Type.Object({ wallet: Type.String({ description: "Recipient of app fees." }) });

const ClaimSchema = Type.Object({
  chainId: Type.Integer({ description: "Chain to pay on." }),
  currency: Type.String({ description: "Currency to pay in." }),
  recipient: Type.String({ description: "Account that receives the amount." }),
  amount: Type.Optional(amountText("In the smallest unit of the currency; everything by default.")),
});

const PageSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: "20 by default." })),
  continuation: Type.Optional(Type.String({ description: "Cursor from the previous page." })),
});

const ClaimPageSchema = Type.Object({
  claims: Type.Array(AppFeeClaimSchema),
  continuation: Type.Optional(Type.String({ description: "Cursor of the next page; absent on the last page." })),
});

/** App fee balances and claims (spec 4, section 4). */
export const appFeesRoute: ServiceRoute<Pricer & ChainReader & Recorder & RandomSource & QuoteIssuer & Retirer> = (
  app,
  parts,
) => {
  const { db } = parts.store;
  app.get(
    "/app-fees/:wallet/balances",
    {
      schema: {
        summary: "Get the app fees that a wallet can claim",
        params: WalletSchema,
        response: responses(AppFeeBalancesSchema),
      },
    },
    async ({ params }) => {
      const usdE18 = await readAppFeeBalance(parts, db, parseWallet(params.wallet));
      const accrued = accrualCurrency(parts);
      const usd = Number(formatUsd(usdE18));
      return {
        balances: usdE18 === 0n ? [] : [amountObject(amountWorth(usdE18, accrued), accrued)],
        totalBalanceUsd: usd,
        outstandingFastFillBalanceUsd: 0,
        availableBalanceUsd: usd,
      };
    },
  );
  app.post(
    "/app-fees/:wallet/claim",
    {
      schema: {
        summary: "Request the steps to claim app fees",
        params: WalletSchema,
        body: ClaimSchema,
        response: responses(ClaimStepsSchema),
      },
      preValidation: normalizeBody,
    },
    async ({ params, body }) =>
      toClaimSteps(await quoteClaim(parts, parseWallet(params.wallet), body), permitsPath(parts)),
  );
  app.get(
    "/app-fees/:wallet/claims",
    {
      schema: {
        summary: "List the claims of a wallet",
        params: WalletSchema,
        querystring: PageSchema,
        response: responses(ClaimPageSchema),
      },
    },
    async ({ params, query: { limit = 20, continuation } }) => {
      const wallet = parseWallet(params.wallet);
      if (continuation !== undefined && (await findClaim(db, continuation))?.wallet !== wallet) {
        throw rejectPlain(400, "continuation is not from a page of this wallet's claims.");
      }
      const rows = await listClaims(db, wallet, limit + 1, continuation);
      const page = rows.slice(0, limit);
      const last = rows.length > limit ? page.at(-1)?.id : undefined;
      const claims = page.map((row) => toClaimEntry(parts.currencies, row));
      return { claims, ...(last === undefined ? {} : { continuation: last }) };
    },
  );
};
