import { type Address, encodeFunctionData, erc20Abi, parseEther, zeroAddress } from "viem";

import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { Localnet } from "../../../packages/crosscall/src/localnet/index.ts";
import { svmAddress } from "../../../packages/crosscall/src/localnet/market/simulatedChains.ts";
import { etherRequest } from "../support/requests.ts";

const OTHER: Address = "0x00000000000000000000000000000000000000aa";

/** Returns a request for each kind of quote that the local service supports. */
export function quoteShapes(network: Localnet): Readonly<Record<string, QuoteRequest>> {
  const [origin, destination] = network.chains;
  const crossChain: QuoteRequest = etherRequest(network, { destinationCurrency: zeroAddress });
  const { dollar, wrappedNative, vault } = destination.contracts;
  const dollars = { originCurrency: origin.contracts.dollar, amount: "50000000" };
  const approveVault = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [vault, 10n] });
  const txs = [
    { to: dollar, data: approveVault, value: "0" },
    {
      to: dollar,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [OTHER, 1n] }),
      value: "0",
    },
  ];
  const pay = [
    { to: OTHER, data: "0x", value: "1000" },
    { to: OTHER, data: "0x12", value: "2000" },
  ];
  const sameChain = { ...crossChain, destinationChainId: origin.id };
  const simulated = { recipient: crossChain.user, destinationCurrency: dollar };
  return {
    native: crossChain,
    token: { ...crossChain, ...dollars, destinationCurrency: dollar, recipient: OTHER, refundTo: OTHER },
    "with a slippage, an app fee and a signed order": {
      ...crossChain,
      destinationCurrency: dollar,
      slippageTolerance: "50",
      appFees: [{ recipient: OTHER, fee: "100" }],
      includeProtocolData: true,
    },
    "exact output": { ...crossChain, ...dollars, tradeType: "EXACT_OUTPUT", amount: parseEther("0.001").toString() },
    "expected output": { ...crossChain, destinationCurrency: dollar, tradeType: "EXPECTED_OUTPUT", amount: "5000000" },
    "token calls": { ...crossChain, ...dollars, destinationCurrency: dollar, txs },
    "native calls": { ...crossChain, tradeType: "EXACT_OUTPUT", amount: "3000", txs: pay },
    sponsored: { ...crossChain, ...dollars, destinationCurrency: dollar, subsidizeFees: true },
    "authorization (EIP-3009)": { ...crossChain, ...dollars, destinationCurrency: dollar, usePermit: true },
    "permit (EIP-2612)": {
      ...crossChain,
      originCurrency: origin.contracts.token,
      amount: parseEther("50").toString(),
      usePermit: true,
    },
    "approval and permit (Permit2)": {
      ...crossChain,
      originCurrency: origin.contracts.tether,
      amount: "50000000",
      usePermit: true,
      permitExpiry: 1_200,
    },
    "for an account that the service executes": { ...crossChain, ...dollars, originGasOverhead: 80_000 },
    "native deposit address": { ...crossChain, useDepositAddress: true, refundTo: OTHER },
    "token deposit address": { ...crossChain, ...dollars, useDepositAddress: true, refundTo: OTHER },
    "strict deposit address of an exact output": {
      ...crossChain,
      ...dollars,
      destinationCurrency: dollar,
      tradeType: "EXACT_OUTPUT",
      amount: "5000000",
      useDepositAddress: true,
      strict: true,
      refundTo: OTHER,
    },
    "implicit deposit": { ...crossChain, ...dollars, destinationCurrency: dollar, explicitDeposit: false },
    "fixed rate": { ...crossChain, ...dollars, destinationCurrency: dollar, fixedRate: "1:1.0005" },
    "gas top-up": { ...crossChain, ...dollars, destinationCurrency: dollar, topupGas: true },
    "calls with a gas limit and a top-up": {
      ...crossChain,
      ...dollars,
      destinationCurrency: dollar,
      txs,
      txsGasLimit: 300_000,
      topupGas: true,
    },
    "native send": { ...sameChain, recipient: OTHER },
    "token send": { ...sameChain, ...dollars, destinationCurrency: origin.contracts.dollar, recipient: OTHER },
    wrap: { ...sameChain, destinationCurrency: wrappedNative },
    swap: { ...sameChain, ...dollars, destinationCurrency: zeroAddress },
    "swap to an exact output": {
      ...sameChain,
      originCurrency: zeroAddress,
      destinationCurrency: origin.contracts.dollar,
      tradeType: "EXACT_OUTPUT",
      amount: "5000000",
    },
    "calls on one chain": { ...sameChain, tradeType: "EXACT_OUTPUT", amount: "3000", txs: pay },
    SVM: {
      ...crossChain,
      ...simulated,
      user: svmAddress("test wallet"),
      originChainId: 792_703_809,
      originCurrency: "11111111111111111111111111111111",
      amount: "1000000000",
    },
    "SVM token": {
      ...crossChain,
      ...simulated,
      user: svmAddress("test wallet"),
      originChainId: 792_703_809,
      originCurrency: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
      amount: "100000000",
    },
    "exchange chain": {
      ...crossChain,
      ...simulated,
      user: "509564",
      originChainId: 3_586_256,
      originCurrency: "3",
      amount: "100000000",
    },
    "exchange chain, perpetuals": {
      ...crossChain,
      ...simulated,
      user: "509564",
      originChainId: 3_586_256,
      originCurrency: "0",
      amount: "100000000",
    },
    "to the SVM": {
      ...crossChain,
      destinationChainId: 792_703_809,
      destinationCurrency: "11111111111111111111111111111111",
      recipient: svmAddress("test wallet"),
    },
  };
}
