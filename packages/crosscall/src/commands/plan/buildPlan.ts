import type { Address } from "viem";

import type { AnyRecipe, CheckedContracts, PlannedRecipe } from "@crosscall/sdk/kit";
import {
  CALL_RULES,
  type CallPlan,
  type FindingCode,
  type KnownProxy,
  planCalls,
  type PlannedAction,
  planRecipe,
  type PlanRecipeParameters,
} from "@crosscall/sdk/calls";
import { isSameAddress, parseEvmAddress } from "@crosscall/protocol/chains";
import { ROUTER_ADDRESS } from "@crosscall/protocol/generations";
import { InvalidInputError } from "@crosscall/protocol/core";
import { type QuoteRequest, QuoteRequestSchema } from "@crosscall/protocol/quote/rules";
import {
  KnownProxySchema,
  parseActions,
  parsePart,
  PlanContractsSchema,
  type PlanDescription,
  ProgramRunnerSchema,
  readAllowance,
  readAmounts,
} from "./parseActions.ts";
import { reviveArguments } from "./readAbi.ts";
import { readAmountField, readArguments, findRecipe } from "./recipeCatalogue.ts";

export interface BuiltPlan {
  /** Quote request; includes `txs` if there are calls. */
  readonly request: Partial<QuoteRequest>;
  /** Contracts on the destination chain that the plan uses or lists. */
  readonly contracts: CheckedContracts;
}

/** Findings of the check. Commands show all of them, then fail on errors. */
const EVERY_FINDING = Object.keys(CALL_RULES) as FindingCode[];

const WAYS = ["recipe", "actions", "txs"] as const;

export function buildPlan(description: PlanDescription): BuiltPlan {
  const given = WAYS.filter((way) => description[way] !== undefined);
  if (given.length > 1) {
    throw new InvalidInputError({
      field: given.join(", "),
      value: given.length,
      reason: "recipe, actions and txs each define the calls",
      hint: "Keep one of recipe, actions and txs.",
    });
  }
  if (description.recipe !== undefined) return finishRecipe(description);
  if (description.actions !== undefined) return finishActions(description, description.actions);
  const { amount } = description;
  return {
    request: {
      ...requestPart(description),
      ...(amount === undefined ? {} : { amount: String(readAmountField(amount, "amount")) }),
    },
    contracts: checkedContracts(description, { router: routerOf(description), proxies: [] }),
  };
}

function finishRecipe(description: PlanDescription): BuiltPlan {
  const { recipe: named, programs, proxy, wraps, keepUnit, destinationCurrency, routerVersion } = description;
  const recipient = recipientOf(description);
  const { recipe, args } = isRecipe(named)
    ? { recipe: named, args: description.args }
    : readListed(findRecipe(named), description.args);
  const planned: PlannedRecipe = planRecipe({
    recipe,
    // The arguments have no static type, because the recipe is known only at run time.
    args: args as never,
    recipient,
    accepts: EVERY_FINDING,
    tradeType: tradeTypeOf(description),
    amount: readAmountField(description.amount, "amount"),
    router: routerOf(description),
    ...(routerVersion === undefined ? {} : { routerVersion }),
    ...readAmounts(description, ["minimumIn", "minimumOut", "deadline"], ""),
    ...readAllowance(description.allowance, ""),
    ...(programs === undefined ? {} : { programs }),
    ...(proxy === undefined ? {} : { proxy: parseEvmAddress(proxy, "proxy") }),
    ...(wraps === undefined ? {} : { wraps }),
    ...(keepUnit === undefined ? {} : { keepUnit }),
  } as PlanRecipeParameters<AnyRecipe>);
  if (destinationCurrency !== undefined && !isSameAddress(destinationCurrency, planned.destinationCurrency)) {
    throw new InvalidInputError({
      field: "destinationCurrency",
      value: destinationCurrency,
      reason: `the recipe takes ${planned.destinationCurrency}`,
      hint: "Omit destinationCurrency.",
    });
  }
  const inputToken = (wraps ?? planned.destinationCurrency) as Address;
  return {
    request: { ...requestPart(description), recipient, ...planned },
    contracts: checkedContracts(description, {
      router: routerOf(description),
      proxies: proxy === undefined ? [] : [{ address: parseEvmAddress(proxy, "proxy"), inputToken }],
    }),
  };
}

/** A mint names its function, which determines the types of the arguments. */
function readListed({ recipe, args: fields }: ReturnType<typeof findRecipe>, given: unknown) {
  const args = readArguments(fields, given ?? {}, "args");
  if (!("abi" in args)) return { recipe, args };
  const { abi, functionName, args: values } = args as { abi: CallAbi; functionName: string; args: readonly unknown[] };
  return { recipe, args: { ...args, args: reviveArguments(abi, functionName, values, "args") } };
}

