import * as Type from "typebox";

import { rejectField } from "../../market/rejection.ts";

/** Default number of records per page (spec 1, section 8). */
export const DEFAULT_LIMIT = 20;

/**
 * Maximum time in Unix seconds: just before the end of the year 9999, so that an exclusive bound fits JavaScript dates
 * and the database.
 */
const LAST_SECOND = 253_402_300_798;

/** Optional text. Empty text is rejected, because it is usually an unset variable. */
export const text = (description: string) => Type.Optional(Type.String({ minLength: 1, description }));

export const wholeNumber = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description }));

/** Unix seconds. */
export const seconds = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: LAST_SECOND, description: `${description} Unix seconds.` }));

export const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/**
 * Rejects unknown parameters, because ignoring a misspelled filter would list too much.
 *
 * @param hints hints for parameters that only exist in another version
 * @throws {@link RejectionError} naming the first unknown parameter
 */
export function requireKnownParameters(
  path: string,
  schema: Type.TObject,
  query: object,
  hints: Readonly<Record<string, string>>,
): void {
  for (const [name, value] of Object.entries(query)) {
    if (Object.hasOwn(schema.properties, name)) continue;
    const hint = Object.hasOwn(hints, name) ? hints[name] : undefined;
    throw rejectField(
      name,
      value,
      `unknown parameter of GET ${path}`,
      hint ?? "Correct or omit it; /documentation lists the parameters.",
    );
  }
}
/** Query with `referrer`, which the published SDK sends to every endpoint. */
export const referrerQuery = { referrer: Type.Optional(Type.String({ description: "Accepted without effect." })) };

export const commonQuery = {
  id: text("The request's id."),
  orderId: text("The id of the deposit in the settlement protocol."),
  user: text("Sender or recipient."),
  depositAddress: text("The deposit address."),
  originChainId: wholeNumber("Chain of the deposit."),
  destinationChainId: wholeNumber("Chain of the fill."),
  privateChainsToInclude: text("Accepted without effect: this network has no private chains."),
  includeChildRequests: flag("With id or depositAddress: also list duplicates, retries and refunds."),
  includeAuthenticatedData: flag("Include fields that only the integrator of a request may see."),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: DEFAULT_LIMIT })),
  continuation: text("Cursor of the previous page."),
};
