import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import type { Answer } from "./serviceCalls.ts";

/** Sends a request to one of the network's control routes with the admin key. */
export async function callAdmin(
  network: Pick<Localnet, "adminKey" | "url">,
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Answer> {
  const response = await fetch(`${network.url}${path}`, {
    method,
    headers: {
      "x-admin-key": network.adminKey,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}
