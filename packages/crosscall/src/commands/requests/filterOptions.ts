import { InvalidArgumentError, Option } from "commander";

import type { Command } from "../../options/command.ts";
import {
  FAIL_REASONS,
  FEATURES,
  REFUND_FAIL_REASONS,
  REQUEST_TYPES,
  SORT_DIRECTIONS,
  SORT_FIELDS,
  STATUS_FILTERS,
} from "@crosscall/protocol/schema";
import { parseInteger } from "../../options/commonOptions.ts";

/** Request statuses that the service cannot filter by. */
export const LISTED_STATUSES = ["waiting", "submitted"] as const;

export function addFilterOptions(command: Command): Command {
  return addFilterOptionsV3(command)
    .option("--v2", "use the v2 listing, which the service retired on 24 November 2026")
    .option("--hash <hash>", "with --v2: transaction hash on either chain")
    .option("--referrer <referrer>", "with --v2: referrer")
    .option("--include-order-data", "with --v2: include the order")
    .option("--force", "with --v2: send the request after the end of v2");
}

export function addFilterOptionsV3(command: Command): Command {
  return command
    .option("--term <text>", "request id, wallet, deposit address or any transaction hash")
    .option("--id <requestId>", "request id")
    .option("--order-id <id>", "order id")
    .option("--deposit-tx-hash <hash>", "deposit transaction")
    .option("--fill-tx-hash <hash>", "fill transaction")
    .option("--refund-tx-hash <hash>", "refund transaction")
    .option("--origin-chain-id <id>", "origin chain", parseInteger)
    .option("--destination-chain-id <id>", "destination chain", parseInteger)
    .option("--chain-id <id>", "origin or destination chain", parseInteger)
    .option("--private-chains-to-include <uuid>", "private chain to include; repeatable", collect)
    .option("--user <address>", "user")
    .option("--deposit-address <address>", "deposit address")
    .option("--recipient <address>", "recipient")
    .addOption(new Option("--status <status>", "status").choices([...STATUS_FILTERS, ...LISTED_STATUSES]))
    .addOption(new Option("--fail-reason <reason>", "reason for the failure").argParser(oneOf(FAIL_REASONS)))
    .addOption(
      new Option("--refund-fail-reason <reason>", "reason for the failed refund").argParser(oneOf(REFUND_FAIL_REASONS)),
    )
    .option("--made-with <key>", "API key of the request; repeatable", collect)
    .addOption(new Option("--request-type <type>", "request type").choices(REQUEST_TYPES))
    .option("--currency-in-chain-id <id>", "chain of the input currency", parseInteger)
    .option("--currency-out-chain-id <id>", "chain of the output currency", parseInteger)
    .option("--currency-in-address <address>", "input currency")
    .option("--currency-out-address <address>", "output currency")
    .option("--currency-in-symbol <symbol>", "symbol of the input currency")
    .option("--currency-out-symbol <symbol>", "symbol of the output currency")
    .option("--start-timestamp <time>", "earliest time: ISO 8601 or Unix seconds", parseTime)
    .option("--end-timestamp <time>", "latest time: ISO 8601 or Unix seconds", parseTime)
    .option("--start-block <block>", "earliest block of the origin chain", parseInteger)
    .option("--end-block <block>", "latest block of the origin chain", parseInteger)
    .option("--amount-usd-min <usd>", "minimum amount in US dollars")
    .option("--amount-usd-max <usd>", "maximum amount in US dollars")
    .option("--app-fees-amount-usd-min <usd>", "minimum app fees in US dollars")
    .option("--app-fees-amount-usd-max <usd>", "maximum app fees in US dollars")
    .option("--fill-time-min <seconds>", "minimum time until the fill", parseSeconds)
    .option("--fill-time-max <seconds>", "maximum time until the fill", parseSeconds)
    .addOption(
      new Option(
        "--features <feature>",
        `feature that a request must have; repeatable, one of them must match: ${FEATURES.join(", ")}`,
      ).argParser(collect),
    )
    .option("--include-child-requests", "with --id: include duplicates, retries and refunds")
    .option("--filters <json>", "JSON array of condition groups; a request must match one group")
    .addOption(new Option("--sort-by <field>", "sort field (default: createdAt)").choices(SORT_FIELDS))
    .addOption(new Option("--sort-direction <direction>", "sort direction").choices(SORT_DIRECTIONS))
    .option("--include-authenticated-data", "include fields that are visible only to the integrator");
}

function collect(text: string, others: readonly string[] | undefined): readonly string[] {
  return [...(others ?? []), text];
}

/** Returns a parser that accepts only these values. The help omits the values, because there are too many. */
function oneOf(values: readonly string[]): (text: string) => string {
  return (text) => {
    if (values.includes(text)) return text;
    throw new InvalidArgumentError("It is not one of the service's failReasons.");
  };
}

function parseTime(text: string): Date | number {
  if (/^\d{1,12}$/u.test(text)) return Number(text);
  const time = new Date(text);
  if (/^\d{4}-\d{2}-\d{2}/u.test(text) && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError("It is not ISO 8601 or Unix seconds.");
}

function parseSeconds(text: string): number {
  if (/^\d{1,12}(\.\d+)?$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It is not a number of seconds.");
}
