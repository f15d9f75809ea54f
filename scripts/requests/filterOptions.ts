import { type Command, InvalidArgumentError, Option } from "commander";

import {
  FAIL_REASONS,
  FEATURES,
  REFUND_FAIL_REASONS,
  REQUEST_TYPES,
  SORT_DIRECTIONS,
  SORT_FIELDS,
  STATUS_FILTERS_V3,
} from "@crosscall/sdk/internal/protocol/schema/values";
import { parseInteger } from "../options/numbers.ts";

/** Adds the filters of both listings as options: those of v3, and those that only v2 has. */
export function addFilterOptions(command: Command): Command {
  return addFilterOptionsV3(command)
    .option("--v2", "ask the retired listing, which ends on 24 November 2026")
    .option("--hash <hash>", "with --v2: with this transaction on either chain")
    .option("--referrer <referrer>", "with --v2: of this referrer")
    .option("--include-order-data", "with --v2: the order, too")
    .option("--force", "with --v2: ask it also after its end");
}

/** Adds the filters of the v3 listing as options (spec 1, section 4.2). */
export function addFilterOptionsV3(command: Command): Command {
  return command
    .option("--term <text>", "request id, wallet, deposit address or any transaction hash")
    .option("--id <requestId>", "this request")
    .option("--order-id <id>", "the request of this order")
    .option("--deposit-tx-hash <hash>", "paid by this transaction")
    .option("--fill-tx-hash <hash>", "filled by this transaction")
    .option("--refund-tx-hash <hash>", "refunded by this transaction")
    .option("--origin-chain-id <id>", "from this chain", parseInteger)
    .option("--destination-chain-id <id>", "to this chain", parseInteger)
    .option("--chain-id <id>", "from or to this chain", parseInteger)
    .option("--private-chains-to-include <uuid>", "private chains, too; repeatable", collect)
    .option("--user <address>", "of this user")
    .option("--deposit-address <address>", "with this deposit address")
    .option("--recipient <address>", "to this recipient")
    .addOption(new Option("--status <status>", "of this status").choices(STATUS_FILTERS_V3))
    .addOption(new Option("--fail-reason <reason>", "failed for this reason").argParser(oneOf(FAIL_REASONS)))
    .addOption(
      new Option("--refund-fail-reason <reason>", "not refunded for this reason").argParser(oneOf(REFUND_FAIL_REASONS)),
    )
    .option("--made-with <key>", "made with this API key; repeatable", collect)
    .addOption(new Option("--request-type <type>", "of this type").choices(REQUEST_TYPES))
    .option("--currency-in-chain-id <id>", "paid in a currency of this chain", parseInteger)
    .option("--currency-out-chain-id <id>", "received in a currency of this chain", parseInteger)
    .option("--currency-in-address <address>", "paid in this currency")
    .option("--currency-out-address <address>", "received in this currency")
    .option("--currency-in-symbol <symbol>", "paid in a currency of this symbol")
    .option("--currency-out-symbol <symbol>", "received in a currency of this symbol")
    .option("--start-timestamp <time>", "from this time on: ISO 8601 or Unix seconds", parseTime)
    .option("--end-timestamp <time>", "up to this time: ISO 8601 or Unix seconds", parseTime)
    .option("--start-block <block>", "from this block of the origin chain on", parseInteger)
    .option("--end-block <block>", "up to this block of the origin chain", parseInteger)
    .option("--amount-usd-min <usd>", "of at least so many US dollars")
    .option("--amount-usd-max <usd>", "of at most so many US dollars")
    .option("--app-fees-amount-usd-min <usd>", "with app fees of at least so many US dollars")
    .option("--app-fees-amount-usd-max <usd>", "with app fees of at most so many US dollars")
    .option("--fill-time-min <seconds>", "filled after at least this long", parseSeconds)
    .option("--fill-time-max <seconds>", "filled after at most this long", parseSeconds)
    .addOption(
      new Option("--features <feature>", `with any of these; repeatable: ${FEATURES.join(", ")}`).argParser(collect),
    )
    .option("--include-child-requests", "with --id: its duplicates, retries and refunds, too")
    .option("--filters <json>", "groups of conditions as JSON; at least one group must match")
    .addOption(new Option("--sort-by <field>", "sort by this (default: createdAt)").choices(SORT_FIELDS))
    .addOption(new Option("--sort-direction <direction>", "sort this way").choices(SORT_DIRECTIONS))
    .option("--include-authenticated-data", "what only the integrator may see, too");
}

function collect(text: string, others: readonly string[] | undefined): readonly string[] {
  return [...(others ?? []), text];
}

/** Too many to be listed by the help. */
function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text;
    throw new InvalidArgumentError("The service has no such reason.");
  };
}

function parseTime(text: string): Date | number {
  if (/^\d{1,12}$/u.test(text)) return Number(text);
  const time = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}/u.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("It is neither ISO 8601 nor Unix seconds.");
}

function parseSeconds(text: string): number {
  if (/^\d{1,12}(\.\d+)?$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It is no number of seconds.");
}
