import { expect } from "chai";
import { numberToHex, parseEther, parseGwei, zeroAddress } from "viem";

import {
  chooseFees,
  foreseeGas,
  type GasLimits,
  gasLimitsOf,
  requireAffordableGas,
} from "../../../../packages/sdk/src/execute/gas.ts";
import { openWallet } from "../../../../packages/sdk/src/execute/wallets.ts";
import type { PlannedTransaction } from "../../../../packages/protocol/src/quote/planSteps.ts";
import type { Quote } from "../../../../packages/protocol/src/quote/quote.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { caught, factsOf, rejected } from "../../../support/rejection.ts";
import { quote } from "../../protocol/fixtures.ts";
import { type Answers, failing, ScriptedWallet } from "./scriptedWallet.ts";

const USER = localAccounts.user.address;
const CHAIN_ID = 8_453;
const PLANNED: PlannedTransaction = {
  kind: "transaction",
  stepId: "deposit",
  position: "0.0",
  chainId: CHAIN_ID,
  from: USER,
  to: USER,
  data: "0x",
  value: 0n,
  gas: undefined,
  maxFeePerGas: undefined,
  maxPriorityFeePerGas: undefined,
};
const NATIVE = { chainId: CHAIN_ID, address: zeroAddress, decimals: 18, symbol: "ETH" };
const TOKEN = { chainId: CHAIN_ID, address: `0x${"11".repeat(20)}`, decimals: 6, symbol: "USDC" };

/** Returns a quote that pays an amount and states the cost of gas. */
function paying(currencyIn: object, gas: object = {}): Quote {
  return { ...quote, details: { ...quote.details, currencyIn }, fees: { ...quote.fees, gas } } as Quote;
}

const history = (baseFee: bigint, reward: bigint) => ({
  baseFeePerGas: Array.from({ length: 21 }, () => numberToHex(baseFee)),
  reward: Array.from({ length: 20 }, (_, index) => [numberToHex(index % 3 === 0 ? reward : 0n)]),
});
const node = (baseFee: bigint, tip: bigint, feeHistory?: unknown): Answers => ({
  eth_getBlockByNumber: () => ({ number: "0x1", transactions: [], baseFeePerGas: numberToHex(baseFee) }),
  eth_maxPriorityFeePerGas: () => numberToHex(tip),
  ...(feeHistory === undefined ? {} : { eth_feeHistory: () => feeHistory }),
});
const choose = async (answers: Answers, limits?: GasLimits, planned = PLANNED) =>
  chooseFees((await openWallet(new ScriptedWallet(answers).client, "wallet")).client, planned, limits);
const priceError = (gasPrice: bigint, maximumGasPrice: bigint) => ({
  code: "GAS_COST_TOO_HIGH",
  chainId: CHAIN_ID,
  gasPrice: String(gasPrice),
  maximumGasPrice: String(maximumGasPrice),
});
const costError = (gasCost: bigint, maximumGasCost: bigint) => ({
  code: "GAS_COST_TOO_HIGH",
  chainId: CHAIN_ID,
  gasCost: String(gasCost),
  maximumGasCost: String(maximumGasCost),
});
const gwei = (amount: string): bigint => parseGwei(amount);

