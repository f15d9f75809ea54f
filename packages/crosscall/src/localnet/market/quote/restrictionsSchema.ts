// Separate from the functions, because admin commands use it and must not load the database.
import * as Type from "typebox";

const RouteSchema = Type.Object({ originChainId: Type.Integer(), destinationChainId: Type.Integer() });

export const RestrictionsSchema = Type.Object({
  disabledChains: Type.Optional(Type.Array(Type.Integer(), { description: "CHAIN_DISABLED" })),
  sanctionedWallets: Type.Optional(Type.Array(Type.String(), { description: "SANCTIONED_WALLET_ADDRESS" })),
  sanctionedCurrencies: Type.Optional(Type.Array(Type.String(), { description: "SANCTIONED_CURRENCY" })),
  unsupportedCurrencies: Type.Optional(Type.Array(Type.String(), { description: "UNSUPPORTED_CURRENCY" })),
  restrictedRoutes: Type.Optional(Type.Array(RouteSchema, { description: "ROUTE_TEMPORARILY_RESTRICTED" })),
  unquotedRoutes: Type.Optional(Type.Array(RouteSchema, { description: "NO_QUOTES" })),
});

export type Restrictions = Type.Static<typeof RestrictionsSchema>;
