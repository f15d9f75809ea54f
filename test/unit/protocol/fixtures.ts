import type { Address } from "viem";

import { EXCHANGE_CHAIN_ID, SVM_CHAIN_ID } from "../../../packages/protocol/src/chains/chainIds.ts";
import { localRouterAddress } from "../../../packages/protocol/src/generations/routers.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/quote/quoteRequest.ts";

/** Complete wire values, written by hand from spec 1 and spec 2. */

export const USER = "0xF0AE622e463fa757Cf72243569E18Be7Df1996cd";
export const ROUTER: Address = `0x${localRouterAddress("3.0").slice(2).toLowerCase()}`;
export const NATIVE = "0x0000000000000000000000000000000000000000";
export const USDC = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
export const SVM_USDC = "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v";
const HASH = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";

const currency = {
  chainId: 8453,
  address: USDC,
  symbol: "USDC",
  name: "USD Coin",
  decimals: 6,
  metadata: { logoURI: "https://example.org/usdc.png", verified: true, isNative: false },
};

export const groupAmount = {
  amount: "1000000",
  amountFormatted: "1.0",
  amountUsd: "1.00",
  amountUsdCurrent: "1.01",
  minimumAmount: "990000",
};

export const amount = { currency, ...groupAmount };

const fee = { usd: "-0.02", amount: "20000", amountFormatted: "0.02" };
const feePhase = { swap: fee, execution: fee, platform: fee, app: fee, sponsored: { ...fee, usd: "0.02" } };
const appFee = {
  recipient: USER,
  bps: "10",
  amount: "1000",
  amountFormatted: "0.001",
  amountUsd: "0.001",
  amountUsdCurrent: "0.001",
};
const sponsored = { selected: true, total: groupAmount, sponsored: groupAmount, userPays: groupAmount };
const sponsorshipPhase = {
  selectedComponents: ["execution", "swap", "platform", "app"],
  maxSubsidizationAmount: "1000000",
  capHit: false,
  components: { execution: sponsored, swap: sponsored, platform: sponsored, app: sponsored },
  sponsoredTotal: groupAmount,
  userPaysTotal: groupAmount,
};
const side = { inputCurrency: amount, outputCurrency: amount, router: "relay" };
/** Transaction in a record, without its hash. */
export const transaction = {
  fee: "21000000000000",
  block: 123,
  type: "onchain",
  chainId: 8453,
  timestamp: 1_790_000_000,
  status: "success",
  data: { any: "thing" },
  stateChanges: [],
};

export const requestRecord = {
  id: HASH,
  status: "success",
  user: USER,
  sender: USER,
  recipient: USER,
  refundTo: USER,
  depositAddress: {
    address: USER,
    type: "strict",
    depositor: USER,
    depositTxHash: HASH,
    recoveryAddress: USER,
  },
  requestType: "Crosschain Swap",
  supersededByRequestId: HASH,
  features: ["fast_fill", "app_fees"],
  data: {
    slippageTolerance: "50",
    failReason: "SLIPPAGE",
    refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
    failedTxHash: HASH,
    failedTxBlockNumber: 124,
    failedCallData: { from: USER, to: USER, data: "0x", value: "0" },
    usesExternalLiquidity: false,
    timeEstimate: 2,
    triggeredByFastFill: true,
    inTxs: [{ txHash: HASH, ...transaction }],
    outTxs: [{ txHash: HASH, ...transaction }],
    appFees: { quoted: [appFee], actual: [appFee], currency },
    fees: { quoted: feePhase, actual: feePhase, currency },
    feeSponsorship: {
      quoted: sponsorshipPhase,
      actual: { ...sponsorshipPhase, sponsorPayment: { amount: "1", address: USDC, chainId: 8453 } },
      currency,
    },
    route: {
      includedSwapSources: ["a"],
      includedOriginSwapSources: ["a"],
      includedDestinationSwapSources: ["a"],
      quoted: { origin: side, destination: side },
      actual: { rate: "1.0", origin: side, destination: side },
    },
    platformFee: { bps: "6" },
    quoteOraclePrice: {
      rate: "1.0",
      observedAt: "2026-08-01T00:00:00.000Z",
      inputCurrency: amount,
      outputCurrency: amount,
    },
    referrer: "crosscall",
    refundCurrencyData: amount,
    externalMetadata: { moonpayId: null },
  },
  protocol: {
    orderId: HASH,
    hubType: "onchain",
    isWithdrawable: true,
    solver: { address: USER, protocolChainId: "base", chainId: 8453 },
    deposit: {
      origin: {
        amount: "1000000",
        chainId: 8453,
        currency: USDC,
        depositor: USER,
        depository: USER,
        onchainId: HASH,
        transactionId: HASH,
      },
    },
    settlement: {
      destination: {
        fills: [{ chainId: 10, transactionId: HASH }],
        refunds: [{ chainId: 8453, transactionId: HASH }],
      },
    },
  },
  createdAt: "2026-08-01T00:00:00.000Z",
  updatedAt: "2026-08-01T00:00:02.000Z",
};

