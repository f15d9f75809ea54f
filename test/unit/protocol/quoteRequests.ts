import { EXCHANGE_CHAIN_ID, SVM_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/quote/quoteRequest.ts";
import { NATIVE, SVM_USDC, USER } from "./fixtures.ts";

export const base: QuoteRequest = {
  user: USER,
  originChainId: 8453,
  destinationChainId: 10,
  originCurrency: NATIVE,
  destinationCurrency: NATIVE,
  tradeType: "EXACT_INPUT",
  amount: "100",
};
export const toSvm: QuoteRequest = {
  ...base,
  destinationChainId: SVM_CHAIN_ID,
  destinationCurrency: SVM_USDC,
  recipient: SVM_USDC,
};
export const toExchange: QuoteRequest = {
  ...base,
  destinationChainId: EXCHANGE_CHAIN_ID,
  destinationCurrency: "0",
  recipient: "42",
};
export const fromExchange: QuoteRequest = {
  ...base,
  user: "42",
  recipient: USER,
  originChainId: EXCHANGE_CHAIN_ID,
  originCurrency: "3",
};
export const FOREIGN_NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
export const call = { to: USER, data: "0xdeadbeef", value: "60" };
export const calls = [call, { ...call, value: "40" }];
export const exactOutput: QuoteRequest = { ...base, tradeType: "EXACT_OUTPUT", txs: calls };
