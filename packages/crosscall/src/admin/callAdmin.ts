import {
  AbortedError,
  InvalidInputError,
  printableData,
  ServiceError,
  ServiceUnreachableError,
  TimedOutError,
} from "@crosscall/protocol/core";
import { parseData, parseJson } from "@crosscall/protocol/schema";
import { type AdminInput, adminPath, type AdminResponse, type AdminRoute } from "../localnet/service/admin/routes.ts";
import { chooseKey, type FoundNetwork, requireNetwork } from "../options/network.ts";
import { interruptOnCtrlC } from "../terminal/interrupt.ts";
import { toJsonLine, writeOutput } from "../terminal/output.ts";
import type { AdminOptions } from "./adminOptions.ts";

const TIMEOUT_MS = 30_000;

/** Parts of a route that `callAdmin` uses. */
type CalledRoute = Omit<AdminRoute, "summary">;

/**
 * Sends an admin request to a running network and prints the response as text, or as one object with `--json`. Exits
 * with 1 if `ok` returns false.
 *
 * @param input parameters, query and body of the route
 */
export async function runAdmin<Route extends CalledRoute>(
  options: AdminOptions,
  route: Route,
  input: AdminInput<Route>,
  toText: (response: AdminResponse<Route>) => string,
  toJson: (response: AdminResponse<Route>) => { readonly ok: boolean } = (response) => ({
    ok: true,
    ...(response as object),
  }),
): Promise<void> {
  using interrupt = interruptOnCtrlC();
  const response = await callAdmin(options, route, input, interrupt.signal);
  const json = toJson(response);
  if (!json.ok) process.exitCode = 1;
  writeOutput(options.json === true ? toJsonLine(json) : toText(printableData(response)));
}

/** Sends one admin request, without retries. */
export async function callAdmin<Route extends CalledRoute>(
  options: AdminOptions,
  route: Route,
  input: AdminInput<Route>,
  signal: AbortSignal,
): Promise<AdminResponse<Route>> {
  const { body } = input as { readonly body?: unknown };
  const path = adminPath(route, input as object);
  const endpoint = `${route.method} ${path}`;
  const network = requireNetwork(options.url, "--url");
  const target = readUrl(network.url, path);
  const init = toRequest(route.method, requireAdminKey(options, network), body);
  const { status, text } = await send(target, init, signal, endpoint);
  if (status < 200 || status > 299) throw toError(status, text, endpoint);
  return parseData(route.response, parseJson(text), `the response of ${endpoint}`) as AdminResponse<Route>;
}

function readUrl(url: string, path: string): string {
  if (/^https?:$/u.test(URL.canParse(url) ? new URL(url).protocol : "")) return `${url}${path}`;
  throw new InvalidInputError({
    field: "--url",
    value: url,
    reason: "it is not an HTTP URL",
    hint: "Pass the service's URL, as `crosscall up` prints it.",
  });
}

/** Returns the given admin key, or that of this folder's network. */
function requireAdminKey({ url, adminKey: given }: AdminOptions, { adminKey: own, isOwn }: FoundNetwork): string {
  const key = chooseKey({ given, own, variable: "CROSSCALL_ADMIN_KEY", url });
  if (key !== undefined) return key;
  throw new InvalidInputError({
    field: "--admin-key",
    value: undefined,
    reason: isOwn ? "the network was started with its own key" : "this URL does not belong to a network of this folder",
    hint: "Run the command in the folder of `crosscall up`, or pass the key that it prints.",
  });
}

function toRequest(method: string, adminKey: string, body: unknown): RequestInit {
  const headers = { "x-admin-key": adminKey };
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

async function send(
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  endpoint: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      ...init,
      // Following a redirect could send the admin key to another host.
      redirect: "manual",
      signal: AbortSignal.any([signal, timeout]),
    });
    // The body can also stall.
    return { status: response.status, text: await response.text() };
  } catch (cause) {
    if (signal.aborted) throw new AbortedError({ what: endpoint, cause });
    if (timeout.aborted) throw new TimedOutError({ what: endpoint, timeoutMs: TIMEOUT_MS, hint: "Try again." });
    throw new ServiceUnreachableError({ endpoint, cause });
  }
}

function toError(status: number, text: string, endpoint: string): ServiceError {
  const body = parseJson(text);
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const { message, errorCode, errorData, hint } = fields;
  return new ServiceError({
    status,
    errorCode: typeof errorCode === "string" ? errorCode : undefined,
    errorData,
    endpoint,
    message: `${endpoint} returned status ${status}: ${typeof message === "string" ? message : "no message"}`,
    hint:
      status === 401
        ? "Pass the network's admin key, which `crosscall up` prints, with --admin-key."
        : typeof hint === "string"
          ? hint
          : "Correct the value named in the message, and try again.",
  });
}
