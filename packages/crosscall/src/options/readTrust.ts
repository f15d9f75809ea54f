import * as Type from "typebox";

import { parseData } from "@crosscall/protocol/schema";
import { type ServiceTrust, serviceTrust } from "@crosscall/sdk/verify";
import { readJson } from "./readJson.ts";

const addresses = Type.Array(Type.String({ minLength: 1 }));

const TrustSchema = Type.Unsafe<Readonly<Record<string, Type.Static<typeof ChainSchema>>>>({
  type: "object",
  description: "Pinned chains by chain id.",
});

const ChainSchema = Type.Object({
  name: Type.String({ minLength: 1, description: "Chain name in orders, such as base." }),
  depositories: addresses,
  solvers: addresses,
  routers: Type.Optional(addresses),
  spenders: Type.Optional(addresses),
  programs: Type.Optional(addresses),
  delegates: Type.Optional(addresses),
  payees: Type.Optional(addresses),
});

/** The pinned addresses of the service, and those of a file. A chain in the file replaces the pinned one. */
export async function readTrust(path: string | undefined): Promise<ServiceTrust> {
  if (path === undefined) return serviceTrust;
  const content = parseData(TrustSchema, await readJson(path, "--trust"), `the addresses in ${path}`);
  const chains = Object.entries(content).map(([id, chain]) => [
    id,
    parseData(ChainSchema, chain, `the addresses in ${path}`, id),
  ]);
  return { ...serviceTrust, ...(Object.fromEntries(chains) as ServiceTrust) };
}
