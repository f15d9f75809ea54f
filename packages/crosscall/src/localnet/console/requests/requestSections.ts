import type { Address } from "viem";

import { decodeCalls } from "@crosscall/sdk/calls";
import { type CallLine, describeCalls, type TokenNotation } from "@crosscall/sdk/kit";
import { CrosscallError } from "@crosscall/protocol/core";
import { formatAmount } from "@crosscall/protocol/encoding";
import { formatFeeTable } from "@crosscall/protocol/fees";
import { decodeOrderCall } from "@crosscall/protocol/order";
import { recordFeeTable } from "@crosscall/protocol/request/records";
import { depositoryOf, findQuotedChain, routerOf } from "../../market/quotedChains.ts";
import type { Transfer } from "../../../replay/replayReport.ts";
import { fundsFlow } from "../../../replay/report/html/fundsFlow.ts";
import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { section, toHtmlTable } from "../../../replay/report/html/page.ts";
import { dollarText, notationOf, shown } from "../../../replay/report/notation.ts";
import { signRequest } from "../../service/routes/requests.ts";
import type { ListedTransaction } from "../../store/transactions.ts";
import type { ChainReader, Payer, Pricer } from "../../market/market.ts";
import { formatUsd, type PricedCurrency, usdValue } from "../../market/currencies.ts";
import type { AccountNames } from "../accountNames.ts";
import { amountText, copyable, copyBlock, definitions } from "../elements.ts";
import type { RequestFacts } from "./timeline.ts";

type Parts = Pricer & ChainReader & Payer;

export function amountsSection({ request, record }: RequestFacts): Markup {
  const { currencyIn, currencyOut } = request.details;
  const actual = (record.data.route?.actual.destination ?? record.data.route?.actual.origin)?.outputCurrency;
  const isFilled = record.data.outTxs.some(({ status }) => status === "success") && request.status === "success";
  const refund = record.data.refundCurrencyData;
  const amountOf = (amount: {
    amountFormatted?: string | null;
    amountUsd?: string | null;
    currency?: { symbol?: string | null } | null;
  }): Markup => amountText(amount.amountFormatted ?? "", amount.currency?.symbol ?? "", amount.amountUsd);
  const { currency } = currencyOut;
  const minimumOutput = amountOf({
    amountFormatted: formatAmount(BigInt(request.minimum_output_amount), currency.decimals),
    currency,
  });
  return section(
    "Amounts",
    definitions([
      { label: "input", content: amountOf(currencyIn) },
      { label: "quoted output", content: amountOf(currencyOut) },
      { label: "minimum output", content: minimumOutput },
      { label: "delivered", content: isFilled && actual != null ? amountOf(actual) : undefined },
      { label: "refunded", content: refund == null ? undefined : amountOf(refund) },
      { label: "trade type", content: request.trade_type },
    ]),
  );
}

/** Renders the fees like the command `fees`: all lines, their sum, and the payer. */
export function feesSection({ record }: RequestFacts): Markup {
  const tables = (["quoted", "actual"] as const).flatMap((phase) => {
    const table = recordFeeTable(record, phase);
    return table === undefined ? [] : [{ phase, table }];
  });
  return section(
    "Fees",
    tables.map(({ phase, table }) => copyBlock(`Fees, ${phase}`, formatFeeTable(table))),
  );
}

/** Renders the transfers known to the service. A replay shows every transfer of the fill. */
export function flowSection(parts: Parts, { request, transactions }: RequestFacts, known: AccountNames): Markup {
  const { deposits, refunds, deposit: _deposit, refund: _refund, ...others } = transactions;
  const { fill, excess } = others;
  const depositoryOn = (chainId: number): string => {
    const chain = findQuotedChain(parts.chains, chainId);
    return chain === undefined ? "depository" : depositoryOf(chain);
  };
  const refundToOf = ({ input_index }: ListedTransaction): string =>
    request.input_count === 1
      ? (request.refund_to ?? request.user)
      : (request.order_data.inputs[input_index]?.refunds[0]?.recipient ?? request.user);
  const destination = findQuotedChain(parts.chains, request.destination_chain_id);
  const router = destination === undefined ? undefined : routerOf(destination);
  const hasCalls = request.order_data.output.calls.length > 0;
  const receiver = hasCalls && router !== undefined ? router : request.recipient;
  const moves: readonly (readonly [ListedTransaction | undefined, string, string])[] = [
    ...deposits.map((row) => [row, row.sender === "" ? request.user : row.sender, depositoryOn(row.chain_id)] as const),
    [fill, fill?.sender ?? "", receiver],
    ...refunds.map((row) => [row, row.sender, refundToOf(row)] as const),
    [excess, excess?.sender ?? "", request.refund_to ?? request.user],
  ];
  const included = moves.filter(([row]) => row?.status === "success");
  const transfers = included.map(([row, from, to]): Transfer => ({
    currency: (row?.currency ?? "") as Address,
    from: from as Address,
    to: to as Address,
    amount: BigInt(row?.amount ?? 0),
    txIndex: undefined,
  }));
  const names = {
    ...known,
    ...Object.fromEntries(
      [
        ...[request.origin_chain_id, ...deposits.map((row) => row.chain_id)].map((id) => [
          depositoryOn(id),
          "depository",
        ]),
        [parts.solver.address, "solver"],
        ...(request.refund_to === null ? [] : [[request.refund_to, "refund to"]]),
        ...(router === undefined ? [] : [[router, "router"]]),
        [request.recipient, "recipient"],
        [request.user, "user"],
      ].map(([account = "", name]) => [account.toLowerCase(), name]),
    ),
  } as Record<Address, string>;
  const currencies = included.flatMap(([row]) => {
    const known = row === undefined ? undefined : parts.currencies.find(row.chain_id, row.currency);
    if (known === undefined) return [];
    const { address, symbol, decimals } = known.currency;
    return [{ address: address as Address, symbol, decimals }];
  });
  return section("Funds flow", [
    fundsFlow({ transfers }, notationOf({ names, currencies })),
    ...deposits.map((row) => stateChanges(parts, "deposit", row, names)),
    ...Object.entries(others).map(([purpose, row]) => stateChanges(parts, purpose, row, names)),
    ...refunds.map((row) => stateChanges(parts, "refund", row, names)),
  ]);
}

