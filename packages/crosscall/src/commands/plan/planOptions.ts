import { InvalidArgumentError, Option } from "commander";

import { InvalidInputError } from "@crosscall/protocol/core";
import { ROUTER_VERSIONS, TRADE_TYPES } from "@crosscall/protocol/schema";
import type { Command } from "../../options/command.ts";
import { parseInteger } from "../../options/commonOptions.ts";

/** Fields of a plan file, in the order in which commands print them. */
const FIELDS = [
  "recipe",
  "tradeType",
  "amount",
  "user",
  "recipient",
  "refundTo",
  "originChainId",
  "originCurrency",
  "destinationChainId",
  "destinationCurrency",
  "slippageTolerance",
  "minimumIn",
  "minimumOut",
  "deadline",
  "proxy",
  "programs",
  "wraps",
  "router",
  "routerVersion",
] as const;

/** `vault=0x…`, `market.irm=0x…`. */
export interface ArgumentText {
  readonly path: readonly string[];
  readonly text: string;
}

export interface PlanOptions extends Readonly<Partial<Record<(typeof FIELDS)[number], unknown>>> {
  readonly arg: readonly ArgumentText[];
  readonly originChain?: number;
  readonly destinationChain?: number;
  readonly slippageBps?: number;
  readonly executor?: string;
  readonly livePuller?: string;
}

export function addPlanOptions(command: Command): Command {
  return command
    .option("--recipe <name>", "recipe name from `crosscall plan --recipes`")
    .option(
      "--arg <name=value>",
      "recipe argument; lists as a,b, nested fields as market.irm=0x…; repeatable",
      addArgument,
      [],
    )
    .addOption(new Option("--trade-type <type>", "trade type; EXPECTED_OUTPUT only without calls").choices(TRADE_TYPES))
    .option("--amount <amount>", "amount to pay (EXACT_INPUT) or to receive (EXACT_OUTPUT), in the smallest unit")
    .option("--user <account>", "account that deposits")
    .option("--recipient <address>", "account that receives output and leftovers (default: the user)")
    .option("--refund-to <account>", "account that receives refunds on the origin chain")
    .option("--origin-chain <id>", "chain on which the user pays", parseInteger)
    .option("--origin-currency <address>", "currency that the user pays; the zero address is native currency")
    .option("--destination-chain <id>", "chain on which the calls run", parseInteger)
    .option("--destination-currency <address>", "delivered currency, unless the recipe determines it")
    .option("--slippage-bps <bps>", "slippage tolerance of the quote, in bps", parseInteger)
    .option("--minimum-in <amount>", "minimum delivered amount, checked by proxy or program")
    .option("--minimum-out <amount>", "minimum output of the recipe")
    .option("--deadline <seconds>", "Unix time after which the calls revert (default: none)")
    .option("--proxy <address>", "typed proxy for the recipe")
    .option("--executor <address>", "push executor on the destination chain; needs --live-puller")
    .option("--live-puller <address>", "live puller on the destination chain; needs --executor")
    .option("--wraps <address>", "wrapped native token; native currency is delivered and wrapped")
    .option("--router <address>", "router on the destination chain (default: the common address)")
    .addOption(new Option("--router-version <version>", "router version (default: v3)").choices(ROUTER_VERSIONS));
}

export function toPlanOverrides(options: PlanOptions): PlanOverrides {
  const { executor, livePuller, slippageBps } = options;
  if ((executor === undefined) !== (livePuller === undefined)) {
    throw new InvalidInputError({
      field: executor === undefined ? "--executor" : "--live-puller",
      value: undefined,
      reason: "a program requires the addresses of both contracts, because it must not call them",
      hint: "Pass --executor and --live-puller together.",
    });
  }
  const named: PlanOptions = {
    ...options,
    originChainId: options.originChain,
    destinationChainId: options.destinationChain,
    slippageTolerance: slippageBps === undefined ? undefined : String(slippageBps),
    programs: executor === undefined ? undefined : { executor, livePuller },
  };
  const given = FIELDS.filter((name) => named[name] !== undefined);
  return { fields: Object.fromEntries(given.map((name) => [name, named[name]])), args: options.arg };
}

function addArgument(given: string, args: readonly ArgumentText[]): readonly ArgumentText[] {
  const at = given.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("Use the form name=value.");
  return [...args, { path: given.slice(0, at).split("."), text: given.slice(at + 1) }];
}

export interface PlanOverrides {
  /** Options as fields of a plan file. */
  readonly fields: Readonly<Record<string, unknown>>;
  readonly args: readonly ArgumentText[];
}
