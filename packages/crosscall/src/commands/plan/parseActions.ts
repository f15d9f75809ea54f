import * as Type from "typebox";
import type { Static, TObject } from "typebox";
import { listMismatches, oneOf, ROUTER_VERSIONS } from "@crosscall/protocol/schema";
import { QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import { maxUint256 } from "viem";
import type { PlannedAction } from "@crosscall/sdk/calls";
import { isPlaceholder } from "@crosscall/sdk/kit";
import { rejectUnknownNames } from "@crosscall/protocol/common/rejectUnknownOptions";
import { InvalidInputError } from "@crosscall/protocol/core";
import { CallSchema } from "@crosscall/protocol/common";

import { readAbi, reviveAmount, reviveArguments } from "./readAbi.ts";
import { readAmountField } from "./recipeCatalogue.ts";

/** A decimal string in files or a bigint in modules, for `readAmountField`. */
const amountField = Type.Optional(Type.Unknown());

const text = Type.Optional(Type.String());
const texts = Type.Optional(Type.Array(Type.String()));

const AllowanceSchema = Type.Object({ refusesChange: Type.Optional(Type.Boolean()), standing: amountField });

export const ProgramRunnerSchema = Type.Object({
  executor: Type.String(),
  livePuller: Type.String(),
  by: Type.Optional(oneOf(["push", "pull"], "How it receives balances.")),
});

export const KnownProxySchema = Type.Object({ address: Type.String(), inputToken: text });

/** Trust in contracts for the checker, in addition to the contracts that the plan uses. */
export const PlanContractsSchema = Type.Object({
  pushExecutor: text,
  livePuller: text,
  proxies: Type.Optional(Type.Array(KnownProxySchema)),
  trusted: texts,
  anyCallers: texts,
});

/** Fields of the quote request, and one of `recipe`, `actions` and `txs`. A plain transfer has none of the three. */
export const PlanDescriptionSchema = Type.Object({
  ...Type.Partial(QuoteRequestSchema).properties,
  amount: amountField,
  router: text,
  routerVersion: Type.Optional(oneOf(ROUTER_VERSIONS, "Version of the router on the destination chain.")),
  recipe: Type.Optional(Type.Unknown()),
  args: Type.Optional(Type.Unknown()),
  minimumIn: amountField,
  minimumOut: amountField,
  deadline: amountField,
  keepUnit: Type.Optional(Type.Boolean()),
  proxy: text,
  wraps: text,
  allowance: Type.Optional(AllowanceSchema),
  actions: Type.Optional(Type.Array(Type.Unknown())),
  programs: Type.Optional(ProgramRunnerSchema),
  contracts: Type.Optional(PlanContractsSchema),
});

export type PlanDescription = Type.Static<typeof PlanDescriptionSchema>;

const kind = Type.String();
const allowance = Type.Optional(AllowanceSchema);

const CallActionSchema = Type.Object({ kind, call: CallSchema });

const ProxyActionSchema = Type.Object({
  kind,
  functionName: text,
  proxy: Type.String(),
  token: text,
  recipient: text,
  borrower: text,
  minimumIn: amountField,
  minimumOut: amountField,
  minimumRepaid: amountField,
  deadline: amountField,
  allowance,
});

const ContractActionSchema = Type.Object({
  kind,
  address: Type.String(),
  abi: Type.Unknown(),
  functionName: Type.String(),
  args: Type.Optional(Type.Array(Type.Unknown())),
  value: amountField,
  approvals: Type.Optional(Type.Array(Type.Unknown())),
  tokens: Type.Optional(Type.Array(Type.Unknown())),
  checks: Type.Optional(Type.Array(Type.Unknown())),
  deadline: amountField,
  allowance,
});

const FixedApprovalSchema = Type.Object({ token: Type.String(), spender: text, amount: amountField, allowance });
const TokenSchema = Type.Object({
  token: Type.String(),
  minimumIn: amountField,
  keepUnit: Type.Optional(Type.Boolean()),
});
const CheckSchema = Type.Object({ token: Type.String(), minimumOut: amountField });

/**
 * Parses actions. Modules can contain encoded programs.
 *
 * @param recipient default recipient of proxies
 */
export function parseActions(actions: readonly unknown[], recipient: string): PlannedAction[] {
  return actions.map((action, index) => reviveAction(action, recipient, `actions[${index}]`));
}

function reviveAction(action: unknown, recipient: string, at: string): PlannedAction {
  const actionKind = (action as { kind?: unknown } | null)?.kind;
  switch (actionKind) {
    case "call":
      return parsePart(CallActionSchema, action, at) as PlannedAction;
    case "proxy":
      return reviveProxy(action, recipient, at);
    case "contract":
      return reviveContract(action, at);
    case "program":
      return action as PlannedAction;
    default:
      throw new InvalidInputError({
        field: `${at}.kind`,
        value: actionKind,
        reason: "no action has this kind",
        hint: "Use call, proxy or contract, or program in a module.",
      });
  }
}

function reviveProxy(action: unknown, recipient: string, at: string): PlannedAction {
  const proxy = parsePart(ProxyActionSchema, action, at);
  const { functionName = "execute", token } = proxy;
  const functions = ["execute", "executeNative", "repay", "repayNative"];
  const takesNative = functionName.endsWith("Native");
  if (!functions.includes(functionName)) {
    throw new InvalidInputError({
      field: `${at}.functionName`,
      value: functionName,
      reason: "no proxy has this function",
      hint: `Use ${functions.join(", ")}.`,
    });
  }
  if (!takesNative && token === undefined) {
    throw new InvalidInputError({
      field: `${at}.token`,
      value: undefined,
      reason: "the router approves the proxy's input token",
      hint: "Pass the proxy's input token.",
    });
  }
  const who = functionName.startsWith("repay")
    ? { borrower: proxy.borrower ?? recipient }
    : { recipient: proxy.recipient ?? recipient };
  return {
    ...proxy,
    ...who,
    ...readAmounts(proxy, ["minimumIn", "minimumOut", "minimumRepaid"], at),
    ...readAllowance(proxy.allowance, at),
    functionName,
    deadline: proxy.deadline === undefined ? maxUint256 : readAmountField(proxy.deadline, `${at}.deadline`),
  } as PlannedAction;
}

function reviveContract(action: unknown, at: string): PlannedAction {
  const { approvals, tokens, checks, value, ...contract } = parsePart(ContractActionSchema, action, at);
  const { functionName, args = [] } = contract;
  const abi = readAbi(contract.abi, `${at}.abi`);
  const reviveAll = (name: string, parts: readonly unknown[] | undefined, revive: typeof reviveToken) =>
    parts === undefined ? {} : { [name]: parts.map((part, index) => revive(part, `${at}.${name}[${index}]`)) };
  return {
    ...contract,
    abi,
    args: reviveArguments(abi, functionName, args, at),
    ...(value === undefined ? {} : { value: reviveAmount(value, `${at}.value`) }),
    ...readAmounts(contract, ["deadline"], at),
    ...readAllowance(contract.allowance, at),
    ...reviveAll("approvals", approvals, reviveApproval),
    ...reviveAll("tokens", tokens, reviveToken),
    ...reviveAll("checks", checks, reviveCheck),
  } as PlannedAction;
}

function reviveToken(token: unknown, at: string): unknown {
  const part = parsePart(TokenSchema, token, at);
  return { ...part, ...readAmounts(part, ["minimumIn"], at) };
}

function reviveCheck(check: unknown, at: string): unknown {
  const part = parsePart(CheckSchema, check, at);
  return { ...part, minimumOut: readAmountField(part.minimumOut, `${at}.minimumOut`) };
}

function reviveApproval(approval: unknown, at: string): unknown {
  const revived = reviveAmount(approval, at);
  // A live amount includes its own approval.
  if (isPlaceholder(revived)) return revived;
  const part = parsePart(FixedApprovalSchema, approval, at);
  return { ...part, amount: readAmountField(part.amount, `${at}.amount`), ...readAllowance(part.allowance, at) };
}

export function readAmounts<Name extends string>(
  fields: Readonly<Partial<Record<Name, unknown>>>,
  names: readonly Name[],
  at: string,
): Partial<Record<Name, bigint>> {
  const given = names.filter((name) => fields[name] !== undefined);
  const entries = given.map((name) => [name, readAmountField(fields[name], at === "" ? name : `${at}.${name}`)]);
  return Object.fromEntries(entries) as Partial<Record<Name, bigint>>;
}

export function readAllowance(
  allowance: Type.Static<typeof AllowanceSchema> | undefined,
  at: string,
): { allowance?: { refusesChange?: boolean; standing?: bigint } } {
  if (allowance === undefined) return {};
  const path = at === "" ? "allowance" : `${at}.allowance`;
  const { refusesChange } = parsePart(AllowanceSchema, allowance, path);
  return {
    allowance: {
      ...(refusesChange === undefined ? {} : { refusesChange }),
      ...readAmounts(allowance, ["standing"], path),
    },
  };
}

/**
 * Rejects unknown fields, because a misspelled limit would have no effect.
 *
 * @param at path in the plan, `""` for the whole
 */
export function parsePart<Schema extends TObject>(schema: Schema, value: unknown, at: string): Static<Schema> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new InvalidInputError({
      field: at === "" ? "plan" : at,
      value,
      reason: "it is not an object",
      hint: "Write an object with the fields that docs/plan-files.md lists.",
    });
  }
  rejectUnknownNames(value, Object.keys(schema.properties), at === "" ? "" : `${at}.`);
  const [mismatch] = listMismatches(schema, value, at);
  if (mismatch === undefined) return value as Static<Schema>;
  throw new InvalidInputError({
    field: mismatch.path === "" ? "plan" : mismatch.path,
    value: mismatch.value,
    reason: mismatch.reason,
    hint: `Write ${mismatch.path === "" ? "the plan" : mismatch.path} as described in docs/plan-files.md.`,
  });
}
