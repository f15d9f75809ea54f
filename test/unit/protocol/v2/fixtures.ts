import type { RequestRecordV2 } from "../../../../packages/protocol/src/v2/requestRecordV2.ts";
import { transaction, USDC, USER } from "../fixtures.ts";

const HASH = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
const FILL = "0x20a113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2b";

export const usdc = {
  chainId: 8453,
  address: USDC,
  symbol: "USDC",
  name: "USD Coin",
  decimals: 6,
  metadata: { logoURI: "https://example.org/usdc.png", verified: true, isNative: false },
};
export const ether = {
  chainId: 10,
  address: "0x0000000000000000000000000000000000000000",
  symbol: "ETH",
  name: "Ether",
  decimals: 18,
  metadata: { logoURI: "https://example.org/eth.png", verified: true, isNative: true },
};

export const deposited = { currency: usdc, amount: "1000000", amountFormatted: "1.0", amountUsd: "1.00" };
export const crossed = { currency: ether, amount: "401", amountFormatted: "0.000401", amountUsd: "0.99" };
export const received = { currency: ether, amount: "400", amountFormatted: "0.0004", amountUsd: "0.98" };
export const quotedOut = { currency: ether, amount: "399", amountFormatted: "0.000399", amountUsd: "0.97" };
export const inUsdc = (amount: string) => ({ amount, amountFormatted: amount, amountUsd: amount });

const sponsored = (amount: string) => ({
  selected: true,
  total: { currency: usdc, ...inUsdc(amount) },
  sponsored: { currency: usdc, ...inUsdc(amount) },
  userPays: { currency: usdc, ...inUsdc("0") },
});
const sponsorship = {
  selectedComponents: ["execution", "relay", "rent"],
  maxSubsidizationAmount: "1000000",
  capHit: false,
  components: {
    execution: sponsored("11"),
    swap: sponsored("12"),
    relay: sponsored("13"),
    app: sponsored("14"),
    rent: { ...sponsored("15"), userPays: { currency: ether, ...inUsdc("16") } },
  },
  sponsoredTotal: { currency: usdc, ...inUsdc("50") },
  userPaysTotal: { currency: usdc, ...inUsdc("0") },
};
const impact = (sign: string) => ({
  swap: { usd: `${sign}0.01` },
  execution: { usd: `${sign}0.02` },
  relay: { usd: `${sign}0.03` },
  app: { usd: `${sign}0.04` },
  sponsored: { usd: `${sign}0.05` },
});

/** v2 record with every field of the specification. */
export const recordV2 = {
  id: HASH,
  status: "success",
  user: USER,
  recipient: USER,
  depositAddress: { address: USER, depositAddressType: "strict", depositor: USER, depositTxHash: HASH },
  referrer: "crosscall",
  moonpayId: "partner-7",
  data: {
    slippageTolerance: "50",
    failReason: "N/A",
    refundFailReason: "N/A",
    supersededByRequestId: null,
    fees: { gas: "1001", fixed: "1002", price: "1003", gateway: "1004" },
    feesUsd: { gas: "0.1", fixed: "0.2", price: "0.3", gateway: "0.4" },
    subsidizedRequest: true,
    subsidizedFee: {
      origin: { amount: "50", address: USDC, chainId: 8453 },
      sponsor: { amount: "51", address: USDC, chainId: 8453 },
      amountUsd: "50",
      amountUsdCurrent: "49.9",
    },
    feeSponsorship: { quoted: sponsorship, actual: sponsorship },
    expandedPriceImpact: { quoted: impact("-"), actual: impact("") },
    currency: "usdc",
    currencyObject: usdc,
    feeCurrency: "USDC",
    feeCurrencyObject: usdc,
    appFeeCurrencyObject: usdc,
    price: "401",
    appFees: [{ recipient: USER, bps: "10", amount: "1500000", amountUsd: "1.5" }],
    paidAppFees: [{ recipient: USER, bps: "10", amount: "1400000", amountUsd: "1.4", amountUsdCurrent: "1.39" }],
    usesExternalLiquidity: false,
    timeEstimate: 2,
    triggeredByFastFill: true,
    inTxs: [{ hash: HASH, ...transaction }],
    outTxs: [{ hash: FILL, ...transaction, chainId: 10 }],
    metadata: {
      sender: USER,
      recipient: USER,
      currencyIn: deposited,
      currencyOut: received,
      rate: "0.0004",
      route: {
        origin: { inputCurrency: deposited, outputCurrency: deposited, router: "relay", includedSwapSources: ["a"] },
        destination: { inputCurrency: crossed, outputCurrency: quotedOut, router: "relay", includedSwapSources: ["b"] },
      },
      currencyGasTopup: { currency: ether, amount: "7", amountFormatted: "0.7", amountUsd: "0.77" },
    },
  },
  createdAt: "2026-08-01T00:00:00.000Z",
  updatedAt: "2026-08-01T00:00:02.000Z",
} satisfies RequestRecordV2 & { moonpayId: string };