function stateChanges(parts: Parts, purpose: string, row: ListedTransaction | undefined, names: AccountNames): Markup {
  return toHtmlTable({
    title: `Balance changes of the ${purpose}`,
    columns: [{ title: "account" }, { title: "change", isNumber: true }, { title: "value", isNumber: true }],
    rows: (row?.contents?.stateChanges ?? []).map(({ address, currency, amount }) => [
      shown(names[address.toLowerCase() as Address] ?? address, 80),
      ...changeCells(
        parts.currencies.find(row?.chain_id ?? 0, currency),
        names[currency.toLowerCase() as Address] ?? currency,
        BigInt(amount),
      ),
    ]),
  });
}

function changeCells(known: PricedCurrency | undefined, name: string, amount: bigint): readonly [string, string] {
  if (known === undefined) return [`${amount > 0n ? "+" : ""}${amount} units of ${shown(name, 80)}`, ""];
  const { symbol, decimals } = known.currency;
  const text = `${amount > 0n ? "+" : ""}${formatAmount(amount, decimals)} ${shown(symbol, 20)}`;
  return [text, dollarText(Number(formatUsd(usdValue(amount, known))))];
}

export function callsSection(parts: Parts, { request, record }: RequestFacts, labels: AccountNames): Markup {
  const calls = request.order_data.output.calls.map(decodeOrderCall);
  const failed = record.data.failedCallData;
  const tokens = tokensOf(parts, request.destination_chain_id);
  return section("Calls", [
    calls.length === 0
      ? markup`<p>The order has no calls. The recipient receives the currency directly.</p>`
      : callTree("Calls of the order", describeCalls(decodeCalls(calls), { tokens, labels })),
    failed == null ? "" : callTree("The failed fill", describeCalls(decodeCalls([failed]), { tokens, labels })),
  ]);
}

/** Renders decoded calls as a tree, with inner calls and program lines below their call. */
export function callTree(title: string, lines: readonly CallLine[]): Markup {
  return markup`<figure class="block calls" aria-label="${title}"><figcaption>${title}</figcaption><div class="scroll" tabindex="0"><ul class="tree">${lines.map(callItem)}</ul></div></figure>`;
}

function callItem({ place, text, lines }: CallLine): Markup {
  const line = markup`${place === "" ? "" : markup`<span class="badge">${place}</span> `}${shown(text)}`;
  return lines.length === 0
    ? markup`<li class="leaf">${line}</li>`
    : markup`<li><details open><summary>${line}</summary><ul>${lines.map(callItem)}</ul></details></li>`;
}

export function tokensOf({ currencies }: Pricer, chainId: number): TokenNotation[] {
  return currencies.ofChain(chainId).map(({ currency }) => ({
    address: currency.address as Address,
    symbol: shown(currency.symbol, 20),
    decimals: currency.decimals,
  }));
}

export async function orderSection(parts: Parts, { request }: RequestFacts): Promise<Markup> {
  return section("Order and signature", [
    definitions([
      { label: "order id", content: copyable(request.order_id) },
      { label: "solver", content: copyable(parts.solver.address) },
    ]),
    await signatureOf(parts, request),
    markup`<details><summary>Order</summary>${copyBlock("Order", JSON.stringify(request.order_data, null, 2))}</details>`,
  ]);
}

/** Renders the request's signature. Some accounts cannot be encoded in a signature. */
async function signatureOf(parts: Parts, request: RequestFacts["request"]): Promise<Markup> {
  try {
    const { requestData, signature } = await signRequest(parts, request);
    return markup`${definitions([{ label: "signature", content: copyable(signature) }])}
<details><summary>Signed data</summary>${copyBlock("Signed data", JSON.stringify(requestData, null, 2))}</details>`;
  } catch (error) {
    if (!(error instanceof CrosscallError)) throw error;
    return markup`<p class="quiet">No signature: ${shown(error.message)}</p>`;
  }
}
