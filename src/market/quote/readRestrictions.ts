import { parseData } from "@crosscall/sdk/internal/protocol/schema/parse";
import { findRestrictions } from "../../store/restrictions.ts";
import type { Market } from "../market.ts";
import { type Restrictions, RestrictionsSchema } from "./restrictions.ts";

/** What is not quoted for now, whichever process was told so. */
export async function readRestrictions({ store }: Pick<Market, "store">): Promise<Restrictions> {
  return parseData(RestrictionsSchema, (await findRestrictions(store.db)) ?? {}, "the restrictions");
}
