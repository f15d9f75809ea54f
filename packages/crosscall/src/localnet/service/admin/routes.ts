import * as Type from "typebox";

import { RestrictionsSchema } from "../../market/quote/restrictionsSchema.ts";
import * as S from "./schemas.ts";

/** An admin route. The service registers it, and the commands call it. */
export interface AdminRoute {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  /** Path with parameters, such as `/admin/keys/:id`. */
  readonly path: string;
  readonly summary: string;
  readonly params?: Type.TSchema;
  readonly query?: Type.TSchema;
  readonly body?: Type.TSchema;
  readonly response: Type.TSchema;
  /** Status of a successful response; 200 by default. */
  readonly status?: number;
}

/** Input of a route: `params`, `query` and `body`, if the route has them. */
export type AdminInput<Route> = InputPart<Route, "params"> & InputPart<Route, "query"> & InputPart<Route, "body">;

type InputPart<Route, Part extends "params" | "query" | "body"> =
  Route extends Readonly<Record<Part, infer Schema extends Type.TSchema>>
    ? Readonly<Record<Part, Type.Static<Schema>>>
    : unknown;

export type AdminResponse<Route extends Pick<AdminRoute, "response">> = Type.Static<Route["response"]>;

const chainParams = Type.Object({ chainId: Type.Integer() });
const requestParams = Type.Object({ requestId: Type.String({ description: "The request's id." }) });
const keyParams = Type.Object({ keyId: Type.String({ description: "The key's id." }) });

