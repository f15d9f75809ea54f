import { InvalidInputError } from "@crosscall/protocol/core";
import { formatPath, isObject, type Keys, parseJson } from "@crosscall/protocol/schema";
import { keyHint, type NumberedRequest, type OracleResponse, type OracleHttp } from "./oracleHttp.ts";

/**
 * Result of a comparison. `both-refused`: both refused with the same status and body. `unanswered`: at least one oracle
 * sent no response.
 */
export type DiffOutcome = "both-refused" | "different" | "equal" | "refused-by-a" | "refused-by-b" | "unanswered";

export interface FieldDifference {
  /** Position of the difference: `status` for the HTTP status, otherwise a path in the body. */
  readonly path: string;
  /** Undefined if absent. */
  readonly a: unknown;
  readonly b: unknown;
}

export interface RequestDiff {
  readonly line: number;
  readonly route: string;
  readonly outcome: DiffOutcome;
  readonly fields: readonly FieldDifference[];
}

/** One of the compared oracles. */
export interface DiffSide {
  readonly http: OracleHttp;
  readonly apiKey: string | undefined;
  /** Instruction for passing a key, for hints. */
  readonly passKey: string;
}

/**
 * Sends each request to both oracles, without their peers, and compares the responses.
 *
 * @throws {@link InvalidInputError} if an oracle rejects the key
 */
export async function* diffOracles(
  requests: AsyncIterable<NumberedRequest>,
  a: DiffSide,
  b: DiffSide,
): AsyncGenerator<RequestDiff> {
  const ask = async ({ http, apiKey, passKey }: DiffSide, request: NumberedRequest): Promise<OracleResponse> => {
    const answer = await http.attest(request, false);
    const hint = keyHint(answer.status, apiKey, passKey);
    if (hint === undefined) return answer;
    throw new InvalidInputError({ field: "API key", value: "(hidden)", reason: "the oracle responded with 401", hint });
  };
  for await (const request of requests) {
    const [ofA, ofB] = await Promise.all([ask(a, request), ask(b, request)]);
    yield { line: request.line, route: request.route, ...compareResponses(ofA, ofB) };
  }
}

/** Compares two responses, except for their signers. */
function compareResponses(a: OracleResponse, b: OracleResponse): Pick<RequestDiff, "fields" | "outcome"> {
  const status = a.status === b.status ? [] : [{ path: "status", a: a.status, b: b.status }];
  const bodies = [a, b].map(({ text }) => withoutSigners(parseJson(text) ?? text));
  const fields = [...status, ...listDifferences(bodies[0], bodies[1], [])];
  const isSigned = (answer: OracleResponse): boolean => answer.status === 200;
  if (a.status === 0 || b.status === 0) return { outcome: "unanswered", fields };
  if (isSigned(a) !== isSigned(b)) return { outcome: isSigned(a) ? "refused-by-b" : "refused-by-a", fields };
  if (fields.length > 0) return { outcome: "different", fields };
  return { outcome: isSigned(a) ? "equal" : "both-refused", fields };
}

/** Keeps only the contract of the first signature in each list, because the others are from peers. */
function withoutSigners(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSigners);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      name === "signatures" && Array.isArray(field) ? field.slice(0, 1).map(contractOf) : withoutSigners(field),
    ]),
  );
}

function contractOf(signature: unknown): unknown {
  if (!isObject(signature)) return signature;
  const { oracleSigner: _signer, signature: _signature, ...contract } = signature;
  return contract;
}

function listDifferences(a: unknown, b: unknown, keys: Keys): readonly FieldDifference[] {
  if (Array.isArray(a) && Array.isArray(b)) {
    const { length } = a.length > b.length ? a : b;
    return Array.from({ length }, (_, index) => listDifferences(a[index], b[index], [...keys, index])).flat();
  }
  if (isObject(a) && isObject(b)) {
    const names = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...names].flatMap((name) => listDifferences(own(a, name), own(b, name), [...keys, name]));
  }
  return Object.is(a, b) ? [] : [{ path: formatPath(keys), a, b }];
}

function own(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
