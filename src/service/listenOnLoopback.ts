import { CrosscallError, InvalidStateError } from "@crosscall/sdk/internal/core/errors";
import type { ServiceApp } from "./route.ts";

/**
 * Opens an application to this machine only.
 *
 * @param port 0 takes a free one
 * @returns its base URL
 * @throws {@link InvalidStateError} when the port is taken
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
