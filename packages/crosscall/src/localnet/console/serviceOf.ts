import type { FastifyRequest } from "fastify";

import type { Service } from "./commands.ts";
import type { ConsoleParts } from "./consoleParts.ts";

/** The service under the address that the browser uses. */
export function serviceOf(
  { protocol, host }: FastifyRequest,
  { shownApiKey }: Pick<ConsoleParts, "shownApiKey">,
): Service {
  return { url: `${protocol}://${host}`, apiKey: shownApiKey };
}
