import type { ServiceTrust } from "@crosscall/sdk/verify";
import type { ServiceParts } from "../service/serviceParts.ts";

/** Access rules of the console. */
export interface ConsoleAccess {
  /** Whether the network can be changed under other hosts than loopback, too. */
  readonly isAdmin: boolean;
}

/** Parts of the network that the console shows and controls. */
export interface ConsoleParts extends Pick<
  ServiceParts,
  "adminKey" | "chainControls" | "chains" | "clock" | "currencies" | "log" | "solver"
> {
  readonly store: ServiceParts["store"];
  readonly access: ConsoleAccess;
  /** For quotes. */
  readonly apiKey: string;
  /** The same, if the commands on the pages may show it. */
  readonly shownApiKey: string | undefined;
  readonly trust: ServiceTrust;
}