type CallAbi = Parameters<typeof reviveArguments>[0];

function finishActions(description: PlanDescription, listed: readonly unknown[]): BuiltPlan {
  const { programs, routerVersion } = description;
  const recipient = recipientOf(description);
  const destinationCurrency = parseEvmAddress(description.destinationCurrency, "destinationCurrency");
  const actions = parseActions(listed, recipient);
  const planned = planCalls({
    accepts: EVERY_FINDING,
    tradeType: tradeTypeOf(description),
    router: routerOf(description),
    ...(routerVersion === undefined ? {} : { routerVersion }),
    destinationCurrency,
    recipient,
    ...readAmounts(description, ["amount"], ""),
    actions,
    ...(programs === undefined ? {} : { programs }),
  } as CallPlan);
  return {
    request: { ...requestPart(description), recipient, destinationCurrency, ...planned },
    contracts: checkedContracts(description, {
      router: routerOf(description),
      proxies: actions.flatMap((action) => (action.kind === "proxy" ? [knownProxy(action)] : [])),
    }),
  };
}

function knownProxy(action: Extract<PlannedAction, { kind: "proxy" }>) {
  const { proxy } = action;
  return { address: proxy, ...("token" in action ? { inputToken: action.token } : {}) };
}

/** Returns the quote request without the amount, because the amount is a bigint in modules. */
function requestPart(description: PlanDescription): Omit<Partial<QuoteRequest>, "amount"> {
  const names = Object.keys(QuoteRequestSchema.properties).filter((name) => name !== "amount");
  return Object.fromEntries(Object.entries(description).filter(([name]) => names.includes(name)));
}

function routerOf({ router }: PlanDescription): Address {
  return router === undefined ? ROUTER_ADDRESS : parseEvmAddress(router, "router");
}

function recipientOf({ recipient, user }: PlanDescription): Address {
  const account = recipient ?? user;
  if (account !== undefined) return parseEvmAddress(account, recipient === undefined ? "user" : "recipient");
  throw new InvalidInputError({
    field: "recipient",
    value: undefined,
    reason: "the output and the remainder need a recipient",
    hint: "Set recipient, or user if the user is also the recipient.",
  });
}

function tradeTypeOf({ tradeType }: PlanDescription): CallPlan["tradeType"] {
  if (tradeType === "EXACT_INPUT" || tradeType === "EXACT_OUTPUT") return tradeType;
  throw new InvalidInputError({
    field: "tradeType",
    value: tradeType,
    reason: "calls require a fixed input or a fixed output",
    hint: "Use EXACT_INPUT or EXACT_OUTPUT.",
  });
}

function isRecipe(value: unknown): value is AnyRecipe {
  return typeof value === "object" && value !== null && "use" in value && typeof value.use === "function";
}

function checkedContracts(
  { contracts = {}, programs, routerVersion }: PlanDescription,
  used: { readonly router: Address; readonly proxies: readonly KnownProxy[] },
): CheckedContracts {
  const { trusted, anyCallers } = parsePart(PlanContractsSchema, contracts, "contracts");
  if (programs !== undefined) parsePart(ProgramRunnerSchema, programs, "programs");
  const pushExecutor = contracts.pushExecutor ?? programs?.executor;
  const livePuller = contracts.livePuller ?? programs?.livePuller;
  const proxies = [
    ...used.proxies,
    ...(contracts.proxies ?? []).map((proxy, index) => {
      const at = `contracts.proxies[${index}]`;
      const { address, inputToken } = parsePart(KnownProxySchema, proxy, at);
      return {
        address: parseEvmAddress(address, `${at}.address`),
        ...(inputToken === undefined ? {} : { inputToken: parseEvmAddress(inputToken, `${at}.inputToken`) }),
      };
    }),
  ];
  return {
    router: used.router,
    ...(routerVersion === undefined ? {} : { routerVersion }),
    ...(pushExecutor === undefined ? {} : { pushExecutor: parseEvmAddress(pushExecutor, "contracts.pushExecutor") }),
    ...(livePuller === undefined ? {} : { livePuller: parseEvmAddress(livePuller, "contracts.livePuller") }),
    ...(proxies.length === 0 ? {} : { proxies }),
    ...(trusted === undefined ? {} : { trusted: readList(trusted, "contracts.trusted") }),
    ...(anyCallers === undefined ? {} : { anyCallers: readList(anyCallers, "contracts.anyCallers") }),
  };
}

function readList(accounts: readonly string[], at: string): Address[] {
  return accounts.map((account, index) => parseEvmAddress(account, `${at}[${index}]`));
}
