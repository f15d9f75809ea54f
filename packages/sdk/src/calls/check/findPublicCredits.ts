import { EVM_NATIVE_CURRENCY, isSameAddress } from "@crosscall/protocol/chains";
import { namePublicContract } from "@crosscall/protocol/generations";
import { type DecodedCall, type DecodedFunctionCall, flattenCalls } from "../decode/decodedCall.ts";
import { decodeCalls } from "../decode/decodeCalls.ts";
import { knownOf } from "../decode/knownFunctions.ts";
import { readAccount, readToken } from "../decode/readArgument.ts";
import type { DecodedProgram } from "../program/decodedProgram.ts";
import type { CheckedContracts } from "./parameters.ts";
import { resolveRecipient } from "../decode/swapRouters.ts";

/** Accounts through which anyone can act. */
export type PublicAccounts = Pick<CheckedContracts, "router" | "pushExecutor" | "livePuller">;

/** Call to a known function that credits, indebts or spends from an account through which anyone can act. */
export interface PublicCredit {
  /** Index of the call. */
  readonly index: number;
  /** Index of the program's step with the call; `undefined` outside of programs. */
  readonly step: number | undefined;
  readonly call: DecodedFunctionCall;
  /** Path of the argument; `undefined` if the function credits its caller. */
  readonly argument: string | undefined;
  readonly account: string;
  /** Description of the account. */
  readonly who: string;
}

/**
 * Roles of arguments by name. Anyone can use a public account's position (a supply, a debt), or block it with debt.
 * Received funds are safe if the caller forwards them. An owner is a caller that uses its own funds.
 */
const ARGUMENTS: Readonly<Record<string, "position" | "receipt" | "owner">> = {
  onBehalfOf: "position",
  onBehalf: "position",
  borrower: "position",
  controller: "position",
  dst: "position",
  recipient: "receipt",
  "params.recipient": "receipt",
  receiver: "receipt",
  to: "receipt",
  "packed:to": "receipt",
  "desc.dstReceiver": "receipt",
  "slippage.recipient": "receipt",
  "funds.recipient": "receipt",
  owner: "owner",
  src: "owner",
};

/** Families whose functions transfer tokens. Funds sent to the executor count as pushed, which other rules track. */
const TRANSFERS: ReadonlySet<string> = new Set(["ERC-20", "Permit2"]);

/** Finds public credits in calls, their inner calls and the steps of programs. */
export function findPublicCredits(calls: readonly DecodedCall[], accounts: PublicAccounts): PublicCredit[] {
  const known = listAccounts(accounts);
  return calls.flatMap((outer, index) =>
    flattenCalls([outer]).flatMap((call) => {
      if (call.kind !== "function") return [];
      const { program } = call;
      return [
        ...creditsOf(call, known).map((credit) => ({ index, step: undefined, ...credit })),
        ...(program?.steps ?? []).flatMap(({ target, data }, step) =>
          flattenCalls(decodeCalls([{ to: target, data, value: "0" }])).flatMap((inner) =>
            inner.kind === "function"
              ? creditsOf(inner, known, program).map((credit) => ({ index, step, ...credit }))
              : [],
          ),
        ),
      ];
    }),
  );
}

/** Returns a description of a known account through which anyone can act. */
export function namePublicAccount(account: string, accounts: PublicAccounts): string | undefined {
  return (
    listAccounts(accounts).find(({ address }) => isSameAddress(address, account))?.who ?? namePublicContract(account)
  );
}

interface KnownAccount {
  readonly address: string;
  readonly who: "the router" | "the executor" | "the executor's puller" | "a public router" | "an approval proxy";
}

/** Routers and approval proxies of other generations are also public. */
function findPublicContract(account: string): KnownAccount | undefined {
  const who = namePublicContract(account);
  return who === undefined ? undefined : { address: account, who };
}

function listAccounts({ router, pushExecutor, livePuller }: PublicAccounts): KnownAccount[] {
  return [
    { address: router, who: "the router" },
    ...(pushExecutor === undefined ? [] : [{ address: pushExecutor, who: "the executor" } as const]),
    ...(livePuller === undefined ? [] : [{ address: livePuller, who: "the executor's puller" } as const]),
  ];
}

/** @param program program of a step */
function creditsOf(
  call: DecodedFunctionCall,
  known: readonly KnownAccount[],
  program?: DecodedProgram,
): Pick<PublicCredit, "call" | "argument" | "account" | "who">[] {
  if (call.family === undefined || call.family.startsWith("router")) return [];
  const named = Object.entries(ARGUMENTS).flatMap(([argument, role]) => {
    const account = readAccount(call.args, argument);
    if (account === undefined) return [];
    const isCaller = program !== undefined && resolveRecipient(account, call.to, knownOf(call)?.router) === "caller";
    const found =
      known.find(({ address, who }) => (isCaller ? who === "the executor" : isSameAddress(address, account))) ??
      findPublicContract(account);
    if (found === undefined || isAllowed(call, role, found, program)) return [];
    return [{ call, argument, account, who: found.who }];
  });
  const executor = known.find(({ who }) => who === "the executor");
  const isUnclaimed = program !== undefined && call.isByRouter && creditsCaller(call) && !isSentOn(call, program);
  if (!isUnclaimed || executor === undefined) return named;
  return [...named, { call, argument: undefined, account: executor.address, who: executor.who }];
}

function isAllowed(
  call: DecodedFunctionCall,
  role: "position" | "receipt" | "owner",
  { who }: KnownAccount,
  program: DecodedProgram | undefined,
): boolean {
  if (who === "the executor's puller" || who === "a public router" || who === "an approval proxy") return false;
  if (TRANSFERS.has(call.family ?? "")) return true;
  const isCaller = who === (program === undefined ? "the router" : "the executor");
  if (role === "position" || !isCaller) return false;
  if (role === "owner") return true;
  // A proxy rejects its caller as recipient. The router can sweep other receipts, which CREDITS_ROUTER covers.
  return program === undefined ? call.family !== "destination proxy" : isSentOn(call, program);
}

function givesOf(call: DecodedFunctionCall) {
  return knownOf(call)?.known.gives;
}

function creditsCaller(call: DecodedFunctionCall): boolean {
  return givesOf(call)?.recipient === "@caller";
}

/** Whether the program forwards the executor's receipts to its recipient. */
function isSentOn(call: DecodedFunctionCall, { tokens }: DecodedProgram): boolean {
  const gives = givesOf(call);
  if (gives === undefined) return false;
  const token = readToken(call.args, gives.token, call.to);
  // If no argument names the token, assume a program token without a minimum input: the program's steps produce such
  // tokens.
  if (token === undefined) return tokens.some(({ minimumIn }) => minimumIn === 0n);
  return token === EVM_NATIVE_CURRENCY || tokens.some((declared) => isSameAddress(declared.token, token));
}
