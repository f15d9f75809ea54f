import { markup, type Markup } from "../../../replay/report/html/markup.ts";
import { shown } from "../../../replay/report/notation.ts";
import type { RequestRow } from "../../store/requests/requests.ts";
import { secondsText, shortText, statusBadge } from "../elements.ts";

const COLUMNS = ["request", "created", "status", "in", "out", "user", "type"] as const;

/** Sorted like the list: by the time of creation, then by id. */
function keyOf({ created_at, id }: RequestRow): string {
  return `${String(created_at.getTime()).padStart(16, "0")}-${id}`;
}

/** Without an `id`: htmx looks for each one among all rows, which takes longer than showing them. */
export function requestRow(request: RequestRow, nameOfChain: (chainId: number) => string): Markup {
  const { id, created_at, status, user, request_type, fail_reason, details } = request;
  const { currencyIn, currencyOut } = details;
  return markup`<div role="row" class="row" data-id="${id}" data-sort="${keyOf(request)}"><span role="cell" class="request"><a href="/console/requests/${id}">${shortText(id)}</a></span><span role="cell" class="created">${secondsText(created_at)}</span><span role="cell" class="state">${statusBadge(status)}${fail_reason === null ? "" : markup` <span class="quiet">${shown(fail_reason)}</span>`}</span><span role="cell" class="in">${amountText(currencyIn.amountFormatted, request.origin_symbol)} <span class="quiet">${shown(nameOfChain(request.origin_chain_id), 24)}</span></span><span role="cell" class="out">${amountText(currencyOut.amountFormatted, request.destination_symbol)} <span class="quiet">${shown(nameOfChain(request.destination_chain_id), 24)}</span></span><span role="cell" class="user">${shortText(user)}</span><span role="cell" class="type">${shown(request_type, 24)}</span></div>`;
}

export function headRow(): Markup {
  return markup`<div role="rowgroup"><div role="row" class="row head">${COLUMNS.map((column) => markup`<span role="columnheader" class="${column === "status" ? "state" : column}">${column}</span>`)}</div></div>`;
}

function amountText(amount: string, symbol: string): string {
  const [whole = "", fraction = ""] = amount.split(".");
  return `${whole}${fraction === "" ? "" : `.${fraction.slice(0, 6)}`} ${shown(symbol, 12)}`;
}
