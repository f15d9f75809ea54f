import type { FastifyRequest } from "fastify";

import { markup, type Markup } from "../../replay/report/html/markup.ts";
import type { KeyDisplay } from "./consoleParts.ts";
import { copyBlock } from "./elements.ts";

/** Equivalent commands for use outside the console. */
export interface Commands {
  readonly curl: string;
  readonly sdk: string;
  readonly cli: string;
}

/** URL and API key with which a caller reaches the service. */
export interface Service {
  readonly url: string;
  /** API key; undefined if the page must not show it. */
  readonly apiKey: string | undefined;
}

/** Quotes text for a shell, because the text on a page may be untrusted. */
export function shellText(text: string): string {
  return /^[\w./:=@-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

export function commandBlocks({ curl, sdk, cli }: Commands): Markup {
  return markup`<details class="commands"><summary>As curl, SDK code and command</summary>
${copyBlock("curl", curl)}${copyBlock("SDK", sdk)}${copyBlock("Command", cli)}</details>`;
}

/** Converts a name such as `currencyInSymbol` to an option such as `--currency-in-symbol`. */
export function toOption(name: string): string {
  return `--${name.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @param filters query parameters of `GET /requests/v3` */
export function listCommands({ url, apiKey }: Service, filters: URLSearchParams): Commands {
  const query = filters.size === 0 ? "" : `?${filters.toString()}`;
  const fields = [...filters].map(([name, value]) => `${name}: ${valueOf(name, value)}`);
  const options = [...filters].map(([name, value]) =>
    value === "true" ? toOption(name) : `${toOption(name)} ${shellText(value)}`,
  );
  return {
    curl: `curl ${shellText(`${url}/requests/v3${query}`)} ${keyHeader(apiKey)}`,
    sdk: `import { createServiceClient, listRequests } from "@crosscall/sdk";

const client = createServiceClient(${clientOptions({ url, apiKey })});
const { requests } = await listRequests(client, { ${fields.join(", ")} });`,
    cli: ["crosscall requests list", ...options, serviceOptions({ url, apiKey })].join(" "),
  };
}

export function requestCommands({ url, apiKey }: Service, requestId: string): Commands {
  return {
    curl: `curl ${shellText(`${url}/requests/v3?id=${requestId}`)} ${keyHeader(apiKey)}`,
    sdk: `import { createServiceClient, getRequest } from "@crosscall/sdk";

const client = createServiceClient(${clientOptions({ url, apiKey })});
const request = await getRequest(client, { requestId: ${JSON.stringify(requestId)} });`,
    cli: `crosscall requests get ${shellText(requestId)} ${serviceOptions({ url, apiKey })}`,
  };
}

/**
 * Returns a curl command for an admin route. The command reads the admin key from a variable, because the page never
 * shows it.
 */
export function adminCurl(url: string, path: string, body?: unknown): string {
  const data = body === undefined ? "" : ` -H 'content-type: application/json' -d ${shellText(JSON.stringify(body))}`;
  return `curl ${shellText(`${url}${path}`)} -H "x-admin-key: $CROSSCALL_ADMIN_KEY"${data}`;
}

export function keyHeader(apiKey: string | undefined): string {
  return apiKey === undefined ? `-H "x-api-key: $CROSSCALL_API_KEY"` : `-H ${shellText(`x-api-key: ${apiKey}`)}`;
}

export function clientOptions({ url, apiKey }: Service): string {
  const key = apiKey === undefined ? "process.env.CROSSCALL_API_KEY" : JSON.stringify(apiKey);
  return `{ baseUrl: ${JSON.stringify(url)}, apiKey: ${key} }`;
}

/** Returns the CLI options for the service. If the key must not be shown, commands read it from `CROSSCALL_API_KEY`. */
export function serviceOptions({ url, apiKey }: Service): string {
  return `--api-url ${shellText(url)}${apiKey === undefined ? "" : ` --api-key ${shellText(apiKey)}`}`;
}

function valueOf(name: string, value: string): string {
  if (name === "filters") return value;
  if (name === "features") return JSON.stringify(value.split(","));
  return /^(?:\d+|true|false)$/u.test(value) && !/^(?:id|orderId|term|amountUsd.*|appFees.*)$/u.test(name)
    ? value
    : JSON.stringify(value);
}

/** Returns the service at the address that the browser uses. */
export function serviceOf({ protocol, host }: FastifyRequest, { shownApiKey }: KeyDisplay): Service {
  return { url: `${protocol}://${host}`, apiKey: shownApiKey };
}
