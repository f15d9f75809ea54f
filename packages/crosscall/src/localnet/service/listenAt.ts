import type { AddressInfo } from "node:net";

import { CrosscallError, InvalidStateError } from "@crosscall/protocol/core";
import { hostForUrl } from "../devchain/serveRpc.ts";
import type { ServiceApp } from "./route.ts";

const LOOPBACK = "127.0.0.1";

/**
 * @param port 0 selects a free port
 * @param address IP address of this machine; `0.0.0.0` or `::` for all of them
 * @returns the base URL for callers on this machine
 * @throws {@link InvalidStateError} if the port is in use, or this machine does not have the address
 */
export async function listenAt(app: ServiceApp, port: number, address = LOOPBACK): Promise<string> {
  try {
    await app.listen({ host: address, port });
  } catch (cause) {
    if (cause instanceof CrosscallError) throw cause;
    throw new InvalidStateError({
      message: `the service cannot listen on port ${port} of ${address === LOOPBACK ? "loopback" : address}`,
      hint: "Use another port, or stop the process that uses this one.",
      cause,
    });
  }
  const { port: taken } = app.server.address() as AddressInfo;
  return `http://${hostForUrl(address)}:${taken}`;
}
