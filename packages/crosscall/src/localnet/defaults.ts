// Separate from the options, so that `--help` loads no schemas.
import type { ChainOptions } from "./devchain/options.ts";

export const WAIT_TIMEOUT_MS = 600_000;

/** Default API key of a local network. */
export const LOCAL_API_KEY = "crosscall-local";

/** In US dollars. */
export const SPONSOR_BALANCE_USD = 1_000;

export const QUOTE_TTL_MS = 3_600_000;

/** 30 days. */
export const DEPOSIT_ADDRESS_TTL_MS = 2_592_000_000;

export type TwoOrMore<Item> = readonly [Item, Item, ...Item[]];

/** Origin and destination chain of the examples. */
export const DEFAULT_CHAINS: TwoOrMore<ChainOptions> = [{ id: 31_337 }, { id: 31_338 }];

/** `service` runs the HTTP API with the console; `worker` runs fills, refunds and webhooks. */
export const ROLES = ["service", "worker"] as const;
