import { Agent, request } from "node:http";

import type { Localnet } from "../../packages/crosscall/src/localnet/index.ts";
import type { Query } from "./families.ts";

/** A minimal client, so that the service uses most of the time. */
const agent = new Agent({ keepAlive: true });

/** Requests a page and returns its JSON. */
export async function fetchPage(network: Localnet, query: Query): Promise<string> {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const url = `${network.url}/requests/v3?${search.toString()}`;
  const { status, body } = await get(url, { "x-api-key": network.apiKey });
  if (status !== 200) throw new Error(`${search.toString()}: ${body}`);
  return body;
}

function get(url: string, headers: Record<string, string>): Promise<{ status: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => resolve({ status: response.statusCode, body: Buffer.concat(chunks).toString() }));
    });
    call.on("error", reject);
    call.end();
  });
}
