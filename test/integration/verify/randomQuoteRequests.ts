import fc from "fast-check";
import { type Address, getAddress, type Hex, zeroAddress } from "viem";

import { erc4626Deposit, planRecipe, uniswapV3Swap, wrapNative } from "../../../packages/sdk/src/calls/index.ts";
import type { Call } from "../../../packages/protocol/src/common/call.ts";
import { FEE_COMPONENTS_V2 } from "../../../packages/protocol/src/schema/values.ts";
import type { QuoteRequest } from "../../../packages/protocol/src/index.ts";
import type { Localnet, LocalnetChain } from "../../../packages/crosscall/src/localnet/index.ts";
import {
  SIMULATED_CHAINS,
  type SimulatedChain,
  svmAddress,
} from "../../../packages/crosscall/src/localnet/market/simulatedChains.ts";

const [SVM_CHAIN, EXCHANGE_CHAIN] = SIMULATED_CHAINS as readonly [SimulatedChain, SimulatedChain];

/**
 * All random values of a request. Each kind of request uses only some of them, so a failure shrinks to those values.
 */
interface Draft {
  /** Whether the request goes from the second chain to the first. */
  readonly isReversed: boolean;
  readonly isLowerCase: boolean;
  readonly input: number;
  readonly output: number;
  readonly tradeType: QuoteRequest["tradeType"];
  readonly mantissa: bigint;
  /** Exponent of ten for the amount, in twentieths of the currency's decimals. */
  readonly scale: number;
  readonly user: number;
  /** Replaces the user in requests that need no funds. */
  readonly poorUser: Address | undefined;
  readonly recipient: Address | undefined;
  readonly refundTo: Address | undefined;
  readonly account: number;
  readonly calls: readonly Call[];
  readonly recipe: "vault by proxy" | "vault" | "wrap" | "wrap by value" | "swap";
  readonly options: Partial<QuoteRequest>;
  readonly sponsored: Partial<QuoteRequest>;
  readonly isStrict: boolean;
  readonly hasCalls: boolean;
  readonly isOnOneChain: boolean;
}

const SCALE_MAX = 20;

