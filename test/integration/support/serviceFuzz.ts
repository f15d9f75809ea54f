import fc from "fast-check";
import { zeroAddress } from "viem";

import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { brokenBody, NASTY_PATHS, nastyText, nastyValue } from "./nastyValues.ts";

/** Part of an OpenAPI schema. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly pattern?: string;
}

/** Documented route of the service. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly pathNames: readonly string[];
  readonly queryNames: readonly string[];
  readonly body: Schema | undefined;
}

/** Request to send. */
export interface FuzzedCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly parameters?: readonly { readonly in: string; readonly name: string }[];
            readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
          }
        >
      >
    >
  >;
}

/** Returns all routes of the service, including new routes. */
export async function listOperations({ url }: Localnet): Promise<Operation[]> {
  const { paths } = (await (await fetch(`${url}/documentation/json`)).json()) as OpenApi;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      pathNames: parameters.flatMap((parameter) => (parameter.in === "path" ? [parameter.name] : [])),
      queryNames: parameters.flatMap((parameter) => (parameter.in === "query" ? [parameter.name] : [])),
      body: requestBody?.content["application/json"]?.schema,
    })),
  );
}

/**
 * Generates requests to a route, most of them invalid.
 *
 * @param permitRequestId ID of a request that a permit can pay for
 */
export function fuzzedCall(network: Localnet, operation: Operation, permitRequestId: string): fc.Arbitrary<FuzzedCall> {
  return fc.record({
    method: fc.constant(operation.method),
    path: fc
      .tuple(pathOf(operation), queryOf(operation))
      .map(([path, query]) => (query === "" ? path : `${path}?${query}`)),
    headers: headersOf(network, operation),
    body: operation.method === "GET" ? fc.constant(undefined) : bodyOf(network, operation, permitRequestId),
  });
}

function pathOf({ path, pathNames }: Operation): fc.Arbitrary<string> {
  const values = fc.array(
    fc.oneof(
      nastyText()
        .filter((text) => text.isWellFormed())
        .map(encodeURIComponent),
      fc.constantFrom(...NASTY_PATHS, "31337", `0x${"1".repeat(64)}`),
    ),
    { minLength: pathNames.length, maxLength: pathNames.length },
  );
  return values.map((texts) =>
    pathNames.reduce((url, name, index) => url.replace(`{${name}}`, texts[index] ?? ""), path),
  );
}

/** Well-formed signature of an arbitrary account for any message. */
const SIGNATURE = `0x${"1".repeat(128)}1b`;

function queryOf({ queryNames }: Operation): fc.Arbitrary<string> {
  const name = fc.constantFrom("__proto__", "constructor", "unknown", ...queryNames, ...queryNames);
  const pair = fc
    .tuple(
      name,
      fc.oneof(
        nastyText(),
        fc.constant(SIGNATURE),
        nastyValue().map((value) => JSON.stringify([{ user: value, "not:status": value }])),
      ),
    )
    .map(([key, value]) => `${key}=${encodeURIComponent(value.toWellFormed())}`);
  return fc.oneof(
    { weight: 6, arbitrary: fc.array(pair, { maxLength: 4 }).map((pairs) => pairs.join("&")) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        `filters=${"[".repeat(6_000)}${"]".repeat(6_000)}`,
        "%",
        "a=%ZZ",
        "&&&==",
        "a[]=1&a[x]=2",
        "limit=1&limit=2",
        "x".repeat(8_000),
      ),
    },
  );
}

function headersOf(network: Localnet, { path, method }: Operation): fc.Arbitrary<Record<string, string>> {
  const visible = fc.stringMatching(/^[\x21-\x7e]([\x20-\x7e]{0,38}[\x21-\x7e])?$/u);
  const apiKey = fc.oneof(
    { weight: 3, arbitrary: fc.constant<string | undefined>(network.apiKey) },
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: visible },
  );
  const contentType = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string | undefined>("application/json") },
    {
      weight: 1,
      arbitrary: fc.constantFrom("text/plain", "application/json; charset=utf-16", "multipart/form-data", "a/b;;", ""),
    },
  );
  return fc.record({ apiKey, contentType, extra: visible }).map(({ apiKey, contentType, extra }) => ({
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
    ...(path.startsWith("/admin/") ? { "x-admin-key": network.adminKey } : {}),
    ...(contentType === undefined || method === "GET" ? {} : { "content-type": contentType }),
    "x-extra": extra,
  }));
}

const QUOTED_PATHS = ["/quote/v2", "/quote", "/price"];

function bodyOf(network: Localnet, { path, body }: Operation, permitRequestId: string): fc.Arbitrary<string> {
  const plausible = plausibleBody(network, path, permitRequestId) ?? exampleOf(network, body ?? {});
  const fields = Object.entries(body?.properties ?? {});
  const names = fields.flatMap(([name, { properties = {} }]) => [
    [name],
    ...Object.keys(properties).map((inner) => [name, inner]),
  ]);
  const mutated = fc
    .array(fc.tuple(fc.constantFrom(["a"], ...names), nastyValue()), { minLength: 1, maxLength: 3 })
    .map((changes) =>
      toJson(changes.reduce<unknown>((value, [names, change]) => withChange(value, names, change), plausible)),
    );
  return fc.oneof(
    { weight: 6, arbitrary: mutated },
    { weight: 2, arbitrary: nastyValue().map(toJson) },
    { weight: 1, arbitrary: brokenBody() },
  );
}

function withChange(value: unknown, [name = "a", ...inner]: readonly string[], change: unknown): unknown {
  const fields = typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  return { ...fields, [name]: inner.length === 0 ? change : withChange(fields[name], inner, change) };
}

/** Returns a body that the service rejects only after all checks of its format. */
function plausibleBody(network: Localnet, path: string, permitRequestId: string): unknown {
  if (QUOTED_PATHS.includes(path)) return goodQuote(network);
  if (path === "/execute/permits") return { kind: "eip3009", requestId: permitRequestId, api: "swap" };
  if (path !== "/execute") return undefined;
  const [{ id: chainId, contracts }] = network.chains;
  const word = `0x${"1".repeat(64)}`;
  return {
    executionKind: "rawCalls",
    data: {
      chainId,
      to: contracts.dollar,
      data: "0x",
      value: "0",
      authorizationList: [{ chainId, address: contracts.router, nonce: 0, yParity: 0, r: word, s: word }],
    },
    executionOptions: { referrer: "fuzz", subsidizeFees: false },
  };
}

/** Serializes JSON, preserving lone surrogates and prototype keys. */
function toJson(value: unknown): string {
  return JSON.stringify(value);
}

function goodQuote({ accounts, chains }: Localnet): Record<string, unknown> {
  return {
    user: accounts.user.address,
    originChainId: chains[0].id,
    destinationChainId: chains[1].id,
    originCurrency: zeroAddress,
    destinationCurrency: zeroAddress,
    tradeType: "EXACT_INPUT",
    amount: "1000000000000000000",
  };
}

function exampleOf(network: Localnet, schema: Schema): unknown {
  const [first] = schema.enum ?? schema.anyOf ?? [];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return first;
  if (schema.anyOf !== undefined) return exampleOf(network, first as Schema);
  switch (schema.type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [
          name,
          name === "chainId" ? network.chains[0].id : exampleOf(network, field),
        ]),
      );
    case "array":
      return schema.items === undefined ? [] : [exampleOf(network, schema.items)];
    case "integer":
    case "number":
      return 1;
    case "boolean":
      return true;
    default:
      return schema.pattern?.startsWith("^0x") === true ? `0x${"1".repeat(64)}` : "1";
  }
}
