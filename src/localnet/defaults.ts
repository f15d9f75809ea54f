// Apart from the options, so that `--help` loads no schemas.
import type { ChainOptions } from "../devchain/options.ts";

/** How long deposits and fills may take when nothing else is said, in milliseconds. */
export const WAIT_TIMEOUT_MS = 600_000;

/** Default API key of a local network. */
export const LOCAL_API_KEY = "crosscall-local";

/** Default admin key of a local network. */
export const LOCAL_ADMIN_KEY = "crosscall-admin";

/** What a sponsoring key has to spend when nothing else is said, in US dollars. */
export const SPONSOR_BALANCE_USD = 1_000;

/** How long an order can be filled when nothing else is said, in milliseconds. */
export const QUOTE_TTL_MS = 3_600_000;

/** A network moves something from one chain to another. */
export type TwoOrMore<Item> = readonly [Item, Item, ...Item[]];

/** The chains that a local network has when none are given: the origin and the destination of the examples. */
export const DEFAULT_CHAINS: TwoOrMore<ChainOptions> = [{ id: 31_337 }, { id: 31_338 }];
