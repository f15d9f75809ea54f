import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress } from "../../../chains/address.ts";
import { compact } from "../../../core/compact.ts";
import { readAccount } from "../../decode/readArgument.ts";
import { nameToken } from "../nameToken.ts";
import type { CheckContext, Rules, Violation } from "../rule.ts";

/** An account that receives something to keep. */
interface Receipt {
  readonly index: number | undefined;
  readonly account: string;
  readonly what: string;
}

export const recipientRules = {
  RECIPIENT_IS_ROUTER: {
    severity: "error",
    meaning: "The recipient is the router, where anyone can take the funds.",
    hint: "Pass the user.",
    find: (context) => whereRecipient(context, context.isRouter, "is the router"),
  },
  RECIPIENT_IS_TOKEN: {
    severity: "error",
    meaning: "The recipient is a token contract, where the funds are stuck.",
    hint: "Pass the user.",
    find: (context) => whereRecipient(context, context.isToken, "is a token"),
  },
  RECIPIENT_IS_ZERO: {
    severity: "error",
    meaning: "The recipient is the zero address: the funds are burned, or stay on the router.",
    hint: "Pass the user.",
    find: (context) => whereRecipient(context, (account) => isEvmNative(account), "is the zero address"),
  },
} as const satisfies Rules;

function whereRecipient(context: CheckContext, test: (account: string) => boolean, words: string): Violation[] {
  return receiptsOf(context).flatMap(({ index, account, what }) =>
    test(account) ? [compact({ reason: `${account}, which is to receive ${what}, ${words}`, index })] : [],
  );
}

function receiptsOf({ request, operations, contracts }: CheckContext): Receipt[] {
  const executors = [contracts.pushExecutor, ...(contracts.proxies ?? []).map(({ address }) => address)];
  const isStop = (account: string): boolean =>
    executors.some((executor) => executor !== undefined && isSameAddress(executor, account));
  return [
    ...(request.recipient === undefined
      ? []
      : [{ index: undefined, account: request.recipient, what: "what the request delivers" }]),
    ...operations.flatMap((operation, position): Receipt[] => {
      const { index } = operation;
      if (operation.kind === "send" && operation.isSweep && !isStop(operation.to)) {
        // What is sent along with a call is its input.
        const next = operations[position + 1];
        const isInput = next?.kind === "call" && next.index === index && next.call.kind !== "empty";
        return isInput ? [] : [{ index, account: operation.to, what: nameToken(operation.token) }];
      }
      if (operation.kind !== "call" || operation.call.kind !== "function") return [];
      const { call } = operation;
      if (call.program !== undefined) {
        return [{ index, account: call.program.recipient, what: "what the program leaves" }];
      }
      const named = NAMES.map((name) => readAccount(call.args, name)).find((account) => account !== undefined);
      // The router's gains may be swept, which CREDITS_ROUTER covers. Uniswap's periphery takes zero for itself before
      // it unwraps.
      if (call.family === "Uniswap v3" && call.name.startsWith("exact") && named === EVM_NATIVE_CURRENCY) return [];
      const isSwept = named !== undefined && isSameAddress(named, contracts.router) && !PROXIES.has(call.family ?? "");
      if (named === undefined || isSwept || call.family?.startsWith("router") === true) return [];
      return [{ index, account: named, what: `what ${call.signature} gives` }];
    }),
  ];
}

/** Proxies reject their caller as recipient, so nothing can be swept afterwards. */
const PROXIES: ReadonlySet<string> = new Set(["destination proxy"]);

const NAMES = ["recipient", "params.recipient", "receiver", "onBehalfOf", "onBehalf", "borrower", "dst", "to"] as const;
