import { printable } from "@crosscall/protocol/core";
import { formatAmount } from "@crosscall/protocol/encoding";
import { SYSTEM_PROGRAM } from "@crosscall/protocol/vms";
import { shown } from "../../report/notation.ts";
import type { Fact } from "../../report/summary.ts";
import { BALANCE_COLUMNS, type Table } from "../../report/tables.ts";
import { findProgram } from "../svmPrograms.ts";
import { currencyText, type SvmCall, type SvmFailure, type SvmReport } from "../svmReport.ts";

// Facts of a report, in words. Text from chains is made printable.

const MAX_TEXT = 400;
const MAX_NAME = 60;

/** @param what the transaction's role, such as `deposit` */
export function svmHeadline({ failure, source }: SvmReport, what = "transaction"): string {
  const subject = source.kind === "simulation" ? `The simulated ${what}` : `The ${what}`;
  if (failure === undefined) return `${subject} works.`;
  const place = failure.path.length === 0 ? "" : ` in instruction ${placeOf(failure.path)}`;
  return `${subject} fails: ${errorName(failure)}${place}.`;
}

/** Formats the path of an instruction: `2.0` is the first call of the third instruction. */
export function placeOf(path: readonly number[]): string {
  return path.join(".");
}

function errorName({ name, number, program }: SvmFailure): string {
  const known = name === undefined ? undefined : shown(name, MAX_NAME);
  if (number === undefined) return known ?? "unknown error";
  const of = program === undefined ? "" : `${programText(program)} `;
  return known === undefined ? `${of}error ${number}` : `${known} (${of}error ${number})`;
}

export function svmFailureFacts({ failure, instructions }: SvmReport): Fact[] {
  if (failure === undefined) return [];
  const { error, reason, hint, path } = failure;
  const call = findCall(instructions, path);
  return [
    { label: "cause", text: shown(reason, MAX_TEXT) },
    ...(call === undefined ? [] : [{ label: "instruction", text: `${placeOf(path)} ${describeSvmCall(call)}` }]),
    { label: "to do", text: hint },
    { label: "error", text: shown(JSON.stringify(error), MAX_TEXT) },
  ];
}

function findCall(calls: readonly SvmCall[], [index, ...rest]: readonly number[]): SvmCall | undefined {
  const call = index === undefined ? undefined : calls[index];
  return call === undefined || rest.length === 0 ? call : findCall(call.calls, rest);
}

/** @param chainId undefined if it is unknown */
export function svmCircumstances(report: SvmReport, chainId: number | undefined): Fact[] {
  const { source, fee, feePayer, computeUnits, currencies } = report;
  const chain = chainId === undefined ? "" : `, chain ${chainId}`;
  const state =
    source.kind === "simulation"
      ? [{ label: "state", text: `the current state${chain}; nothing was sent` }]
      : [
          { label: "transaction", text: source.signature },
          { label: "slot", text: `${source.slot}${chain}${timeText(source.blockTime)}` },
        ];
  return [
    ...state,
    { label: "fee payer", text: feePayer },
    ...(fee === undefined ? [] : [{ label: "fee", text: currencyText(fee, SYSTEM_PROGRAM, currencies) }]),
    ...(computeUnits === undefined ? [] : [{ label: "compute units", text: computeUnits.toLocaleString("en-US") }]),
    ...(report.hasInnerCalls ? [] : [{ label: "calls", text: "the node did not record the calls between programs" }]),
  ];
}

function timeText(seconds: number | undefined): string {
  const time = new Date((seconds ?? NaN) * 1_000);
  return Number.isNaN(time.getTime()) ? "" : `, ${time.toISOString().replace(".000Z", "Z")}`;
}

function programText(program: string): string {
  return findProgram(program)?.name ?? program;
}

/** Formats a call, such as `System transfer(lamports: 1 SOL)`, or the data of an unknown one. */
export function describeSvmCall({ program, name, arguments: args, data }: SvmCall): string {
  const text =
    name === undefined
      ? `data ${data === "0x" ? "(none)" : data}`
      : `${name}(${args.map((each) => `${each.name}: ${printable(each.text)}`).join(", ")})`;
  return shown(`${programText(program)} ${text}`, MAX_TEXT);
}

/** Formats the accounts of a call with their names, such as `source: 7xKX…gAsU`. */
export function describeSvmAccounts({ accounts }: SvmCall): string {
  const texts = accounts.map(({ name, address }) => {
    const short = address.length < 32 ? address : `${address.slice(0, 4)}…${address.slice(-4)}`;
    return name === undefined ? short : `${name}: ${short}`;
  });
  return texts.join(", ");
}

/** Maximum number of rows. The JSON has all. */
const MAX_ROWS = 256;

export function svmBalanceTable({ balances, currencies, accounts }: SvmReport): Table {
  const names = new Map(accounts.map(({ address, name }) => [address, name]));
  const labelOf = (address: string): string => names.get(address) ?? address;
  return {
    title: "Balance changes",
    columns: BALANCE_COLUMNS,
    rows: balances.slice(0, MAX_ROWS).map(({ account, owner, currency, before, after, isExact }) => {
      const { symbol = currency, decimals = 0 } = currencies.find(({ address }) => address === currency) ?? {};
      const numberOf = (amount: bigint): string => `${isExact ? "" : "about "}${formatAmount(amount, decimals)}`;
      const held = owner === undefined || owner === account ? "" : ` of ${labelOf(owner)}`;
      return [
        shown(`${labelOf(account)}${held}`, 2 * MAX_NAME),
        shown(symbol, MAX_NAME),
        numberOf(before),
        numberOf(after),
        `${after > before ? "+" : ""}${numberOf(after - before)}`,
      ];
    }),
  };
}

export function svmAccountTable({ accounts }: SvmReport): Table {
  return {
    title: "Accounts",
    columns: [{ title: "address" }, { title: "name" }, { title: "rights" }],
    rows: accounts.map(({ address, name = "", isSigner, isWritable }) => [
      address,
      shown(name, MAX_NAME),
      [...(isSigner ? ["signs"] : []), ...(isWritable ? ["writable"] : [])].join(", "),
    ]),
  };
}
