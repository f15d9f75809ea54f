import { SYSTEM_PROGRAM } from "@crosscall/protocol/vms";
import { shown } from "../report/notation.ts";
import { decodeData, type DecodedField, type DecodedInstruction, decodeInstruction } from "./decodeInstruction.ts";
import { explainFailure } from "./explainFailure.ts";
import { type LoggedCall, readLogs } from "./readLogs.ts";
import type { RawInstruction, RawMessage, RawMeta } from "./readTransaction.ts";
import {
  currencyText,
  type HeldToken,
  type SvmBalanceChange,
  type SvmCall,
  type SvmCurrency,
  type SvmNames,
  type SvmReport,
  type SvmSource,
  type SvmUsedAccount,
} from "./svmReport.ts";
import { findProgram } from "./svmPrograms.ts";

type Optional<Value> = { readonly [Field in keyof Value]?: Value[Field] | null | undefined };

/** A transaction, and what a node reports about it. */
export interface SvmOutcome {
  readonly source: SvmSource;
  readonly message: RawMessage;
  readonly meta: Optional<RawMeta>;
  /** Lamports that an account without data must have. */
  readonly rentExemptMinimum?: bigint | undefined;
}

/** Decodes a transaction: its instructions and the calls of its programs, balances, logs, and why it failed. */
export function toSvmReport(outcome: SvmOutcome, names: SvmNames = {}): SvmReport {
  const { source, message, meta, rentExemptMinimum } = outcome;
  const { loadedAddresses, logMessages, fee, computeUnitsConsumed } = meta;
  const { writable = [], readonly = [] } = loadedAddresses ?? {};
  const keys = [...message.accountKeys, ...writable, ...readonly];
  const tokens = tokensOf(keys, meta);
  const currencies = currenciesOf(tokens, names);
  const logs = logMessages ?? [];
  const logged = readLogs(logs);
  const nodes = toTree(message.instructions, meta.innerInstructions ?? []);
  const toProgram = ({ instruction }: Node): string => addressAt(keys, instruction.programIdIndex);
  const loggedOf = matchLogs(nodes, toProgram, logged.calls);
  const toCall = (node: Node): SvmCall => {
    const { instruction, path, calls } = node;
    const program = toProgram(node);
    const data = decodeData(instruction.data);
    const decoded = data === undefined ? undefined : decodeInstruction(program, data);
    const accounts = instruction.accounts.map((index, position) => ({
      address: addressAt(keys, index),
      name: decoded?.accounts[position],
    }));
    const log = loggedOf.get(node);
    return {
      path,
      program,
      programName: findProgram(program)?.name,
      name: decoded?.name,
      arguments: decoded === undefined ? [] : argumentsOf(decoded, accounts, tokens, currencies),
      accounts,
      data: data ?? instruction.data,
      computeUnits: log?.computeUnits,
      error: log?.error,
      calls: calls.map(toCall),
    };
  };
  const instructions = nodes.map(toCall);
  const failedNode = [...loggedOf].find(([, log]) => log === logged.failed)?.[0];
  return {
    source,
    failure: explainFailure({
      error: meta.err ?? null,
      failed: logged.failed === undefined ? undefined : { log: logged.failed, path: failedNode?.path },
      instructions,
      keys,
      preBalances: meta.preBalances ?? [],
      tokens,
      currencies,
      rentExemptMinimum,
    }),
    feePayer: addressAt(keys, 0),
    fee: fee == null ? undefined : BigInt(Math.trunc(fee)),
    computeUnits: computeUnitsConsumed ?? undefined,
    instructions,
    hasInnerCalls: meta.innerInstructions != null,
    balances: [...nativeChanges(keys, meta), ...tokenChanges(tokens)],
    accounts: usedAccounts(message, keys, writable.length, { names, instructions, currencies }),
    currencies,
    logs,
  };
}

function addressAt(keys: readonly string[], index: number): string {
  return keys[index] ?? `unknown account ${index}`;
}

interface Node {
  readonly instruction: RawInstruction;
  readonly path: readonly number[];
  readonly calls: Node[];
}

