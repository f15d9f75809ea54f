import { endpointGeneration, successorOf } from "@crosscall/protocol/generations";
import { type Confidence, FIRST_LISTING_ENDED, type Read, SECOND_LISTING_ENDED } from "./rules.ts";

const QUOTE_END = endpointGeneration("/quote/v2").endsOn.slice(0, 10);

/**
 * Endpoints by the path in a URL. For `/quote`, `/price` and `/requests`, a finding is certain only in a URL of the
 * service.
 */
const ENDPOINT =
  /(?<before>https?:\/\/[\w.:-]*relay\.link|[\w.})\]]|["'`]|\+\s*["'`])(?<path>\/(?:quote(?:\/v2)?|price|execute\/permits|requests))(?=["'`?#\s$)]|\/?["'`]|$)/gu;

/** A client's method, whose server is configured elsewhere, but not that of a server. */
const SENDING = /(?<!\b(?:app|router|server|fastify|mock|http))\.(?:get|post|request)(?:<[^>\n]*>)?\(\s*$/u;

const COMMON_PATHS = new Set(["/quote", "/price", "/requests"]);

interface FieldRule {
  readonly pattern: RegExp;
  readonly reads: string;
  readonly replace: (code: string) => string;
  readonly reason: string;
}

const FEES = "v3 has fees by component in fees.quoted; relayer is execution and platform together";

const NO_ITEMS = "a step of v3 is one action, without a list of items";

/** Fields of a v2 quote that v3 has elsewhere. */
const FIELD_RULES: readonly FieldRule[] = [
  {
    pattern: /\bsteps?(?:\?\.)?(?:\[[^\]\n]*\])?(?:\?)?\.items\b(?:\??\.?\[\d+\])?/gu,
    reads: "steps[].items",
    replace: (code) => code.replace(/\??\.items\b(?:\??\.?\[\d+\])?/u, ""),
    reason: NO_ITEMS,
  },
  {
    pattern: /\bsteps?(?:\?\.)?(?:\[[^\]\n]*\])?\??\.requestId\b/gu,
    reads: "steps[].requestId",
    replace: (code) => code.replace(/\bsteps?(?:\?\.)?(?:\[[^\]\n]*\])?\??\.requestId\b/u, "requestId"),
    reason: "v3 has the request id once, next to steps",
  },
  {
    pattern: /\bsteps?(?:["']\])?(?:\[\w+\])?\[["']items["']\](?:\[\d+\])?/gu,
    reads: "steps[].items",
    replace: (code) => code.replace(/\[["']items["']\](?:\[\d+\])?/u, ""),
    reason: NO_ITEMS,
  },
  ...(
    [
      ["relayerGas", "execution"],
      ["relayerService", "platform"],
      ["relayer", "platform"],
      ["gas", "execution"],
      ["app", "app"],
      ["subsidized", "sponsored"],
    ] as const
  ).map(([from, to]) => ({
    pattern: new RegExp(`\\bfees(?:\\??\\.${from}\\b|["']?\\]?\\[["']${from}["']\\])`, "gu"),
    reads: `fees.${from}`,
    replace: (code: string) =>
      code.includes("[") ? code.replace(`["${from}"]`, `["quoted"]["${to}"]`) : `fees.quoted.${to}`,
    reason: FEES,
  })),
];

/** Packages of the service that request v2 quotes up to version 7.0.3. */
const OLDER_PACKAGES =
  /["'](@relayprotocol\/relay-(?:sdk|kit-hooks|kit-ui)|@reservoir0x\/relay-(?:sdk|kit-hooks|kit-ui))["']/gu;

const PRICE_CALL = /\bgetPrice\(/gu;

/** Returns whether a file has anything that {@link readsOfQuotes} reports. */
export function mentionsQuotes(text: string): boolean {
  return /relay\.link|\/quote|\/price|execute\/permits|relay-(?:sdk|kit)|@crosscall\/sdk/u.test(text);
}

/**
 * Finds uses of the retired quote endpoints in the text of a file in any language: URLs, SDK calls, and fields of their
 * responses. `isRecordsText` adds URLs of request listings, for languages without a parser.
 */
export function readsOfQuotes(text: string, isRecordsText: boolean): Read[] {
  const reads = [...readsOfEndpoints(text, isRecordsText), ...readsOfPackages(text)];
  // By themselves, names such as `steps` and `fees` mean something else in most programs.
  if (reads.length === 0) return [];
  return [...reads, ...readsOfFields(text)];
}

function readsOfEndpoints(text: string, isRecordsText: boolean): Read[] {
  return [...text.matchAll(ENDPOINT)]
    .flatMap((match) => {
      const { before = "", path = "" } = match.groups ?? {};
      const isService = before.includes("relay.link");
      const isUncertain = COMMON_PATHS.has(path) && !isService;
      // For example, `${base}/quote`, base + "/quote" and post("/quote"), if the file has a URL of the service.
      const isSent = /^["'`]$/u.test(before) && SENDING.test(text.slice(0, match.index));
      const isAppended = (isSent || /^(?:[})\]]|\+.*)$/su.test(before)) && text.includes("relay.link");
      const isOther = isUncertain && !isAppended && !/relay/iu.test(lineOf(text, match.index));
      if (isComment(text, match.index) || isOther) return [];
      const start = match.index + (isService ? 0 : before.length);
      const code = match[0].slice(start - match.index);
      if (path === "/requests") {
        const confidence = isService ? "certain" : "likely";
        return [read(start, code, confidence, "GET /requests", `${code}/v3`, FIRST_LISTING_ENDED)];
      }
      const successor = successorOf(path) ?? "/quote/v3";
      const reason = `POST ${path} ends on ${QUOTE_END}; POST ${successor} requires an API key or an access token`;
      const replacement = code.slice(0, -path.length) + successor;
      return [read(start, code, isUncertain ? "likely" : "certain", `POST ${path}`, replacement, reason)];
    })
    .concat(isRecordsText ? readsOfListings(text) : []);
}

function readsOfListings(text: string): Read[] {
  return [...text.matchAll(/\/requests\/v2\b|(?<![\w/-])requests\/v2\b/gu)].flatMap(({ index, 0: code }) =>
    isComment(text, index)
      ? []
      : [read(index, code, "certain", "GET /requests/v2", code.replace("v2", "v3"), SECOND_LISTING_ENDED)],
  );
}

function readsOfPackages(text: string): Read[] {
  const older = [...text.matchAll(OLDER_PACKAGES)].map(({ index, 0: code, 1: name = "" }) =>
    read(
      index,
      code,
      "likely",
      `quotes of ${name}`,
      code,
      `versions of this package up to 7.0.3 request v2 quotes, which end on ${QUOTE_END}: update the package`,
    ),
  );
  if (!text.includes("@crosscall/sdk")) return older;
  const prices = [...text.matchAll(PRICE_CALL)].map(({ index, 0: code }) =>
    read(
      index,
      code,
      "certain",
      "getPrice",
      "getQuote(",
      `POST /price ends on ${QUOTE_END}; a quote has the same prices`,
    ),
  );
  return [...older, ...prices];
}

/** Names of a step in a loop over `steps`, or in a callback of one of its methods. */
const STEP_NAMES = /\b(?:const|let) (\w+) of [\w.?]*\bsteps\b|\bsteps\??\.\w+\(\s*(?:async\s*)?\(?\s*(\w+)\s*[,):=]/gu;

function readsOfFields(text: string): Read[] {
  const names = new Set([...text.matchAll(STEP_NAMES)].map(([, inLoop, inCallback]) => inLoop ?? inCallback));
  return [...FIELD_RULES, ...stepRules([...names].filter((name) => !/^steps?$/u.test(name ?? "step")))].flatMap(
    ({ pattern, reads, replace, reason }) =>
      [...text.matchAll(pattern)].flatMap(({ index, 0: code }) =>
        isComment(text, index) ? [] : [read(index, code, "likely", reads, replace(code), reason)],
      ),
  );
}

function stepRules(names: readonly (string | undefined)[]): FieldRule[] {
  if (names.length === 0) return [];
  return [
    {
      pattern: new RegExp(`(?<![\\w.])(?:${names.join("|")})\\??\\.items\\b(?:\\??\\.?\\[\\d+\\])?`, "gu"),
      reads: "steps[].items",
      replace: (code) => code.replace(/\??\.items.*$/u, ""),
      reason: NO_ITEMS,
    },
  ];
}

function read(
  start: number,
  code: string,
  confidence: Confidence,
  reads: string,
  replacement: string,
  reason: string,
): Read {
  return { start, code, confidence, reads, replacement, reason };
}

function lineOf(text: string, index: number): string {
  const end = text.indexOf("\n", index);
  return text.slice(text.lastIndexOf("\n", index - 1) + 1, end === -1 ? undefined : end);
}

function isComment(text: string, index: number): boolean {
  return /^\s*(?:\/\/|\*|#|\/\*|<!--)/u.test(lineOf(text, index));
}