/** All admin routes, grouped by topic. */
export const ADMIN_ROUTES = {
  chains: {
    state: {
      method: "GET",
      path: "/admin/chains/:chainId",
      summary: "Show the state of a chain",
      params: chainParams,
      response: S.ChainStateSchema,
    },
    mine: {
      method: "POST",
      path: "/admin/chains/:chainId/mine",
      summary: "Add blocks",
      params: chainParams,
      body: S.BlocksSchema,
      response: S.ChainStateSchema,
    },
    reorg: {
      method: "POST",
      path: "/admin/chains/:chainId/reorg",
      summary: "Replace the last blocks with empty ones",
      params: chainParams,
      body: S.BlocksSchema,
      response: S.ChainStateSchema,
    },
    mining: {
      method: "POST",
      path: "/admin/chains/:chainId/mining",
      summary: "Mine at an interval, or with each transaction",
      params: chainParams,
      body: S.MiningSchema,
      response: S.ChainStateSchema,
    },
    latency: {
      method: "POST",
      path: "/admin/chains/:chainId/latency",
      summary: "Delay every RPC call of the chain",
      params: chainParams,
      body: S.LatencySchema,
      response: S.ChainStateSchema,
    },
    faucet: {
      method: "POST",
      path: "/admin/chains/:chainId/faucet",
      summary: "Send native currency or tokens to an account",
      params: chainParams,
      body: S.FaucetSchema,
      response: S.FundedSchema,
    },
  },
  clock: {
    read: {
      method: "GET",
      path: "/admin/clock",
      summary: "Show the service's time",
      response: S.TimeSchema,
    },
    set: {
      method: "PUT",
      path: "/admin/clock",
      summary: "Set the service's time",
      body: S.NewTimeSchema,
      response: S.TimeSchema,
    },
  },
  fills: {
    list: {
      method: "GET",
      path: "/admin/fills",
      summary: "List the holds and the held fills",
      query: Type.Object({ limit: Type.Optional(Type.Integer({ description: "From 1 to 1,000; default 100." })) }),
      response: S.HeldFillsSchema,
    },
    hold: {
      method: "POST",
      path: "/admin/fills/hold",
      summary: "Hold fills",
      body: S.HoldSchema,
      response: S.FillHoldSchema,
    },
    release: {
      method: "POST",
      path: "/admin/fills/release",
      summary: "Release held fills",
      body: S.ReleaseSchema,
      response: S.ReleasedSchema,
    },
  },
  keys: {
    list: {
      method: "GET",
      path: "/admin/keys",
      summary: "List API keys by id",
      response: Type.Object({ keys: Type.Array(S.KeySchema) }),
    },
    add: {
      method: "POST",
      path: "/admin/keys",
      summary: "Create an API key; only this response contains it",
      body: S.NewKeySchema,
      response: Type.Object({ apiKey: Type.String({ description: "The key." }), key: S.KeySchema }),
      status: 201,
    },
    revoke: {
      method: "DELETE",
      path: "/admin/keys/:id",
      summary: "Revoke an API key permanently and delete its webhook",
      params: Type.Object({ id: Type.String({ description: "The key's id." }) }),
      response: Type.Object({ key: S.KeySchema }),
    },
  },
  requests: {
    deposit: {
      method: "POST",
      path: "/admin/requests/:requestId/deposit",
      summary: "Report a deposit on a simulated chain",
      params: requestParams,
      body: S.SimulatedDepositSchema,
      response: Type.Object({ txHash: Type.String() }),
    },
    setRecord: {
      method: "POST",
      path: "/admin/requests/:requestId/record",
      summary: "Set simulated fields of a request's record",
      params: requestParams,
      body: S.RecordFieldsSchema,
      response: S.RecordFieldsSchema,
    },
    transitions: {
      method: "GET",
      path: "/admin/requests/:requestId/transitions",
      summary: "List the state changes of a request",
      params: requestParams,
      response: S.RequestTransitionsSchema,
    },
  },
  restrictions: {
    read: {
      method: "GET",
      path: "/admin/restrictions",
      summary: "Show the restrictions of quotes",
      response: RestrictionsSchema,
    },
    set: {
      method: "POST",
      path: "/admin/restrictions",
      summary: "Set the restrictions of quotes",
      body: RestrictionsSchema,
      response: RestrictionsSchema,
    },
  },
  revenueShare: {
    read: {
      method: "GET",
      path: "/admin/revenue-share",
      summary: "Show an API key's share of the platform fee",
      query: Type.Pick(S.RevenueShareSchema, ["apiKey"]),
      response: S.RevenueShareSchema,
    },
    set: {
      method: "POST",
      path: "/admin/revenue-share",
      summary: "Set the terms of an API key's share of the platform fee",
      body: S.NewRevenueShareSchema,
      response: S.RevenueShareSchema,
    },
  },
  scenarios: {
    list: {
      method: "GET",
      path: "/admin/scenarios",
      summary: "List the active scenarios",
      response: S.ActiveScenariosSchema,
    },
    set: {
      method: "POST",
      path: "/admin/scenarios",
      summary: "Set a scenario",
      body: S.NewScenarioSchema,
      response: S.ActiveScenarioSchema,
    },
    clear: {
      method: "DELETE",
      path: "/admin/scenarios",
      summary: "Clear scenarios; held requests continue",
      query: Type.Object({
        name: Type.Optional(Type.String({ description: "Scenario to clear; all by default." })),
      }),
      response: S.ActiveScenariosSchema,
    },
  },
  snapshot: {
    read: {
      method: "GET",
      path: "/admin/snapshot",
      summary: "Take a snapshot of chains, database and clock, for `crosscall up --from`",
      response: Type.Unknown(),
    },
  },
  sponsors: {
    read: {
      method: "GET",
      path: "/admin/sponsors",
      summary: "Show the remaining balance of a sponsor",
      query: Type.Pick(S.SponsorSchema, ["apiKey"]),
      response: S.SponsorSchema,
    },
    set: {
      method: "POST",
      path: "/admin/sponsors",
      summary: "Let an API key sponsor fees",
      body: S.SponsorSchema,
      response: S.SponsorSchema,
    },
  },
  webhooks: {
    list: {
      method: "GET",
      path: "/admin/webhooks",
      summary: "List the webhooks, without their secrets",
      response: Type.Object({ webhooks: Type.Array(S.WebhookSchema) }),
    },
    set: {
      method: "PUT",
      path: "/admin/webhooks",
      summary: "Set the webhook of an API key",
      body: S.NewWebhookSchema,
      response: S.OneWebhookSchema,
    },
    remove: {
      method: "DELETE",
      path: "/admin/webhooks/:keyId",
      summary: "Remove the webhook of an API key and its secret",
      params: keyParams,
      response: S.OneWebhookSchema,
    },
    test: {
      method: "POST",
      path: "/admin/webhooks/:keyId/test",
      summary: "Send one test event to the webhook of an API key",
      params: keyParams,
      response: S.WebhookTestSchema,
    },
    deliveries: {
      method: "GET",
      path: "/admin/webhooks/deliveries",
      summary: "List webhook events and their delivery, newest first",
      query: S.DeliveryQuerySchema,
      response: S.DeliveriesSchema,
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, AdminRoute>>>>;

/** Returns the path of an HTTP request, with its parameters and query. */
export function adminPath({ path }: Pick<AdminRoute, "path">, input: object): string {
  const { params = {}, query = {} } = input as { readonly params?: Values; readonly query?: Values };
  const filled = path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(String(params[name])));
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value));
  return given.size === 0 ? filled : `${filled}?${given.toString()}`;
}

type Values = Readonly<Record<string, string | number | undefined>>;

/** Handler of each route in the table. */
export type AdminHandlers = {
  readonly [Group in keyof typeof ADMIN_ROUTES]: {
    readonly [Name in keyof (typeof ADMIN_ROUTES)[Group]]: AdminHandler<(typeof ADMIN_ROUTES)[Group][Name]>;
  };
};

type AdminHandler<Route> = Route extends AdminRoute
  ? (input: AdminInput<Route>) => AdminResponse<Route> | Promise<AdminResponse<Route>>
  : never;