const hexOf = (minLength: number, maxLength: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength, maxLength }).map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`);

/** Addresses far from precompile and contract addresses. */
const account: fc.Arbitrary<Address> = fc
  .tuple(hexOf(20, 20), fc.boolean())
  .map(([hex, isLower]) => (isLower ? (`0x11${hex.slice(4)}` as const) : getAddress(`0x11${hex.slice(4)}`)));

const orNone = (accounts: fc.Arbitrary<Address>): fc.Arbitrary<Address | undefined> =>
  fc.option(accounts, { nil: undefined, freq: 1 });

const bps = (max: number): fc.Arbitrary<string> => fc.nat(max).map(String);

const call: fc.Arbitrary<Call> = fc.record({
  to: account,
  data: fc.oneof(
    hexOf(0, 0),
    hexOf(0, 300),
    hexOf(4, 100).map((hex): Hex => `0x${hex.slice(2).toUpperCase()}`),
  ),
  value: fc.oneof(fc.constant("0"), fc.bigInt({ min: 0n, max: 10n ** 17n }).map(String)),
});

/** Fields that any request can have, or that repeat a default. */
const options: fc.Arbitrary<Partial<QuoteRequest>> = fc.record(
  {
    slippageTolerance: fc.oneof(bps(10_000), bps(300)),
    appFees: fc.array(fc.record({ recipient: account, fee: fc.oneof(bps(100), bps(900)) }), { maxLength: 3 }),
    referrer: fc.string({ maxLength: 30 }),
    includeProtocolData: fc.boolean(),
    permitExpiry: fc.integer({ min: 1, max: 10_000 }),
    topupGasAmount: fc.constant("2000000"),
    txs: fc.constant([]),
    strict: fc.constant(false),
    useDepositAddress: fc.constant(false),
    usePermit: fc.constant(false),
    topupGas: fc.constant(false),
    explicitDeposit: fc.constant(true),
    refundOnOrigin: fc.constant(true),
    authorizationList: fc.constant([]),
    useExternalLiquidity: fc.boolean(),
    maxRouteLength: fc.integer({ min: 1, max: 6 }),
    excludedSwapSources: fc.constant(["another"]),
    disableOriginSwaps: fc.constant(false),
  },
  { requiredKeys: [] },
);

const sponsored: fc.Arbitrary<Partial<QuoteRequest>> = fc
  .tuple(
    fc.oneof(
      fc.constant({ subsidizeFees: true }),
      fc.record({ sponsoredFeeComponents: fc.subarray([...FEE_COMPONENTS_V2], { minLength: 1 }) }),
    ),
    fc.option(fc.nat(10_000_000), { nil: undefined }),
  )
  .map(([who, cap]) => ({ ...who, ...(cap === undefined ? {} : { maxSubsidizationAmount: String(cap) }) }));

const draft: fc.Arbitrary<Draft> = fc.record({
  isReversed: fc.boolean(),
  isLowerCase: fc.boolean(),
  input: fc.nat(59),
  output: fc.nat(59),
  tradeType: fc.constantFrom("EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"),
  mantissa: fc.bigInt({ min: 1n, max: 999_999n }),
  scale: fc.nat(SCALE_MAX),
  user: fc.nat(59),
  poorUser: orNone(account),
  recipient: orNone(account),
  refundTo: orNone(account),
  account: fc.nat(1_000_000),
  calls: fc.array(call, { minLength: 1, maxLength: 4 }),
  recipe: fc.constantFrom("vault", "vault by proxy", "wrap", "wrap by value", "swap"),
  options,
  sponsored,
  isStrict: fc.boolean(),
  hasCalls: fc.boolean(),
  isOnOneChain: fc.boolean(),
});

interface Listed {
  readonly address: string;
  readonly decimals: number;
}

function currenciesOf({ contracts }: LocalnetChain, isOrigin: boolean): readonly Listed[] {
  const { dollar, tether, token, feeToken, wrappedNative } = contracts;
  return [
    { address: zeroAddress, decimals: 18 },
    { address: dollar, decimals: 6 },
    { address: tether, decimals: 6 },
    { address: wrappedNative, decimals: 18 },
    { address: token, decimals: 18 },
    // The user can receive this currency but cannot pay with it.
    ...(isOrigin ? [] : [{ address: feeToken, decimals: 18 }]),
  ];
}

const pick = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

const simulatedCurrenciesOf = ({ currencies }: SimulatedChain): readonly Listed[] =>
  currencies.map(({ currency }) => currency);

/**
 * Generates random requests of each kind that the local service quotes.
 *
 * @param users accounts that can pay, read when a request is generated
 */
export function randomQuoteRequests(
  network: Localnet,
  users: () => readonly Address[],
): Readonly<Record<string, fc.Arbitrary<QuoteRequest>>> {
  const chainsOf = ({ isReversed }: Draft): readonly [LocalnetChain, LocalnetChain] =>
    isReversed ? [network.chains[1], network.chains[0]] : [network.chains[0], network.chains[1]];

  const amountOf = ({ mantissa, scale }: Draft, { decimals }: Listed): bigint =>
    mantissa * 10n ** BigInt(Math.floor((scale * (decimals + 1)) / SCALE_MAX));

  const written = ({ isLowerCase }: Draft, address: string): string => (isLowerCase ? address.toLowerCase() : address);

  /** Returns a request between running chains. */
  const evm = (from: Draft, [origin, destination] = chainsOf(from)): QuoteRequest => {
    const [input, output] = [
      pick(currenciesOf(origin, true), from.input),
      pick(currenciesOf(destination, false), from.output),
    ];
    const { recipient, refundTo } = from;
    return {
      user: from.poorUser ?? written(from, pick(users(), from.user)),
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: written(from, input.address),
      destinationCurrency: written(from, output.address),
      tradeType: from.tradeType,
      amount: amountOf(from, from.tradeType === "EXACT_INPUT" ? input : output).toString(),
      ...(recipient === undefined ? {} : { recipient }),
      ...(refundTo === undefined ? {} : { refundTo }),
      ...from.options,
    };
  };

  const oneChain = (from: Draft): readonly [LocalnetChain, LocalnetChain] => [chainsOf(from)[0], chainsOf(from)[0]];

  /**
   * Adds calls to a request. With a fixed output in native currency, the amount is the sum of the values. With a fixed
   * output in a token, the calls have no values.
   */
  const withCalls = (request: QuoteRequest, calls: readonly Call[], hasValues = true): QuoteRequest => {
    const tradeType = request.tradeType === "EXPECTED_OUTPUT" ? "EXACT_OUTPUT" : request.tradeType;
    const isNative = request.destinationCurrency === zeroAddress;
    const isFixed = tradeType === "EXACT_OUTPUT";
    const txs = isNative || (!isFixed && hasValues) ? [...calls] : calls.map((one) => ({ ...one, value: "0" }));
    const sum = txs.reduce((total, { value }) => total + BigInt(value), 0n);
    return { ...request, tradeType, txs, ...(isFixed && isNative ? { amount: sum.toString() } : {}) };
  };

  const withRecipe = (request: QuoteRequest, { recipe }: Draft, { contracts }: LocalnetChain): QuoteRequest => {
    const { router, vault, dollar, vaultProxy, wrappedNative, uniswapRouter } = contracts;
    const common = {
      router,
      recipient: (request.recipient ?? request.user) as Address,
      amount: BigInt(request.amount),
    } as const;
    const plan = {
      vault: () =>
        planRecipe({ ...common, tradeType: "EXACT_OUTPUT", recipe: erc4626Deposit, args: { vault, asset: dollar } }),
      "vault by proxy": () =>
        planRecipe({
          ...common,
          tradeType: "EXACT_INPUT",
          recipe: erc4626Deposit,
          args: { vault, asset: dollar },
          proxy: vaultProxy,
        }),
      wrap: () => planRecipe({ ...common, tradeType: "EXACT_OUTPUT", recipe: wrapNative, args: { wrappedNative } }),
      "wrap by value": () =>
        planRecipe({ ...common, tradeType: "EXACT_INPUT", recipe: wrapNative, args: { wrappedNative } }),
      swap: () =>
        planRecipe({
          ...common,
          // For smaller amounts, pools return nothing, and the user's own call would fail.
          amount: common.amount + 1_000n,
          tradeType: "EXACT_OUTPUT",
          recipe: uniswapV3Swap,
          args: {
            swapRouter: uniswapRouter,
            generation: "SwapRouter02",
            tokens: [dollar, wrappedNative],
            fees: [3_000],
          },
          minimumOut: 1n,
        }),
    }[recipe]();
    return { ...request, ...plan };
  };

  /** Of simulated chains. */
  const userOf = ({ account: index }: Draft, { vmType }: SimulatedChain): string =>
    vmType === "svm" ? svmAddress(`user ${index}`) : String(index);

  const fromSimulated = (from: Draft, chain: SimulatedChain): QuoteRequest => {
    const { refundTo: _, ...request } = evm(from);
    const input = pick(simulatedCurrenciesOf(chain), from.input);
    return {
      ...request,
      user: userOf(from, chain),
      recipient: request.recipient ?? request.user,
      originChainId: chain.id,
      originCurrency: input.address,
      ...(from.refundTo === undefined ? {} : { refundTo: userOf({ ...from, account: 7 }, chain) }),
      ...(from.tradeType === "EXACT_INPUT" ? { amount: amountOf(from, input).toString() } : {}),
    };
  };

  const toSimulated = (request: QuoteRequest, from: Draft, chain: SimulatedChain): QuoteRequest => {
    const output = pick(simulatedCurrenciesOf(chain), from.output);
    return {
      ...request,
      destinationChainId: chain.id,
      destinationCurrency: output.address,
      recipient: userOf(from, chain),
      ...(from.tradeType === "EXACT_INPUT" ? {} : { amount: amountOf(from, output).toString() }),
    };
  };

  const funded = (from: Draft): Draft => ({ ...from, poorUser: undefined });
  const withSomeCalls = (request: QuoteRequest, { hasCalls, calls }: Draft): QuoteRequest =>
    hasCalls ? withCalls(request, calls) : request;

  return {
    "across chains": draft.map((from) => evm(from)),
    "with calls": draft.map((from) => withCalls(evm(from), from.calls)),
    "with a recipe": draft.map((from) => withRecipe(evm(from), from, chainsOf(from)[1])),
    sponsored: draft.map((from) => ({ ...withSomeCalls(evm(from), from), ...from.sponsored })),
    "to a deposit address": draft.map((from) => ({
      ...evm({ ...funded(from), tradeType: "EXACT_INPUT" }, from.isOnOneChain ? oneChain(from) : chainsOf(from)),
      useDepositAddress: true,
      ...(from.isStrict && from.refundTo !== undefined ? { strict: true } : {}),
      ...(from.hasCalls ? { subsidizeFees: true } : {}),
    })),
    "send on one chain": draft.map((from) => {
      const { appFees: _, ...request } = evm({ ...from, output: from.input % 5 }, oneChain(from));
      return { ...request, destinationCurrency: request.originCurrency, recipient: from.recipient ?? pick(users(), 1) };
    }),
    "wrap on one chain": draft.map((from) => {
      const [input, output] = from.output % 2 === 0 ? [0, 3] : [3, 0];
      const { appFees, ...request } = evm({ ...funded(from), input, output }, oneChain(from));
      return from.hasCalls && appFees !== undefined ? { ...request, appFees } : request;
    }),
    "swap on one chain": draft.map((from) => evm(funded(from), oneChain(from))),
    "calls on one chain": draft.map((from) =>
      withCalls(evm({ ...funded(from), input: 0 }, oneChain(from)), from.calls, false),
    ),
    "recipe on one chain": draft.map((from) =>
      withRecipe(evm({ ...funded(from), input: 0 }, oneChain(from)), from, chainsOf(from)[0]),
    ),
    "from the SVM chain": draft.map((from) => withSomeCalls(fromSimulated(from, SVM_CHAIN), from)),
    "from the exchange chain": draft.map((from) => withSomeCalls(fromSimulated(from, EXCHANGE_CHAIN), from)),
    "to the SVM chain": draft.map((from) => toSimulated(evm(from), from, SVM_CHAIN)),
    "to the exchange chain": draft.map((from) => toSimulated(evm(from), from, EXCHANGE_CHAIN)),
    "between simulated chains": draft.map((from) => {
      const [origin, destination] = from.isReversed ? [EXCHANGE_CHAIN, SVM_CHAIN] : [SVM_CHAIN, EXCHANGE_CHAIN];
      return toSimulated(fromSimulated(from, origin), from, destination);
    }),
  };
}
