import { RefusalError } from "../../market/refusal.ts";
import type { AdmissionParts } from "../serviceParts.ts";

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/**
 * Admits calls of the network's controls only. A header of its own, so that no form of a web page can send it.
 *
 * @throws {@link RefusalError} when the call does not carry the admin key
 */
export function requireAdmin({ adminKey }: Pick<AdmissionParts, "adminKey">, headers: Headers): void {
  if (headers["x-admin-key"] === adminKey) return;
  const hint = "Send the network's admin key in the x-admin-key header; crosscall up prints it.";
  throw new RefusalError({
    status: 401,
    body: { message: `the controls of the network need the admin key. ${hint}`, errorCode: "UNAUTHORIZED" },
    hint,
  });
}
