import { Command } from "commander";

import { getCommand } from "./signature/get.ts";
import { verifyCommand } from "./signature/verify.ts";

/** `crosscall signature`: the service's signatures over requests. */
export function signatureCommand(): Command {
  return new Command("signature")
    .description("Fetch and check the service's signature over a request.")
    .addCommand(getCommand())
    .addCommand(verifyCommand());
}
