import { Command, InvalidArgumentError } from "commander";

import { AddedKeySchema } from "../../src/localnet/service/admin/keySchemas.ts";
import { addAdminOptions, type AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
import { parseInteger } from "../options/numbers.ts";
import { toJsonLine } from "../terminal/toJson.ts";

interface AddOptions extends AdminOptions {
  readonly integrator?: string;
  readonly label?: string;
  readonly quoteLimit?: number | false;
  readonly listingLimit?: number | false;
  readonly otherLimit?: number | false;
  readonly sponsorBalance?: string;
  readonly json?: boolean;
}

/** `crosscall keys add`: a new key, shown once. */
export function addCommand(): Command {
  return addAdminOptions(new Command("add").description("Make an API key. It is shown now and never again."))
    .option("--integrator <name>", "whose it is; keys of one integrator see each other's requests (default: local)")
    .option("--label <text>", "what it is for")
    .option("--quote-limit <calls>", "quotes a minute, or `off` (default: the network's)", parseLimit)
    .option("--listing-limit <calls>", "calls of the v3 listing a minute, or `off`", parseLimit)
    .option("--other-limit <calls>", "all other calls a minute, or `off`", parseLimit)
    .option("--sponsor-balance <micros>", "let it sponsor fees up to this, in USD micro-units", parseBalance)
    .option("--json", "print one JSON object instead of text")
    .addHelpText(
      "after",
      [
        "",
        "Examples:",
        "  crosscall keys add --label checkout",
        "  crosscall keys add --integrator partner --quote-limit 10 --sponsor-balance 5000000 --json",
      ].join("\n"),
    )
    .action((options: AddOptions) => runAdmin((signal) => runAdd(options, signal)));
}

async function runAdd({ json = false, ...options }: AddOptions, signal: AbortSignal): Promise<string> {
  const answer = await callAdmin(options, {
    method: "POST",
    path: "/admin/keys",
    body: toBody(options),
    schema: AddedKeySchema,
    signal,
  });
  const { apiKey, key } = answer;
  return json
    ? toJsonLine({ ok: true, ...answer })
    : `${apiKey}\nid ${key.id} of ${key.integrator}. Keep the key: it is not shown again.\n`;
}

/** Options that are left out are left out of the body. */
function toBody(options: AddOptions): unknown {
  const { quoteLimit, listingLimit, otherLimit, sponsorBalance } = options;
  return {
    integrator: options.integrator,
    label: options.label,
    limits: { quote: quoteLimit, listing: listingLimit, other: otherLimit },
    sponsorBalance,
  };
}

function parseLimit(text: string): number | false {
  if (text === "off") return false;
  const limit = parseInteger(text);
  if (limit >= 0) return limit;
  throw new InvalidArgumentError("It is neither `off` nor a number from zero on.");
}

function parseBalance(text: string): string {
  if (/^\d{1,30}$/u.test(text)) return text;
  throw new InvalidArgumentError("It is not a whole number.");
}
