import type { ServiceTrust } from "@crosscall/sdk/internal/verify/trust";
import type { ServiceParts } from "../service/serviceParts.ts";

/** Who may use the console. */
export interface ConsoleAccess {
  /** Host names besides loopback under which the console is served. */
  readonly hosts: readonly string[];
  /** Whether the network can be changed through those hosts, with the admin key. */
  readonly isAdmin: boolean;
  /** Whether changes through loopback need no admin key, because it is the published default. */
  readonly isKeyPublic: boolean;
}

/** What the console shows and controls. */
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
