import { ServiceError } from "@crosscall/protocol/core";

/** Whether a service does not have an endpoint yet, or no longer. */
export function isMissingEndpoint(error: unknown): boolean {
  return error instanceof ServiceError && (error.status === 404 || error.status === 410);
}
