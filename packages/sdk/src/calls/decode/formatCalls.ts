import { type Abi, type Address, isAddress, maxUint256, size, slice } from "viem";

import { rejectUnknownOptions } from "@crosscall/protocol/common/rejectUnknownOptions";
import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import { formatAmount } from "@crosscall/protocol/encoding";
import { formatProgram } from "../program/formatProgram.ts";
import type { DecodedProgram } from "../program/decodedProgram.ts";
import type { DecodedCall, DecodedFunctionCall } from "./decodedCall.ts";
import { findKnownFunction } from "./knownFunctions.ts";
import { SWAP_ROUTERS } from "./swapRouters.ts";

/** Symbol and decimals for amounts of a token. */
export interface TokenNotation {
  /** Address of the token; the zero address for native currency, which is ETH with 18 decimals by default. */
  readonly address: Address;
  readonly symbol: string;
  readonly decimals: number;
}

export interface FormatCallsOptions {
  /** Names to print instead of addresses, by address. */
  readonly labels?: Readonly<Record<Address, string>>;
  readonly tokens?: readonly TokenNotation[];
  /** ABIs of program targets. */
  readonly abis?: readonly Abi[];
}

const NATIVE: TokenNotation = { address: EVM_NATIVE_CURRENCY, symbol: "ETH", decimals: 18 };

interface Names {
  readonly nameOf: (account: string) => string;
  readonly tokenOf: (account: string) => TokenNotation | undefined;
  readonly abis: readonly Abi[];
}

/**
 * Formats decoded calls as text: one line per call, with inner calls and program lines indented below it. Amounts are
 * in the tokens' notation if there is one, or in the smallest unit.
 */
export function formatCalls(calls: readonly DecodedCall[], options: FormatCallsOptions = {}): string {
  const toText = ({ place, text, lines }: CallLine): string[] => [
    place === "" ? text : `${place} ${text}`,
    ...lines.flatMap(toText).map((line) => `  ${line}`),
  ];
  return describeCalls(calls, options).flatMap(toText).join("\n");
}

/** A call, an argument or a program line as text, and the lines inside it. */
export interface CallLine {
  /** Index of a call, such as `txs[0]`; empty for other lines. */
  readonly place: string;
  readonly text: string;
  readonly lines: readonly CallLine[];
}

/** Describes decoded calls as a tree, with the same texts as {@link formatCalls}. */
export function describeCalls(calls: readonly DecodedCall[], parameters: FormatCallsOptions = {}): readonly CallLine[] {
  rejectUnknownOptions(parameters, { labels: 1, tokens: 1, abis: 1 });
  const { labels = {}, tokens = [], abis = [] } = parameters;
  const notations = [...tokens, NATIVE];
  const tokenOf = (account: string): TokenNotation | undefined =>
    notations.find(({ address }) => isSameAddress(address, account));
  const labelOf = (account: string): string | undefined =>
    Object.entries(labels).find(([address]) => isSameAddress(address, account))?.[1];
  const nameOf = (account: string): string => {
    // A malformed address could fake other lines of the output.
    if (!isAddress(account, { strict: false })) return JSON.stringify(account);
    return labelOf(account) ?? (account === EVM_NATIVE_CURRENCY ? account : (tokenOf(account)?.symbol ?? account));
  };
  return calls.map((call, index) => lineOf(call, `txs[${index}]`, { nameOf, tokenOf, abis }));
}

function leaf(text: string): CallLine {
  return { place: "", text, lines: [] };
}

function lineOf(call: DecodedCall, place: string, names: Names): CallLine {
  const head = names.nameOf(call.to);
  const value = call.value === "0" ? "" : ` with ${formatSent(call, names)}`;
  const sent = `${value}${call.mayFail ? ", may fail" : ""}`;
  switch (call.kind) {
    case "empty":
      return { place, text: `${head}${value === "" ? " without value" : ""}${sent}`, lines: [] };
    case "malformed":
      return { place, text: `${head} ${JSON.stringify(call.data)}, ${call.reason}${sent}`, lines: [] };
    case "unknown": {
      const note = call.expected === undefined ? "" : `, which does not match ${call.expected}`;
      const words = call.words.map((word, index) => leaf(`${index}: ${word}`));
      return { place, text: `${head}.${call.selector}${note}${sent}`, lines: words };
    }
    case "function": {
      const args = call.args.map(({ name, value }) => formatArgument(name, value, call, names));
      const program =
        call.program === undefined
          ? []
          : formatProgram(call.program, {
              abis: [...names.abis, knownFunctionsOf(call.program)],
              labels: labelsOf(call.program, names),
            }).split("\n");
      const inner = call.calls.map((each, index) => lineOf(each, String(index), names));
      return {
        place,
        text: `${head}.${call.name}(${args.join(", ")})${sent}${formatTail(call)}`,
        lines: [...program.map(leaf), ...inner],
      };
    }
  }
}

