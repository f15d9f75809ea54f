import { getAddress, isAddress, isHex, size } from "viem";

import { MalformedDataError, UnsupportedStepError } from "@crosscall/protocol/core";
import {
  AUTHORIZATION_TYPES,
  PERMITS,
  type PermitTypes,
  type PlannedSignature,
  TOKEN_PERMIT_TYPES,
} from "@crosscall/protocol/quote/rules";
import { formatPath, isObject } from "@crosscall/protocol/schema";

/** EIP-712 data to sign, with the domain fields, types and members of the documented permit. */
export interface VerifiedTypedData {
  readonly domain: Readonly<Record<string, string | number>>;
  readonly types: PermitTypes["types"];
  readonly primaryType: string;
  /** Integers are decimal strings. */
  readonly value: Readonly<Record<string, unknown>>;
}

/** Undocumented part of a permit message. */
export interface PermitProblem {
  readonly code: "PERMIT_DOMAIN" | "PERMIT_TYPES" | "SIGNATURE_KNOWN";
  /** JSON path in `sign`; `""` for the whole data. */
  readonly path: string;
  readonly expected: string;
  readonly seen: unknown;
}

export interface ReadPermit {
  /** Types of the documented permit; undefined for any other message. */
  readonly permit: PermitTypes | undefined;
  /** Typed data to sign; undefined if there is a problem. */
  readonly typedData: VerifiedTypedData | undefined;
  readonly problems: readonly PermitProblem[];
}

type Members = PermitTypes["types"][string];

const TOKEN_DOMAIN: Members = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
];

const PERMIT2_DOMAIN: Members = TOKEN_DOMAIN.filter(({ name }) => name !== "version");

/** Returns the domain fields of a permit, in the order of EIP-712. */
function domainOf(permit: PermitTypes): Members {
  return permit === AUTHORIZATION_TYPES || permit === TOKEN_PERMIT_TYPES ? TOKEN_DOMAIN : PERMIT2_DOMAIN;
}

/**
 * Converts the data of a signature step to crosscall's own types. These types contain all hashed fields, so other
 * fields in the domain or message are a problem.
 */
export function readPermit({ sign }: PlannedSignature): ReadPermit {
  const problems: PermitProblem[] = [];
  const { primaryType } = sign;
  const ofName = sign.signatureKind === "eip712" ? PERMITS.filter((one) => one.primaryType === primaryType) : [];
  const permit = ofName.find(({ types }) => isSameTypes(sign.types, types));
  if (permit === undefined) {
    const isNamed = ofName.length > 0;
    const seen = sign.signatureKind === "eip712" ? primaryType : `${sign.signatureKind} of ${String(sign.message)}`;
    problems.push({
      code: isNamed ? "PERMIT_TYPES" : "SIGNATURE_KNOWN",
      path: isNamed ? "types" : "",
      expected: "a documented permit",
      seen,
    });
    return { permit, typedData: undefined, problems };
  }
  const domainFields = domainOf(permit);
  const { EIP712Domain: stated } = sign.types as Readonly<Record<string, unknown>>;
  if (stated !== undefined && !isSameMembers(stated, domainFields)) {
    problems.push({
      code: "PERMIT_TYPES",
      path: "types.EIP712Domain",
      expected: domainFields.map(({ name, type }) => `${type} ${name}`).join(", "),
      seen: stated,
    });
  }
  const read = (code: PermitProblem["code"], path: string, value: unknown, members: Members) =>
    readStruct(value, members, permit.types, [path], (at, expected, seen) =>
      problems.push({ code, path: at, expected, seen }),
    );
  // Wallets expect the chain id as a number.
  const domain = read("PERMIT_DOMAIN", "domain", sign.domain, domainFields);
  if (domain !== undefined && domainFields === PERMIT2_DOMAIN && domain.name !== "Permit2") {
    problems.push({ code: "PERMIT_DOMAIN", path: "domain.name", expected: "Permit2", seen: domain.name });
  }
  const value = read("PERMIT_TYPES", "value", sign.value, permit.types[permit.primaryType] ?? []);
  if (domain === undefined || value === undefined || problems.length > 0) {
    return { permit, typedData: undefined, problems };
  }
  const { types } = permit;
  const typedData: VerifiedTypedData = {
    domain: { ...(domain as Record<string, string>), chainId: Number(domain.chainId) },
    types,
    primaryType: permit.primaryType,
    value,
  };
  return { permit, typedData, problems };
}

