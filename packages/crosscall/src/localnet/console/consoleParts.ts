import type { ServiceTrust } from "@crosscall/sdk/verify";
import type { Reporter } from "../log.ts";
import type { ChainReader, LedgerUser, Payer, Pricer, Recorder } from "../market/market.ts";
import type { AdminKeyHolder, ChainController } from "../service/serviceParts.ts";

/** Access rules of the console. */
export interface ConsoleAccess {
  /** Whether the console can change the network under hosts other than loopback. */
  readonly isAdmin: boolean;
}

export interface ApiKeyHolder {
  /** API key for quotes. */
  readonly apiKey: string;
}

export interface KeyDisplay {
  /** API key for commands, if the pages may show it. */
  readonly shownApiKey: string | undefined;
}

export interface QuoteVerifier {
  readonly trust: ServiceTrust;
}

/** Parts of the network that the console shows and controls. */
export interface ConsoleParts
  extends
    Recorder,
    Reporter,
    Pricer,
    ChainReader,
    LedgerUser,
    Payer,
    AdminKeyHolder,
    ChainController,
    ApiKeyHolder,
    KeyDisplay,
    QuoteVerifier {
  readonly access: ConsoleAccess;
}