export const order = {
  version: "v1",
  solverChainId: "base",
  solver: "0xf70da97812cb96acdf810712aa562db8dfa3dbef",
  salt: "0x184ed77f343bff09b7255a75f0be900ac82c00c276c0a97eed2948ab3a1e8503",
  inputs: [
    {
      payment: { chainId: "base", currency: USDC, amount: "1000000", weight: "1" },
      refunds: [
        {
          chainId: "base",
          recipient: USER,
          currency: USDC,
          minimumAmount: "0",
          deadline: 1_791_082_506,
          extraData: `0x${"00".repeat(12)}${ROUTER.slice(2)}`,
        },
      ],
    },
  ],
  output: {
    chainId: "optimism",
    payments: [{ recipient: ROUTER, currency: NATIVE, minimumAmount: "979", expectedAmount: "1000" }],
    calls: ["0x1234", "0x"],
    deadline: 1_791_082_507,
    extraData: `0x${"00".repeat(12)}${ROUTER.slice(2)}`,
  },
  fees: [{ recipientChainId: "base", recipient: USER, currencyChainId: "optimism", currency: NATIVE, amount: "7" }],
};

export const quote = {
  steps: [
    {
      id: "deposit",
      action: "Confirm transaction in your wallet",
      description: "Depositing funds",
      kind: "transaction",
      requestId: HASH,
      depositAddress: "",
      items: [
        {
          status: "incomplete",
          data: { from: USER, to: USER, data: "0x49290c1c", value: "1", chainId: 8453 },
          check: { endpoint: `/intents/status/v3?requestId=${HASH}`, method: "GET" },
        },
      ],
    },
  ],
  fees: {
    gas: amount,
    relayer: amount,
    relayerGas: amount,
    relayerService: { ...amount, amount: "-5" },
    app: amount,
    subsidized: amount,
  },
  details: {
    operation: "swap" as const,
    sender: USER,
    recipient: USER,
    currencyIn: amount,
    currencyOut: amount,
    refundCurrency: amount,
    totalImpact: { usd: "-0.02", percent: "-2.0" },
    swapImpact: { usd: "0", percent: "0" },
    expandedPriceImpact: {
      swap: { usd: "0" },
      execution: { usd: "-0.02" },
      relay: { usd: "0" },
      app: { usd: "0" },
      sponsored: { usd: "0" },
    },
    rate: "0.98",
    slippageTolerance: {
      origin: { usd: "0", value: "0", percent: "0" },
      destination: { usd: "0.02", value: "20000", percent: "2" },
    },
    timeEstimate: 2,
    userBalance: "5000000",
    isFixedRate: false,
    route: { origin: side, destination: side },
  },
  protocol: {
    v2: {
      orderId: HASH,
      orderData: order,
      paymentDetails: { chainId: "base", depository: USER, currency: USDC, amount: "1000000" },
    },
  },
};

export const chainEntry = {
  id: 8453,
  name: "base",
  displayName: "Base",
  vmType: "evm",
  httpRpcUrl: "https://base.example.org",
  wsRpcUrl: "wss://base.example.org",
  explorerUrl: "https://explorer.example.org",
  disabled: false,
  depositEnabled: true,
  currency: { id: "eth", symbol: "ETH", name: "Ether", address: NATIVE, decimals: 18 },
  erc20Currencies: [{ id: "usdc", symbol: "USDC", name: "USD Coin", address: USDC, decimals: 6, supportsPermit: true }],
  solverAddresses: ["0xf70da97812cb96acdf810712aa562db8dfa3dbef"],
  contracts: { v3: { erc20Router: ROUTER, approvalProxy: USER } },
  protocol: { v2: { chainId: "base", depository: USER } },
};

/** Quote request with every field, and one unknown field. */
export const quoteRequest = {
  user: USER,
  originChainId: 8453,
  destinationChainId: 10,
  originCurrency: USDC,
  destinationCurrency: NATIVE,
  tradeType: "EXACT_OUTPUT",
  amount: "1",
  recipient: USER,
  refundTo: USER,
  referrer: "crosscall",
  txs: [{ to: USER, data: "0x", value: "1" }],
  slippageTolerance: "50",
  appFees: [{ recipient: USER, fee: "10" }],
  useExternalLiquidity: true,
  maxRouteLength: 4,
  includedOriginSwapSources: ["a"],
  subsidizeFees: true,
  sponsoredFeeComponents: ["execution", "swap", "relay", "app", "rent"],
  maxSubsidizationAmount: "1000000",
  useDepositAddress: false,
  strict: false,
  protocolVersion: "v2",
};

/** Bridge request for the native currency. */
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
/** Bridge request from the SVM chain. */
export const fromSvm: QuoteRequest = {
  ...base,
  user: SVM_USDC,
  recipient: USER,
  originChainId: SVM_CHAIN_ID,
  destinationChainId: 8453,
  originCurrency: SVM_USDC,
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

const { depositAddress: _, items, requestId, ...words } = quote.steps[0]!;
const { from: _from, ...callData } = items[0]!.data;

/** The same quote in v3 format. */
export const quoteV3 = {
  requestId,
  steps: [{ ...words, ...items[0]!, data: callData }],
  fees: { quoted: requestRecord.data.fees.quoted, currency: requestRecord.data.fees.currency },
  details: quote.details,
  protocol: quote.protocol,
};
