import { CrosscallError } from "../../packages/protocol/src/core/errors.ts";

/** Runs a function that must throw one of the kit's errors, and returns that error. */
export function caught(run: () => unknown): CrosscallError {
  try {
    run();
  } catch (error) {
    return requireKitError(error);
  }
  throw new Error("nothing was thrown");
}

/** Awaits a promise that must reject with one of the kit's errors, and returns that error. */
export async function rejected(promise: Promise<unknown>): Promise<CrosscallError> {
  try {
    await promise;
  } catch (error) {
    return requireKitError(error);
  }
  throw new Error("nothing was thrown");
}

/** Returns the machine-readable part of an error: its code and fields, without the message and hint. */
export function factsOf(error: CrosscallError): Record<string, unknown> {
  const { message: _message, hint: _hint, reason: _reason, ...facts } = error.toJSON();
  return facts;
}

/** Returns the code, field and value of a rejected input. */
export function refusal(run: () => unknown): Record<string, unknown> {
  return factsOf(caught(run));
}

function requireKitError(error: unknown): CrosscallError {
  if (error instanceof CrosscallError) return error;
  throw error;
}