describe("the gas cost limits", () => {
  const check = (gasPrice: bigint, usualGasPrice: bigint | undefined, limits: GasLimits = {}, gasCost = 0n): void =>
    requireAffordableGas({ chainId: CHAIN_ID, gasPrice, usualGasPrice, gasCost, limits });

  const allowed: [name: string, price: bigint, usual: bigint | undefined, limits?: GasLimits, cost?: bigint][] = [
    ["ten times the usual price", gwei("300"), gwei("30")],
    ["20 gwei on a chain with a base fee of 7 wei", gwei("20"), 7n],
    ["20 gwei on an idle chain", gwei("20"), 0n],
    ["10,000 gwei without a fee history", gwei("10000"), undefined],
    [
      "more than 10,000 gwei if the chain's usual price is high, for a payment of known value",
      gwei("20000"),
      gwei("5000"),
      { maximumGasCost: 1n },
    ],
    ["the caller's price", gwei("90000"), 7n, { maximumGasPrice: gwei("90000") }],
    ["the caller's cost", 1n, 7n, { maximumGasCost: 5n }, 5n],
    ["any cost without a limit", 1n, 7n, {}, parseEther("100")],
  ];
  for (const [name, price, usual, limits, cost] of allowed) {
    it(`allow ${name}`, () => check(price, usual, limits, cost));
  }

  const refused: [
    name: string,
    facts: object,
    price: bigint,
    usual: bigint | undefined,
    limits?: GasLimits,
    cost?: bigint,
  ][] = [
    ["more than ten times the usual price", priceError(gwei("300") + 1n, gwei("300")), gwei("300") + 1n, gwei("30")],
    ["more than 20 gwei on an idle chain", priceError(gwei("20") + 1n, gwei("20")), gwei("20") + 1n, 7n],
    ["more than 10,000 gwei without a fee history", priceError(gwei("10001"), gwei("10000")), gwei("10001"), undefined],
    [
      "a false fee history, for a payment of unknown value",
      priceError(10n ** 15n, gwei("10000")),
      10n ** 15n,
      10n ** 15n,
    ],
    ["more than the caller's price limit", priceError(3n, 2n), 3n, gwei("30"), { maximumGasPrice: 2n }],
    ["more than the caller's cost limit", costError(6n, 5n), 1n, 7n, { maximumGasCost: 5n }, 6n],
  ];
  for (const [name, facts, price, usual, limits, cost] of refused) {
    it(`refuse ${name}`, () => expect(factsOf(caught(() => check(price, usual, limits, cost)))).to.deep.equal(facts));
  }

  const gas = (amount: string, amountUsd: string, currency: object = NATIVE) => ({ currency, amount, amountUsd });
  const inToken = (amountUsd: string | undefined) => ({ currency: TOKEN, amount: "60000000", amountUsd });
  const worths: [name: string, quote: Quote, limits: GasLimits, expected: GasLimits][] = [
    [
      "native input",
      paying({ currency: NATIVE, amount: String(parseEther("2")) }),
      {},
      { maximumGasCost: parseEther("2") },
    ],
    ["a tiny native input", paying({ currency: NATIVE, amount: "5" }), {}, { maximumGasCost: parseEther("0.005") }],
    // 0.0001 ETH costs 0.30 USD, so 60 USD buys 0.02 ETH.
    [
      "a token",
      paying(inToken("60.0"), gas(String(parseEther("0.0001")), "0.30")),
      {},
      { maximumGasCost: parseEther("0.02") },
    ],
    ["a token without a value", paying(inToken(undefined), gas(String(parseEther("0.0001")), "0.30")), {}, {}],
    ["gas without a value", paying(inToken("60"), gas("5", "0")), {}, {}],
    ["gas of zero", paying(inToken("60"), gas("0", "0.30")), {}, {}],
    ["gas in a token", paying(inToken("60"), gas("5", "0.30", TOKEN)), {}, {}],
    ["gas of another chain", paying(inToken("60"), gas("5", "0.30", { ...NATIVE, chainId: 1 })), {}, {}],
    ["a value that is not a number", paying(inToken("-1e5"), gas("5", "0.30")), {}, {}],
    ["no details", { ...quote, details: null } as Quote, { maximumGasPrice: 1n }, { maximumGasPrice: 1n }],
    [
      "the caller's limits",
      paying({ currency: NATIVE, amount: "5" }),
      { maximumGasCost: 1n, maximumGasPrice: 2n },
      { maximumGasCost: 1n, maximumGasPrice: 2n },
    ],
  ];
  for (const [name, paid, limits, expected] of worths) {
    it(`are derived from the payment: ${name}`, () =>
      expect(gasLimitsOf(paid, CHAIN_ID, limits)).to.deep.equal(expected));
  }
});

describe("a transaction's fees", () => {
  it("are the node's fees if they are consistent with its fee history", async () => {
    const fees = await choose(node(gwei("30"), gwei("1"), history(gwei("30"), gwei("1"))));
    expect(fees).to.deep.equal({ maxFeePerGas: gwei("37"), maxPriorityFeePerGas: gwei("1") });
  });

  it("are rejected if they are far above the node's fee history", async () => {
    const facts = factsOf(await rejected(choose(node(10n ** 15n, 1n, history(gwei("30"), gwei("1"))))));
    expect(facts).to.deep.equal(priceError((10n ** 15n * 12n) / 10n + 1n, gwei("310")));
  });

  it("are rejected despite a false history, because of the payment's value or the highest price", async () => {
    const lying = node(10n ** 15n, 1n, history(10n ** 15n, 1n));
    expect((await rejected(choose(lying))).code).to.equal("GAS_COST_TOO_HIGH");
    // The cost is compared if all steps are known.
    expect(await choose(lying, { maximumGasCost: 1n })).to.include({ maxPriorityFeePerGas: 1n });
  });

  for (const [name, answer] of [
    ["no history", undefined],
    ["null", null],
    ["other fields", { baseFeePerGas: "0x5" }],
    ["empty lists", { baseFeePerGas: [], reward: [] }],
  ] as const) {
    it(`are limited to 10,000 gwei with ${name}`, async () => {
      expect(await choose(node(gwei("30"), 0n, answer))).to.deep.equal({
        maxFeePerGas: gwei("36"),
        maxPriorityFeePerGas: 0n,
      });
      const error = await rejected(choose(node(gwei("10000"), 0n, answer)));
      expect(factsOf(error)).to.deep.equal(priceError(gwei("12000"), gwei("10000")));
    });
  }

  it("are limited even on a chain without a base fee", async () => {
    const answers = { eth_getBlockByNumber: () => ({ number: "0x1", transactions: [] }) };
    expect(await choose({ ...answers, eth_gasPrice: () => numberToHex(gwei("5")) })).to.deep.equal({
      gasPrice: gwei("5"),
    });
    const error = await rejected(choose({ ...answers, eth_gasPrice: () => numberToHex(10n ** 15n) }));
    expect(factsOf(error)).to.deep.equal(priceError(10n ** 15n, gwei("10000")));
  });

  it("are not estimated after the signal aborts", async () => {
    const { client } = await openWallet(new ScriptedWallet({}).client, "wallet", { signal: AbortSignal.abort() });
    expect((await rejected(foreseeGas(client, PLANNED))).code).to.equal("ABORTED");
    expect((await rejected(chooseFees(client, PLANNED))).code).to.equal("ABORTED");
    const failed = await openWallet(
      new ScriptedWallet({ eth_estimateGas: failing(-32_000, "reverted") }).client,
      "wallet",
    );
    expect(await foreseeGas(failed.client, PLANNED)).to.equal(500_000n);
  });
});
