import type { QuoteRequest } from "@crosscall/protocol/quote/rules";
import { EVM_NATIVE_CURRENCY, isEvmNative, isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { namePublicContract } from "@crosscall/protocol/generations";
import { decodeCalls } from "../decode/decodeCalls.ts";
import { followAllowances } from "./followAllowances.ts";
import { followHoldings } from "./followHoldings.ts";
import { followSwapRouters } from "./followSwapRouters.ts";
import { listOperations } from "./listOperations.ts";
import type { CheckedAmount, Operation } from "./operation.ts";
import type { CheckCallsParameters, CheckedPlan } from "./parameters.ts";
import { type CheckContext, MULTICALL3 } from "./rule.ts";
import { callsIn } from "./rules/callsIn.ts";
import { compact } from "@crosscall/protocol/core";

export function buildContext(parameters: CheckCallsParameters): CheckContext {
  const { contracts, facts = {} } = parameters;
  const request = "request" in parameters ? parameters.request : requestOf(parameters);
  const { tradeType, destinationCurrency } = request;
  const txs = request.txs ?? [];
  const calls = decodeCalls(txs);
  const proxies = contracts.proxies ?? [];
  const isRouter = (account: string): boolean => isSameAddress(account, contracts.router);
  const isDelivered = (token: string | undefined): boolean =>
    token !== undefined && isSameAddress(token, destinationCurrency);
  const amount = amountOf(request.amount);

  const unresolved = listOperations(calls, { contracts, facts, destinationCurrency });
  const allowances = followAllowances({
    operations: unresolved,
    allowances: facts.allowances,
    permit2Allowances: facts.permit2Allowances,
    taken: (token) => (tradeType === "EXACT_OUTPUT" && isDelivered(token) ? amount : undefined),
  });
  const resolved = new Map<Operation, string | undefined>(
    allowances.takes.map(({ operation, token }) => [operation, token]),
  );
  const operations = unresolved.map((operation) =>
    operation.kind === "take" ? { ...operation, token: resolved.get(operation) } : operation,
  );
  const values = txs.reduce((sum, { value }) => sum + (amountOf(value) ?? 0n), 0n);
  // Without calls, the router receives no funds.
  const delivered: { token: string; amount: CheckedAmount }[] =
    txs.length === 0
      ? []
      : [
          { token: destinationCurrency, amount: tradeType === "EXACT_INPUT" ? "balance" : (amount ?? "balance") },
          // With a token output, the solver also delivers the exact values of the calls.
          ...(isEvmNative(destinationCurrency) ? [] : [{ token: EVM_NATIVE_CURRENCY, amount: values }]),
        ];
  const takers = [...proxies.map(({ address }) => address), ...present(contracts.livePuller)];
  const takesAll = includes(takers);
  const trusted = [...takers, ...present(contracts.pushExecutor), ...(contracts.trusted ?? [])];
  const trustedTokens = [
    ...(isEvmNative(destinationCurrency) ? [] : [destinationCurrency]),
    ...proxies.flatMap(({ inputToken }) => present(inputToken)),
  ];
  const tokens = [
    ...trustedTokens,
    ...(facts.tokens ?? []).map(({ address }) => address),
    ...operations.flatMap((operation) => (operation.kind === "approve" ? [operation.token] : [])),
    // For example, the tokens that a swap buys.
    ...calls.flatMap(callsIn).flatMap(({ call }) => (call.kind === "function" ? Object.values(call.amounts) : [])),
  ].filter((token) => !isEvmNative(token));
  const anyCallers = [
    contracts.router,
    MULTICALL3,
    ...present(contracts.pushExecutor),
    ...(contracts.anyCallers ?? []),
  ];
  const holdings = followHoldings({ operations, delivered, takesAll });
  return {
    request,
    txs,
    contracts,
    facts,
    calls,
    operations,
    allowances,
    holdings,
    swapRouters: followSwapRouters(operations, (sent) => holdings.swept.get(sent) ?? sent.amount),
    takesAll,
    isRouter,
    // Permit2 transfers only with an allowance of its caller or a signature.
    isTrusted: includes([...trusted, contracts.router, ...trustedTokens, PERMIT2_ADDRESS]),
    isAnyCaller: (account) => includes(anyCallers)(account) || namePublicContract(account) === "a public router",
    isToken: includes(tokens),
    isDelivered,
  };
}

/** Returns a request with the plan's fields and valid defaults for all others. */
function requestOf({ tradeType, amount, destinationCurrency, recipient, refundTo, txs }: CheckedPlan): QuoteRequest {
  return {
    user: EVM_NATIVE_CURRENCY,
    originChainId: 1,
    destinationChainId: 1,
    originCurrency: EVM_NATIVE_CURRENCY,
    destinationCurrency,
    tradeType,
    amount,
    txs: [...txs],
    ...compact({ recipient, refundTo }),
  };
}

function amountOf(text: string): bigint | undefined {
  return /^\d{1,78}$/u.test(text) ? BigInt(text) : undefined;
}

function includes(accounts: readonly string[]): (account: string) => boolean {
  return (account) => accounts.some((other) => isSameAddress(other, account));
}

function present<Value>(value: Value | undefined): Value[] {
  return value === undefined ? [] : [value];
}