/** More than a chain allows. */
const MAX_DEPTH = 16;

/** Nests the calls of programs, which nodes list in the order of their start with their depth. */
function toTree(
  instructions: readonly RawInstruction[],
  inner: readonly { readonly index: number; readonly instructions: readonly RawInstruction[] }[],
): Node[] {
  return instructions.map((instruction, index) => {
    const root: Node = { instruction, path: [index], calls: [] };
    const open = [root];
    for (const nested of inner.filter((each) => each.index === index).flatMap((each) => each.instructions)) {
      // Old nodes do not report the depth. The first call has depth 2.
      const depth = Math.min(Math.max(nested.stackHeight ?? 2, 2), open.length + 1, MAX_DEPTH);
      open.length = depth - 1;
      const parent = open.at(-1) ?? root;
      const node: Node = { instruction: nested, path: [...parent.path, parent.calls.length], calls: [] };
      parent.calls.push(node);
      open.push(node);
    }
    return root;
  });
}

function inOrder(nodes: readonly Node[]): Node[] {
  return nodes.flatMap((node) => [node, ...inOrder(node.calls)]);
}

/** Finds the logs of each call. Some programs have no logs, and nodes cut long logs. */
function matchLogs(
  nodes: readonly Node[],
  programOf: (node: Node) => string,
  calls: readonly LoggedCall[],
): ReadonlyMap<Node, LoggedCall> {
  const all = inOrder(nodes);
  const found = new Map<Node, LoggedCall>();
  let next = 0;
  for (const call of calls) {
    const index = all.findIndex(
      (node, position) => position >= next && node.path.length === call.depth && programOf(node) === call.program,
    );
    const node = all[index];
    if (node === undefined) continue;
    found.set(node, call);
    next = index + 1;
  }
  return found;
}

function argumentsOf(
  { fields, rest }: DecodedInstruction,
  accounts: SvmCall["accounts"],
  tokens: ReadonlyMap<string, HeldToken>,
  currencies: readonly SvmCurrency[],
): SvmCall["arguments"] {
  const textOf = ({ type, value }: DecodedField): string => {
    if (type === "lamports") return currencyText(BigInt(value), SYSTEM_PROGRAM, currencies);
    const currency = type === "amount" ? currencyOf(fields, accounts, tokens) : undefined;
    return currency === undefined ? value : currencyText(BigInt(value), currency, currencies);
  };
  return [
    ...fields.map((field) => ({ name: field.name, value: field.value, text: textOf(field) })),
    ...(rest === "0x" ? [] : [{ name: "rest", value: rest, text: rest }]),
  ];
}

/** Returns the currency of an instruction's amount. */
function currencyOf(
  fields: readonly DecodedField[],
  accounts: SvmCall["accounts"],
  tokens: ReadonlyMap<string, HeldToken>,
): string | undefined {
  const token = fields.find(({ name }) => name === "token")?.value;
  if (token !== undefined) return token === "none" ? SYSTEM_PROGRAM : token;
  const named = (wanted: string): string | undefined => accounts.find(({ name }) => name === wanted)?.address;
  const held = ["source", "destination", "tokenAccount"].map((name) => tokens.get(named(name) ?? "")?.mint);
  return named("mint") ?? held.find((mint) => mint !== undefined);
}

/** Returns the token accounts of the transaction, by address. */
function tokensOf(keys: readonly string[], meta: SvmOutcome["meta"]): ReadonlyMap<string, HeldToken> {
  const tokens = new Map<string, HeldToken>();
  for (const [when, balances] of [
    ["before", meta.preTokenBalances],
    ["after", meta.postTokenBalances],
  ] as const) {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      const account = addressAt(keys, accountIndex);
      const known = tokens.get(account) ?? { before: 0n, after: 0n };
      const { amount, decimals } = uiTokenAmount;
      tokens.set(account, { ...known, mint, owner: owner ?? undefined, decimals, [when]: BigInt(amount) });
    }
  }
  return tokens;
}

