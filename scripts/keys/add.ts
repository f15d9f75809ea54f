import { AddedKeySchema } from "../../src/service/admin/keySchemas.ts";
import type { AdminOptions } from "../admin/adminOptions.ts";
import { callAdmin } from "../admin/callAdmin.ts";
import { runAdmin } from "../admin/runAdmin.ts";
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

export function runAdd(options: AddOptions): Promise<void> {
  return runAdmin((signal) => addKey(options, signal));
}

async function addKey({ json = false, ...options }: AddOptions, signal: AbortSignal): Promise<string> {
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

/** Omits absent options. */
function toBody(options: AddOptions): unknown {
  const { quoteLimit, listingLimit, otherLimit, sponsorBalance } = options;
  return {
    integrator: options.integrator,
    label: options.label,
    limits: { quote: quoteLimit, listing: listingLimit, other: otherLimit },
    sponsorBalance,
  };
}