function knownFunctionsOf({ steps }: DecodedProgram): Abi {
  return steps.flatMap(({ data }) => (size(data) < 4 ? [] : (findKnownFunction(slice(data, 0, 4))?.item ?? [])));
}

/** Returns names of the program's accounts. A token can have a name only in its notation. */
function labelsOf(
  { recipient, tokens, checks, steps }: NonNullable<DecodedFunctionCall["program"]>,
  { nameOf }: Names,
): Record<Address, string> {
  const accounts = [
    recipient,
    ...[...tokens, ...checks].map(({ token }) => token),
    ...steps.flatMap(({ target, draws }) => [
      target,
      ...draws.flatMap((draw) => (draw.kind === "forSpender" ? [draw.spender] : [])),
    ]),
  ];
  return Object.fromEntries(accounts.map((account) => [account, nameOf(account)]));
}

function formatArgument(name: string, value: unknown, call: DecodedFunctionCall, names: Names): string {
  if (name === "program" && call.program !== undefined) return "program: below";
  if (name === "calls" && Array.isArray(value) && call.calls.length === value.length) return "calls: below";
  const text = formatValue(name, value, {
    number: (path, amount) => formatNumber(path, amount, call, names),
    text: (part) => formatText(part, names),
  });
  return name === "" ? text : `${name}: ${text}`;
}

function formatText(value: string, names: Names): string {
  if (isAddress(value, { strict: false })) return names.nameOf(value);
  return /^0x(?:[0-9a-f]{2})*$/u.test(value) ? value : JSON.stringify(value);
}

function formatNumber(path: string, value: bigint, call: DecodedFunctionCall, names: Names): string {
  const token = call.amounts[path];
  if (token === undefined) return value === maxUint256 && path.endsWith("deadline") ? "none" : String(value);
  if (value === maxUint256) return "the maximum";
  if (value === SWAP_ROUTERS.universalRouter.balance) return "its balance";
  if (value === 0n && call.name.startsWith("cleanup")) return "all";
  return formatOf(value, names.tokenOf(token));
}

function formatOf(amount: bigint, token: TokenNotation | undefined): string {
  return token === undefined ? String(amount) : `${formatAmount(amount, token.decimals)} ${token.symbol}`;
}

function formatSent({ value }: DecodedCall, { tokenOf }: Names): string {
  if (value === "all") return `all ${tokenOf(EVM_NATIVE_CURRENCY)?.symbol ?? ""}`;
  return /^\d{1,78}$/u.test(value) ? formatOf(BigInt(value), tokenOf(EVM_NATIVE_CURRENCY)) : JSON.stringify(value);
}

function formatTail({ tail }: DecodedFunctionCall): string {
  if (tail === undefined) return " from non-canonical data";
  return tail === "0x" ? "" : ` and ${tail}`;
}

export interface ValueNotation {
  /** @param path path of the number in the arguments: `params.amountIn`, `amounts.0` */
  number(path: string, value: bigint): string;
  /** Formats an address, bytes or a text. */
  text(value: string): string;
}

/** Formats arrays in brackets, and structs with the names of their members. */
export function formatValue(path: string, value: unknown, notation: ValueNotation): string {
  if (typeof value === "bigint") return notation.number(path, value);
  if (Array.isArray(value)) {
    return `[${value.map((part, index) => formatValue(`${path}.${index}`, part, notation)).join(", ")}]`;
  }
  if (typeof value === "object" && value !== null) {
    const parts = Object.entries(value).map(
      ([name, part]) => `${name}: ${formatValue(`${path}.${name}`, part, notation)}`,
    );
    return `{${parts.join(", ")}}`;
  }
  return typeof value === "string" ? notation.text(value) : String(value);
}
