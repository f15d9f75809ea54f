import { isSameAddress } from "@crosscall/protocol/chains";
import { formatCurrencyAmount } from "@crosscall/protocol/common";
import { compact, InvalidInputError } from "@crosscall/protocol/core";
import { dollarText } from "../../replay/report/notation.ts";
import { localAccountList } from "../../localnet/devchain/accounts.ts";
import { requireScenario } from "../../localnet/scenarios/catalogue.ts";
import { fromText, schemaOf } from "../../localnet/scenarios/parameters.ts";
import type { DepositChange } from "../../localnet/scenarios/scenario.ts";
import { ADMIN_ROUTES } from "../../localnet/service/admin/routes.ts";
import type { HeldFill } from "../../localnet/service/admin/schemas.ts";
import type { AdminOptions } from "../../admin/adminOptions.ts";
import { readPairs } from "../../options/commonOptions.ts";
import { runAdmin } from "../../admin/callAdmin.ts";

interface HoldOptions extends AdminOptions {
  readonly filter: readonly string[];
}

export function runHold(options: HoldOptions): Promise<void> {
  const pairs = options.filter.map((pair) => Object.entries(readPairs([pair], "--filter"))).flat();
  const filter = Object.fromEntries(
    [...Map.groupBy(pairs, ([field]) => field)].map(([field, values]) => [field, values.map(([, value]) => value)]),
  );
  return runAdmin(options, ADMIN_ROUTES.fills.hold, { body: { filter } }, describeHold, (hold) => ({ ok: true, hold }));
}

interface ListOptions extends AdminOptions {
  readonly limit: number;
}

export function runList(options: ListOptions): Promise<void> {
  const query = { limit: options.limit };
  return runAdmin(options, ADMIN_ROUTES.fills.list, { query }, ({ holds, held, total }) => {
    const rest = total > held.length ? [`and ${total - held.length} more\n`] : [];
    const lines = [...holds.map(describeHold), ...held.map(describeFill), ...rest];
    if (lines.length === 0) {
      return "nothing is held\nHold the next fills with `crosscall fills hold`, then send a request: `crosscall trigger success`.\n";
    }
    const next =
      held.length === 0
        ? "No fill is held yet. Send a request: `crosscall trigger success`.\n"
        : "Release a fill with `crosscall fills release <request id>`, or all with --all. --json prints all fields.\n";
    return [...lines, next].join("");
  });
}

interface ReleaseOptions extends AdminOptions {
  readonly oldest?: true;
  readonly all?: true;
  readonly amount?: string;
  readonly belowMinimum?: boolean;
  readonly scenario?: string;
  readonly parameter: readonly string[];
  readonly deposit?: DepositChange;
}

export function runRelease(requestId: string | undefined, options: ReleaseOptions): Promise<void> {
  const { oldest, all, amount, belowMinimum, scenario, parameter, deposit } = options;
  if (Object.keys(compact({ requestId, oldest, all })).length !== 1) {
    throw new InvalidInputError({
      field: "[requestId]",
      value: requestId,
      reason: "exactly one of a request id, --oldest and --all is required",
      hint: "Pass the id of a request that `crosscall fills list` shows.",
    });
  }
  const outcome = { amount, belowMinimum, deposit, ...readScenario(scenario, parameter) };
  const body = compact({ requestId, oldest, all, ...outcome });
  return runAdmin(options, ADMIN_ROUTES.fills.release, { body }, ({ released }) =>
    released.length === 0 ? "nothing was held\n" : released.map((id) => `released ${id}\n`).join(""),
  );
}

function readScenario(
  name: string | undefined,
  pairs: readonly string[],
): { readonly scenario?: string; readonly parameters?: Record<string, unknown> } {
  const given = readPairs(pairs);
  if (name === undefined) return pairs.length === 0 ? {} : { parameters: given };
  const scenario = requireScenario(name, "--scenario");
  return { scenario: scenario.name, parameters: fromText(schemaOf(scenario.name), given) };
}

function describeHold({ filter }: { readonly filter: object }): string {
  const fields = Object.entries(filter).map(([field, values]) => `${field}=${[values].flat().join(",")}`);
  return `holding ${fields.length === 0 ? "all fills" : fields.join(" ")}\n`;
}

function describeFill(fill: HeldFill): string {
  const { requestId, originChainId, destinationChainId, recipient, tradeType, heldAt } = fill;
  const { expectedAmount, destinationDecimals: decimals, destinationSymbol: symbol, expectedUsd } = fill;
  const amount = `${formatCurrencyAmount(BigInt(expectedAmount), { symbol, decimals })} (${dollarText(Number(expectedUsd))})`;
  return `${requestId}  ${originChainId} to ${destinationChainId}  ${amount} for ${nameOf(recipient)}  ${tradeType}  held since ${heldAt}\n`;
}

function nameOf(account: string): string {
  return localAccountList.find(({ address }) => isSameAddress(address, account))?.name ?? account;
}
