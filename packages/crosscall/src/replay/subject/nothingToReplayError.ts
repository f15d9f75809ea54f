import { CrosscallError } from "@crosscall/protocol/core";

/** A fill has no calls, so there is nothing to explain. */
export class NothingToReplayError extends CrosscallError {
  readonly code = "NOTHING_TO_REPLAY";

  constructor(parameters: { what: string; reason: string; hint: string }) {
    super({ message: `${parameters.what}: ${parameters.reason}`, hint: parameters.hint });
  }
}
