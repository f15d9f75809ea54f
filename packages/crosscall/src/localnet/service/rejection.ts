import { RejectionError } from "../market/rejection.ts";
import type { Rate } from "./keys/keyOptions.ts";
import { MINUTE_MS } from "./rateLimit.ts";

export function rejectKey(): RejectionError {
  const hint = "Send an active key in the x-api-key header.";
  return new RejectionError({
    status: 401,
    body: { message: `the API key is missing, unknown or revoked. ${hint}`, errorCode: "UNAUTHORIZED" },
    hint,
  });
}

/** Rejects a request that exceeds the rate limit (spec 4, section 4). */
export function rejectRate({ calls, periodMs }: Pick<Rate, "calls" | "periodMs">, seconds: number): RejectionError {
  const hint = `Wait ${seconds} s, or start the network with --limits off.`;
  return new RejectionError({
    status: 429,
    body: { message: `more than ${calls} requests per ${periodMs === MINUTE_MS ? "minute" : "second"}. ${hint}` },
    hint,
  });
}

export function rejectForbidden(field: string, reason: string, hint: string): RejectionError {
  return new RejectionError({
    status: 403,
    body: {
      message: `${field} ${reason}. ${hint}`,
      errorCode: "FORBIDDEN",
      errorData: `${field}: ${reason}`,
      field,
      hint,
    },
    hint,
  });
}
