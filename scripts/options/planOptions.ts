import { type Command, InvalidArgumentError, Option } from "commander";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";
import { ROUTER_VERSIONS, TRADE_TYPES } from "@crosscall/sdk/internal/protocol/schema/values";
import type { ArgumentText } from "../plan/mergeArguments.ts";
import type { PlanOverrides } from "../plan/planOverrides.ts";
import { parseInteger } from "./numbers.ts";

/** What {@link addPlanOptions} adds, as commander hands it over. */
export interface PlanOptions {
  readonly recipe?: string;
  readonly arg: readonly ArgumentText[];
  readonly tradeType?: string;
  readonly amount?: string;
  readonly user?: string;
  readonly recipient?: string;
  readonly refundTo?: string;
  readonly originChain?: number;
  readonly originCurrency?: string;
  readonly destinationChain?: number;
  readonly destinationCurrency?: string;
  readonly slippageBps?: number;
  readonly minimumIn?: string;
  readonly minimumOut?: string;
  readonly deadline?: string;
  readonly proxy?: string;
  readonly executor?: string;
  readonly livePuller?: string;
  readonly wraps?: string;
  readonly router?: string;
  readonly routerVersion?: string;
}

/** Adds the options that describe a plan, or override what its file says. */
export function addPlanOptions(command: Command): Command {
  return command
    .option("--recipe <name>", "what to do, by name; crosscall plan --recipes lists all")
    .option("--arg <name=value>", "an argument of the recipe; lists by commas; repeatable", addArgument, [])
    .addOption(new Option("--trade-type <type>", "what the amount means").choices(TRADE_TYPES))
    .option("--amount <amount>", "smallest unit: what is sent (EXACT_INPUT) or what is needed (EXACT_OUTPUT)")
    .option("--user <account>", "who deposits")
    .option("--recipient <address>", "who gets what the calls make and leave (default: the user)")
    .option("--refund-to <account>", "who gets refunds on the origin chain")
    .option("--origin-chain <id>", "where the user pays", parseInteger)
    .option("--origin-currency <address>", "what the user pays with; the zero address is native")
    .option("--destination-chain <id>", "where the calls are made", parseInteger)
    .option("--destination-currency <address>", "what is delivered, where no recipe says so")
    .option("--slippage-bps <bps>", "tolerance of the quote, in basis points", parseInteger)
    .option("--minimum-in <amount>", "least that must be delivered, where a proxy or a program looks")
    .option("--minimum-out <amount>", "least that must come out of the recipe")
    .option("--deadline <seconds>", "Unix time after which the calls revert")
    .option("--proxy <address>", "the typed proxy of the recipe with these arguments")
    .option("--executor <address>", "the push executor of the destination chain; needs --live-puller")
    .option("--live-puller <address>", "the live puller of the destination chain; needs --executor")
    .option("--wraps <address>", "the wrapped native, to have native delivered for it")
    .option("--router <address>", "the destination chain's router (default: the usual one)")
    .addOption(new Option("--router-version <version>", "which router it is (default: v3)").choices(ROUTER_VERSIONS));
}

/**
 * What the options say of a plan.
 *
 * @throws {@link InvalidInputError} when one of executor and puller is missing
 */
export function toPlanOverrides(options: PlanOptions): PlanOverrides {
  const { executor, livePuller, slippageBps } = options;
  if ((executor === undefined) !== (livePuller === undefined)) {
    throw new InvalidInputError({
      field: executor === undefined ? "--executor" : "--live-puller",
      value: undefined,
      reason: "a program must know both contracts, which it may not call",
      hint: "Give --executor and --live-puller together.",
    });
  }
  const fields = {
    recipe: options.recipe,
    tradeType: options.tradeType,
    amount: options.amount,
    user: options.user,
    recipient: options.recipient,
    refundTo: options.refundTo,
    originChainId: options.originChain,
    originCurrency: options.originCurrency,
    destinationChainId: options.destinationChain,
    destinationCurrency: options.destinationCurrency,
    slippageTolerance: slippageBps === undefined ? undefined : String(slippageBps),
    minimumIn: options.minimumIn,
    minimumOut: options.minimumOut,
    deadline: options.deadline,
    proxy: options.proxy,
    programs: executor === undefined ? undefined : { executor, livePuller },
    wraps: options.wraps,
    router: options.router,
    routerVersion: options.routerVersion,
  };
  return {
    fields: Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
    args: options.arg,
  };
}

function addArgument(given: string, args: readonly ArgumentText[]): readonly ArgumentText[] {
  const at = given.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Write it as name=value.");
  return [...args, { path: given.slice(0, at).split("."), text: given.slice(at + 1) }];
}
