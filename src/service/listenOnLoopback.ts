import { CrosscallError, InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { ServiceApp } from "./route.ts";

/**
 * Listens on the loopback interface.
 *
 * @param port 0 takes a free port
 * @returns the base URL
 * @throws {@link InvalidStateError} if the port is in use
 */
export async function listenOnLoopback(app: ServiceApp, port: number): Promise<string> {
  try {
    return await app.listen({ host: "127.0.0.1", port });
  } catch (cause) {
    if (cause instanceof CrosscallError) throw cause;
    throw new InvalidStateError({
      message: `the service cannot listen on port ${port} of loopback`,
      hint: "Use another port, or stop the process that uses this one.",
      cause,
    });
  }
}