/** Currencies that most transactions use. */
const CURRENCIES: readonly SvmCurrency[] = [
  { address: SYSTEM_PROGRAM, symbol: "SOL", decimals: 9 },
  { address: "So11111111111111111111111111111111111111112", symbol: "WSOL", decimals: 9 },
  { address: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v", symbol: "USDC", decimals: 6 },
  { address: "Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB", symbol: "USDT", decimals: 6 },
];

const MAX_SYMBOL = 20;
const MAX_DECIMALS = 255;

function currenciesOf(tokens: ReadonlyMap<string, HeldToken>, names: SvmNames): SvmCurrency[] {
  const known = new Map(CURRENCIES.map((each) => [each.address, each]));
  for (const { address, symbol, decimals } of names.currencies ?? []) {
    if (!Number.isInteger(decimals) || decimals < 0 || decimals > MAX_DECIMALS) continue;
    known.set(address, { address, symbol: shown(symbol, MAX_SYMBOL), decimals });
  }
  // The node reports the decimals of the mint itself.
  for (const { mint, decimals } of tokens.values()) {
    known.set(mint, { address: mint, symbol: known.get(mint)?.symbol ?? mint, decimals });
  }
  return [...known.values()];
}

function nativeChanges(keys: readonly string[], meta: SvmOutcome["meta"]): SvmBalanceChange[] {
  const [before, after] = [meta.preBalances ?? [], meta.postBalances ?? []];
  return keys.flatMap((account, index): SvmBalanceChange[] => {
    const [had, has] = [before[index], after[index]];
    if (had === undefined || has === undefined || had === has) return [];
    const isExact = [had, has].every((balance) => Number.isSafeInteger(balance));
    const [exactBefore, exactAfter] = [BigInt(Math.trunc(had)), BigInt(Math.trunc(has))];
    return [{ account, owner: undefined, currency: SYSTEM_PROGRAM, before: exactBefore, after: exactAfter, isExact }];
  });
}

function tokenChanges(tokens: ReadonlyMap<string, HeldToken>): SvmBalanceChange[] {
  return [...tokens].flatMap(([account, { owner, mint, before, after }]) =>
    before === after ? [] : [{ account, owner, currency: mint, before, after, isExact: true }],
  );
}

interface NameSources {
  readonly names: SvmNames;
  readonly instructions: readonly SvmCall[];
  readonly currencies: readonly SvmCurrency[];
}

function usedAccounts(
  { header, accountKeys }: RawMessage,
  keys: readonly string[],
  loadedWritable: number,
  { names, instructions, currencies }: NameSources,
): SvmUsedAccount[] {
  const { numRequiredSignatures, numReadonlySignedAccounts, numReadonlyUnsignedAccounts } = header;
  const isWritable = (index: number): boolean => {
    if (index < numRequiredSignatures) return index < numRequiredSignatures - numReadonlySignedAccounts;
    if (index < accountKeys.length) return index < accountKeys.length - numReadonlyUnsignedAccounts;
    return index < accountKeys.length + loadedWritable;
  };
  const roles = new Map<string, string>();
  const add = ({ accounts, calls }: SvmCall): void => {
    for (const { address, name } of accounts) {
      if (name !== undefined && !roles.has(address)) roles.set(address, toWords(name));
    }
    calls.forEach(add);
  };
  instructions.forEach(add);
  const symbols = new Map(currencies.map(({ address, symbol }) => [address, symbol]));
  const nameOf = (address: string, index: number): string | undefined => {
    const given = names.accounts ?? {};
    if (Object.hasOwn(given, address)) return given[address];
    const program = findProgram(address);
    if (program !== undefined) return `${program.name} program`;
    const symbol = symbols.get(address);
    if (symbol !== undefined && symbol !== address) return symbol;
    return index === 0 ? "fee payer" : roles.get(address);
  };
  return keys.map((address, index) => ({
    address,
    name: nameOf(address, index),
    isSigner: index < numRequiredSignatures,
    isWritable: isWritable(index),
  }));
}

/** Converts `vaultTokenAccount` to `vault token account`. */
function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`);
}