/**
 * Returns the typed data of a permit to sign: crosscall's own types with the checked members of the message.
 * @throws {@link UnsupportedStepError} when the step does not request a documented permit
 * @throws {@link MalformedDataError} when the domain, types or message have undocumented fields
 */
export function toVerifiedTypedData(planned: PlannedSignature): VerifiedTypedData {
  const { permit, typedData, problems } = readPermit(planned);
  if (typedData !== undefined) return typedData;
  const { stepId, sign } = planned;
  const [problem] = problems;
  if (permit === undefined || problem === undefined) {
    throw new UnsupportedStepError({ stepId, kind: `signature ${sign.primaryType ?? sign.signatureKind}` });
  }
  throw new MalformedDataError({
    what: `step ${stepId}`,
    path: `data.sign.${problem.path}`,
    reason: `it must be ${problem.expected}`,
    hint: "Do not sign this quote.",
  });
}

function isSameTypes(seen: unknown, types: PermitTypes["types"]): boolean {
  if (!isObject(seen)) return false;
  const named = Object.keys(seen).filter((name) => name !== "EIP712Domain");
  const names = Object.keys(types);
  return (
    named.length === names.length &&
    names.every((name) => Object.hasOwn(seen, name) && isSameMembers(seen[name], types[name] ?? []))
  );
}

function isSameMembers(seen: unknown, wanted: Members): boolean {
  return (
    Array.isArray(seen) &&
    seen.length === wanted.length &&
    wanted.every(({ name, type }, index) => {
      const member: unknown = seen[index];
      return isObject(member) && member.name === name && member.type === type;
    })
  );
}

type Report = (path: string, expected: string, seen: unknown) => void;
type Keys = readonly (string | number)[];

/** @returns undefined if a problem was reported */
function readStruct(
  value: unknown,
  members: Members,
  types: PermitTypes["types"],
  keys: Keys,
  report: Report,
): Record<string, unknown> | undefined {
  const names = members.map(({ name }) => name);
  const seen = isObject(value) ? Object.keys(value) : [];
  if (!isObject(value) || seen.length !== names.length || !names.every((name) => seen.includes(name))) {
    report(formatPath(keys), `exactly ${names.join(", ")}`, value);
    return undefined;
  }
  const fields = members.map(
    ({ name, type }) => [name, readMember(value[name], type, types, [...keys, name], report)] as const,
  );
  return fields.some(([, field]) => field === undefined) ? undefined : Object.fromEntries(fields);
}

/** @returns undefined if a problem was reported */
function readMember(value: unknown, type: string, types: PermitTypes["types"], keys: Keys, report: Report): unknown {
  if (type.endsWith("[]")) {
    const of = type.slice(0, -2);
    const items = Array.isArray(value)
      ? value.map((item: unknown, index) => readMember(item, of, types, [...keys, index], report))
      : [undefined];
    if (!items.includes(undefined)) return items;
    if (!Array.isArray(value)) report(formatPath(keys), "a list", value);
    return undefined;
  }
  const struct = types[type];
  if (struct !== undefined) return readStruct(value, struct, types, keys, report);
  const read = readAtom(value, type);
  if (read === undefined) report(formatPath(keys), `of type ${type}`, value);
  return read;
}

/** Reads a value of an elementary type that permits or their domains use. */
function readAtom(value: unknown, type: string): string | boolean | undefined {
  switch (type) {
    case "address":
      // Wallets reject mixed case without a valid checksum.
      return typeof value === "string" && isAddress(value, { strict: false }) ? getAddress(value) : undefined;
    case "uint256":
      return readNumber(value);
    case "bool":
      return typeof value === "boolean" ? value : undefined;
    case "bytes32":
      return isHex(value) && value.length === 66 ? value : undefined;
    case "bytes":
      return isHex(value) && value.length === 2 + 2 * size(value) ? value : undefined;
    default:
      return type === "string" && typeof value === "string" ? value : undefined;
  }
}

/** Reads a JSON number or a decimal string. */
function readNumber(value: unknown): string | undefined {
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? String(value) : undefined;
  if (typeof value !== "string" || !/^(0|[1-9]\d{0,77})$/u.test(value)) return undefined;
  return BigInt(value) < 2n ** 256n ? value : undefined;
}
