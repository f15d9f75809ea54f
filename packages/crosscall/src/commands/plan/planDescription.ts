import * as Type from "typebox";

import { oneOf, ROUTER_VERSIONS } from "@crosscall/protocol/schema";
import { QuoteRequestSchema } from "@crosscall/protocol/quote/rules";

/** A decimal string in files, also a bigint in modules; read with `readAmountField`. */
export const amountField = Type.Optional(Type.Unknown());

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String()));

export const AllowanceSchema = Type.Object({ refusesChange: Type.Optional(Type.Boolean()), standing: amountField });

const ProgramRunnerSchema = Type.Object({
  executor: Type.String(),
  livePuller: Type.String(),
  by: Type.Optional(oneOf(["push", "pull"], "How balances get to it.")),
});

/** Contracts that the checker may trust or must not, besides those that the plan uses. */
const PlanContractsSchema = Type.Object({
  pushExecutor: text,
  livePuller: text,
  proxies: Type.Optional(Type.Array(Type.Object({ address: Type.String(), inputToken: text }))),
  trusted: texts,
  anyCallers: texts,
});

/** Fields of the quote request, and one of `recipe`, `actions` and `txs`; none of them for a plain transfer. */
export const PlanDescriptionSchema = Type.Object({
  ...Type.Partial(QuoteRequestSchema).properties,
  amount: amountField,
  router: text,
  routerVersion: Type.Optional(oneOf(ROUTER_VERSIONS, "Which router stands on the destination chain.")),
  recipe: Type.Optional(Type.Unknown()),
  args: Type.Optional(Type.Unknown()),
  minimumIn: amountField,
  minimumOut: amountField,
  deadline: amountField,
  proxy: text,
  wraps: text,
  allowance: Type.Optional(AllowanceSchema),
  actions: Type.Optional(Type.Array(Type.Unknown())),
  programs: Type.Optional(ProgramRunnerSchema),
  contracts: Type.Optional(PlanContractsSchema),
});

export type PlanDescription = Type.Static<typeof PlanDescriptionSchema>;
