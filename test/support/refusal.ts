import { CrosscallError } from "../../sdk/src/core/errors.ts";

/** Runs something that must throw an error of the kit, and gives that error. */
export function caught(run: () => unknown): CrosscallError {
  try {
    run();
  } catch (error) {
    return requireKitError(error);
  }
  throw new Error("nothing was thrown");
}

/** Waits for something that must fail with an error of the kit, and gives that error. */
export async function rejected(promise: Promise<unknown>): Promise<CrosscallError> {
  try {
    await promise;
  } catch (error) {
    return requireKitError(error);
  }
  throw new Error("nothing was thrown");
}

/** What programs read of an error: its code and fields, without the text for people. */
export function factsOf(error: CrosscallError): Record<string, unknown> {
  const { message: _message, hint: _hint, reason: _reason, ...facts } = error.toJSON();
  return facts;
}

/** Code, field and value of a refused input. */
export function refusal(run: () => unknown): Record<string, unknown> {
  return factsOf(caught(run));
}

function requireKitError(error: unknown): CrosscallError {
  if (error instanceof CrosscallError) return error;
  throw error;
}
