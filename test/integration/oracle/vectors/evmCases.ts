import { type Address, concat, encodeFunctionData, erc20Abi, type Hex, pad, zeroAddress, zeroHash } from "viem";

import {
  addressOf,
  callExecuted,
  EvmWorld,
  FIRST_LOG,
  hashOf,
  type Log,
  movement,
  nativeDeposit,
  nativePayment,
  type Sent,
  tokenDeposit,
} from "./world.ts";
import { encodeOrderCall, type Order } from "../../../../packages/protocol/src/index.ts";
import { localAccounts } from "../../../../packages/crosscall/src/localnet/devchain/accounts.ts";
import { idOf } from "../support/vectors.ts";
import { orderIdOf, type VmTypes } from "./derive.ts";
import { encodeFillContract } from "../../../../packages/protocol/src/order/index.ts";

/** Vector without its response. */
export interface Case {
  readonly name: string;
  readonly route: string;
  readonly request: object;
  readonly apiKey?: string;
}

const DEPOSITS = "depository-deposits/v1";
export const FILLS = "solver-fills/v1";
export const REFUNDS = "solver-refunds/v1";
const DEADLINE = 2_000_000_000;
export const DEPOSITORY = addressOf("depository");
const [alice, bob, router, token, other] = ["alice", "bob", "router", "token", "other token"].map(addressOf) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
export const ID: Hex = `0x${"c1".repeat(32)}`;
const { solver, stranger } = localAccounts;
const ORDER_CHAINS: VmTypes = new Map([
  ["solana", "solana-vm"],
  ["tron", "tron-vm"],
]);

const transfer = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
const transferFrom = (to: Address, amount: bigint): Hex =>
  encodeFunctionData({ abi: erc20Abi, functionName: "transferFrom", args: [alice, to, amount] });
const bare = (amount: bigint, of: Address = token): Log => movement(of, alice, DEPOSITORY, amount);

/** Returns transactions, keyed by the reason why they do or do not contain a deposit. */
function depositTransactions(amount: bigint): Record<string, Sent> {
  const named = (id: Hex, value = amount, from = alice) => tokenDeposit(DEPOSITORY, { from, token, amount: value, id });
  const toToken = { to: token };
  return {
    "native with an id": { logs: [nativeDeposit(DEPOSITORY, alice, amount, ID)] },
    "native without an id": { logs: [nativeDeposit(DEPOSITORY, bob, amount, zeroHash)] },
    "token with an id": { logs: [bare(amount), named(ID)] },
    "token for another depositor": { logs: [bare(amount), named(ID, amount, bob)] },
    "token event of another amount": { logs: [bare(amount), named(ID, amount + 1n)] },
    "token event without a transfer": { logs: [named(ID)] },
    "the last matching token event": { logs: [bare(amount), named(hashOf("first")), named(ID)] },
    several: {
      logs: [
        nativeDeposit(DEPOSITORY, alice, amount, ID),
        bare(amount),
        named(hashOf("second")),
        movement(token, alice, bob, amount),
        nativeDeposit(DEPOSITORY, bob, amount + 1n, zeroHash),
        bare(amount + 2n, other),
      ],
    },
    "bare transfer": { ...toToken, logs: [bare(amount)], input: transfer(DEPOSITORY, amount) },
    "bare transfer with a trailing id": {
      ...toToken,
      logs: [bare(amount)],
      input: concat([transfer(DEPOSITORY, amount), ID]),
    },
    "bare transferFrom with a trailing id": {
      ...toToken,
      logs: [bare(amount)],
      input: concat([transferFrom(DEPOSITORY, amount), ID]),
    },
    "trailing id with 16 zero bytes": {
      ...toToken,
      logs: [bare(amount)],
      input: concat([transfer(DEPOSITORY, amount), pad("0x01", { size: 16 }), `0x${"aa".repeat(16)}`]),
    },
    "trailing id that starts with 16 zero bytes": {
      ...toToken,
      logs: [bare(amount)],
      input: concat([transfer(DEPOSITORY, amount), pad("0xaa", { size: 32 })]),
    },
    "trailing id of 31 bytes": {
      ...toToken,
      logs: [bare(amount)],
      input: concat([transfer(DEPOSITORY, amount), `0x${"aa".repeat(31)}`]),
    },
    "trailing id inside the call of a contract": {
      to: router,
      logs: [bare(amount)],
      input: concat(["0x12345678", transfer(DEPOSITORY, amount), ID]),
    },
    "trailing ids of two calls": {
      to: router,
      logs: [bare(amount)],
      input: concat([
        "0x12345678",
        transfer(DEPOSITORY, amount),
        ID,
        transferFrom(DEPOSITORY, amount),
        hashOf("other"),
      ]),
    },
    "trailing id of a call of another amount": {
      to: router,
      logs: [bare(amount)],
      input: concat(["0x12345678", transfer(DEPOSITORY, amount + 1n), ID]),
    },
    "two bare transfers with a trailing id": {
      ...toToken,
      logs: [bare(amount), bare(amount, other)],
      input: concat([transfer(DEPOSITORY, amount), ID]),
    },
    "token of the native currency on zkSync chains": {
      logs: [bare(amount, "0x000000000000000000000000000000000000800a"), nativeDeposit(DEPOSITORY, alice, amount, ID)],
    },
    "deposits elsewhere": {
      logs: [nativeDeposit(addressOf("foreign depository"), alice, amount, ID), movement(token, alice, bob, amount)],
    },
    "transfer with four topics": {
      logs: [{ ...bare(amount), topics: [...bare(amount).topics, pad("0x01")], data: "0x" }],
    },
    "no logs": {},
    reverted: { logs: [nativeDeposit(DEPOSITORY, alice, amount, ID)], isReverted: true },
    "nine blocks deep": { logs: [nativeDeposit(DEPOSITORY, alice, amount, ID)], depth: 9 },
    "ten blocks deep": { logs: [nativeDeposit(DEPOSITORY, alice, amount, ID)], depth: 10 },
    "not final and without a deposit": { depth: 2 },
  };
}

/** Returns deposits on each EVM chain, with a different amount in each transaction. */
export function evmDepositCases(worlds: readonly EvmWorld[]): Case[] {
  return worlds.flatMap((world, position) => {
    let amount = 10n ** BigInt(position * 9) + BigInt(position);
    const cases = Object.keys(depositTransactions(1n)).map((name): Case => {
      amount += amount / 3n + 1n;
      const transactionId = world.happen(depositTransactions(amount)[name] ?? {});
      return depositCase(`${world.name}: ${name}`, world.name, transactionId);
    });
    const [largest] = [2n ** 256n - 1n].map((value) => nativeDeposit(DEPOSITORY, alice, value, ID));
    const transactionId = world.happen({ logs: [largest!] });
    return [
      ...cases,
      depositCase(`${world.name}: largest amount`, world.name, transactionId),
      depositCase(`${world.name}: id in upper case`, world.name, `0x${transactionId.slice(2).toUpperCase()}`),
      depositCase(`${world.name}: missing`, world.name, hashOf("missing")),
      depositCase(`${world.name}: id that is not hex`, world.name, "0x12zz"),
      depositCase(`${world.name}: fast mode`, world.name, transactionId, { mode: "fast" }),
    ];
  });
}

export function depositCase(name: string, chainId: string, transactionId: string, change: object = {}): Case {
  return { name, route: DEPOSITS, request: { chainId, transactionId, ...change } };
}

/** Returns deposits with a finality that depends on their amount. */
export function fastCases(world: EvmWorld): Case[] {
  return [
    [99n, 3],
    [100n, 3],
    [100n, 6],
    [999n, 5],
    [999n, 4],
    [1_000n, 6],
    [1_000n, 10],
    [98n, 12],
    [77n, 3],
  ].flatMap(([amount, depth]) => {
    const logs = [nativeDeposit(DEPOSITORY, alice, BigInt(amount!), ID)];
    const transactionId = world.happen({ logs, depth: Number(depth) });
    return ["fast", "slow"].map((mode) =>
      depositCase(`${mode} deposit of ${amount} at depth ${depth}`, world.name, transactionId, { mode }),
    );
  });
}

/** Parts of an order that vary between the vectors. */
interface OrderPlan {
  readonly inputs: readonly {
    readonly amount: bigint;
    readonly weight: bigint;
    readonly paid: bigint;
    readonly currency?: Address;
  }[];
  readonly payments: readonly { readonly currency: Address; readonly amount: bigint; readonly to?: Address }[];
  readonly calls?: readonly { readonly to: Address; readonly data: Hex; readonly value: bigint }[];
  readonly fees?: readonly { readonly chainId: string; readonly currency: string; readonly recipient: string }[];
  readonly deadline?: number;
  readonly refundRecipient?: Address;
  /** Whether each input has only one refund. */
  readonly isPlain?: boolean;
}

export interface PlacedOrder {
  readonly name: string;
  readonly order: Order;
  readonly orderId: Hex;
  readonly body: { readonly order: Order; readonly orderSignature: Hex; readonly inputs: readonly object[] };
  readonly deposits: readonly Case[];
}

/** Makes deposits for an order with inputs, payments and refunds on one chain. The solver signs the order. */
export async function place(world: EvmWorld, name: string, plan: OrderPlan): Promise<PlacedOrder> {
  const { inputs, payments, calls = [], fees = [], deadline = DEADLINE, refundRecipient = bob, isPlain = false } = plan;
  const chainId = world.name;
  const extraData = encodeFillContract(router);
  const order: Order = {
    version: "v1",
    solverChainId: "base",
    solver: solver.address,
    salt: hashOf(`salt of ${name}`),
    inputs: inputs.map(({ amount, weight, currency = zeroAddress }) => ({
      payment: { chainId, currency, amount: `${amount}`, weight: `${weight}` },
      refunds: [
        { chainId, recipient: refundRecipient, currency, minimumAmount: `${amount}`, deadline, extraData },
        ...(isPlain
          ? []
          : [
              {
                chainId,
                recipient: zeroAddress,
                currency: other,
                minimumAmount: "0",
                deadline,
                extraData: "0x" as const,
              },
            ]),
      ],
    })),
    output: {
      chainId,
      payments: payments.map(({ currency, amount, to = bob }) => ({
        recipient: to,
        currency,
        minimumAmount: `${amount}`,
        expectedAmount: `${amount + 5n}`,
      })),
      calls: calls.map(({ to, data, value }) => encodeOrderCall({ to, data, value: `${value}` })),
      deadline,
      extraData,
    },
    fees: fees.map(({ chainId: feeChain, currency, recipient }, index) => ({
      recipientChainId: feeChain,
      recipient,
      currencyChainId: feeChain,
      currency,
      amount: `${17 + index}`,
    })),
  };
  const orderId = orderIdOf(ORDER_CHAINS, order) as Hex;
  const deposited = inputs.map(({ paid, currency = zeroAddress }) => {
    const logs =
      currency === zeroAddress
        ? [nativeDeposit(DEPOSITORY, alice, paid, orderId)]
        : [
            movement(currency, alice, DEPOSITORY, paid),
            tokenDeposit(DEPOSITORY, { from: alice, token: currency, amount: paid, id: orderId }),
          ];
    return world.happen({ logs });
  });
  return {
    name,
    order,
    orderId,
    body: {
      order,
      orderSignature: await solver.signMessage({ message: { raw: orderId } }),
      inputs: deposited.map((transactionId, inputIndex) => ({
        transactionId,
        onchainId: idOf(chainId, transactionId, FIRST_LOG),
        inputIndex,
      })),
    },
    deposits: deposited.map((transactionId, index) => depositCase(`${name}: deposit ${index}`, chainId, transactionId)),
  };
}

function fillCase({ name, body }: PlacedOrder, transactionId: string, change: object = {}): Case {
  return { name: `${name}: fill`, route: FILLS, request: { ...body, fill: { transactionId }, ...change } };
}

function refundCase({ name, body, order }: PlacedOrder, transactionId: string, change: object = {}): Case {
  const refunds = order.inputs.map((_, inputIndex) => ({ transactionId, inputIndex, refundIndex: 0 }));
  return { name: `${name}: refund`, route: REFUNDS, request: { ...body, refunds, ...change } };
}

/** Pays in a transaction that is from the solver and names the order. */
function payOut(
  world: EvmWorld,
  orderId: Hex,
  payments: readonly { readonly currency: Address; readonly amount: bigint; readonly to?: Address }[],
  change: Sent = {},
): Hex {
  const logs = payments.map(({ currency, amount, to = bob }) =>
    currency === zeroAddress ? nativePayment(router, to, amount) : movement(currency, solver.address, to, amount),
  );
  const { logs: further = [], ...sent } = change;
  return world.happen({ to: router, input: concat(["0x87654321", orderId]), ...sent, logs: [...logs, ...further] });
}

const FEES = [
  { chainId: "base", currency: zeroAddress, recipient: addressOf("fee") },
  { chainId: "polygon", currency: token, recipient: addressOf("second fee") },
  {
    chainId: "solana",
    currency: "11111111111111111111111111111111",
    recipient: "7uTT8Xi5RWXzy7h9XL244GRgEycDYDhLjr3ZyNdXi8pZ",
  },
  { chainId: "tron", currency: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", recipient: "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb" },
] as const;

/** Returns a seeded generator of random numbers below a bound. */
function drawsOf(seed: string): (bound: bigint) => bigint {
  let count = 0;
  return (bound) => {
    count += 1;
    return BigInt(hashOf(`${seed} ${count}`)) % bound;
  };
}

/** Returns orders with random shapes. Each order is filled and refunded in full, or with one unit too little. */
export async function randomOrderCases(worlds: readonly EvmWorld[], count: number): Promise<Case[]> {
  const cases: Case[] = [];
  for (let index = 0; index < count; index += 1) {
    const world = worlds[index % worlds.length]!;
    const draw = drawsOf(`order ${index}`);
    const currencies = [zeroAddress, token, other];
    const inputs = Array.from({ length: 1 + Number(draw(3n)) }, () => {
      const amount = 1n + draw(10n ** (1n + draw(20n)));
      const currency = currencies[Number(draw(3n))]!;
      return { amount, currency, weight: 1n + draw(10n ** draw(7n)), paid: 1n + draw(2n * amount) };
    });
    const payments = Array.from({ length: 1 + Number(draw(2n)) }, (_, payment) => {
      const currency = currencies[payment]!;
      return { currency, amount: 1n + draw(10n ** 18n) };
    });
    const fees = FEES.slice(0, Number(draw(5n)));
    const placed = await place(world, `random order ${index}`, { inputs, payments, fees });
    const lack = index % 5 === 4 ? 1n : 0n;
    const fill = payOut(
      world,
      placed.orderId,
      payments.map((paid) => ({ ...paid, amount: paid.amount - lack })),
    );
    const returned = inputs.map(({ amount, currency }) => ({ amount: 2n * amount - lack * amount * 2n, currency }));
    cases.push(...placed.deposits, fillCase(placed, fill), refundCase(placed, payOut(world, placed.orderId, returned)));
  }
  return cases;
}

/** Returns fills and refunds at each rule's limits, and rejected requests. */
export async function solverCases(world: EvmWorld): Promise<Case[]> {
  const cases: Case[] = [];
  const input = { amount: 1_000n, weight: 1n, paid: 1_000n };
  const payment = { currency: zeroAddress, amount: 900n };
  const simple = (name: string, change: Partial<OrderPlan> = {}) =>
    place(world, name, { inputs: [input], payments: [payment], fees: FEES.slice(0, 1), ...change });
  const push = (...more: readonly Case[]) => cases.push(...more);

  for (const [amount, paid] of [
    [3n, 1n],
    [3n, 2n],
    [3n, 4n],
    [7n, 6n],
    [1_000n, 999n],
    [1n, 2n ** 200n],
    [2n ** 200n, 1n],
  ] as const) {
    const placed = await simple(`${paid} paid of ${amount}`, { inputs: [{ amount, weight: 1n, paid }] });
    const { orderId } = placed;
    const full = amount * 2n + paid;
    push(
      ...placed.deposits,
      fillCase(placed, payOut(world, orderId, [payment])),
      refundCase(placed, payOut(world, orderId, [{ ...payment, amount: full }])),
    );
  }
  for (const weights of [
    [1n, 2n],
    [3n, 1n],
    [10n ** 18n, 1n],
    [0n, 5n],
  ] as const) {
    const inputs = weights.map((weight, index) => ({ amount: 10n, weight, paid: index === 0 ? 7n : 11n }));
    const placed = await simple(`weights ${weights.join(" and ")}`, { inputs });
    push(...placed.deposits, fillCase(placed, payOut(world, placed.orderId, [payment])));
  }

  const plain = await simple("plain order");
  const { orderId, body } = plain;
  const paidOut = payOut(world, orderId, [payment]);
  const named = (name: string, found: Case): Case => ({ ...found, name: `${name} (${found.route})` });
  const direct = world.happen({ to: bob, input: orderId, value: 900n });
  const [first] = body.inputs as readonly [object];
  push(
    ...plain.deposits,
    named("direct payment", fillCase(plain, direct)),
    named(
      "direct payment to another account",
      fillCase(plain, world.happen({ to: alice, input: orderId, value: 900n })),
    ),
    named("one unit too little", fillCase(plain, payOut(world, orderId, [{ ...payment, amount: 899n }]))),
    named(
      "payment in two parts",
      fillCase(
        plain,
        payOut(world, orderId, [
          { ...payment, amount: 450n },
          { ...payment, amount: 450n },
        ]),
      ),
    ),
    named("payment of another order", fillCase(plain, payOut(world, ID, [payment]))),
    named("reverted payment", fillCase(plain, payOut(world, orderId, [payment], { isReverted: true }))),
    named("payment that is not final", fillCase(plain, payOut(world, orderId, [payment], { depth: 1 }))),
    named("missing payment", fillCase(plain, hashOf("missing payment"))),
    named(
      "signature of another account",
      fillCase(plain, paidOut, { orderSignature: await stranger.signMessage({ message: { raw: orderId } }) }),
    ),
    named("malformed signature", fillCase(plain, paidOut, { orderSignature: "0x12" })),
    named("no inputs", fillCase(plain, paidOut, { inputs: [] })),
    named("input twice", fillCase(plain, paidOut, { inputs: [first, first] })),
    named("input of another index", fillCase(plain, paidOut, { inputs: [{ ...first, inputIndex: 1 }] })),
    named("another onchain id", fillCase(plain, paidOut, { inputs: [{ ...first, onchainId: ID }] })),
    named("force", fillCase(plain, hashOf("forced"), { force: true })),
    named("force of a refund", refundCase(plain, hashOf("forced"), { force: true })),
    named("force with text", fillCase(plain, hashOf("forced"), { force: "true" })),
    named(
      "hints",
      fillCase(plain, paidOut, { hints: { "hyperliquid-vm": { user: alice, timestamp: 1 } }, unknown: 1 }),
    ),
    named("order with another salt", fillCase(plain, paidOut, { order: { ...plain.order, salt: ID } })),
    named(
      "fee on an unknown chain",
      fillCase(plain, paidOut, {
        order: { ...plain.order, fees: [{ ...plain.order.fees[0]!, recipientChainId: "relay" }] },
      }),
    ),
    named("no refunds", refundCase(plain, paidOut, { refunds: [] })),
    named(
      "refund index without an option",
      refundCase(plain, paidOut, { refunds: [{ transactionId: paidOut, inputIndex: 0, refundIndex: 9 }] }),
    ),
    named("refund that is too small", refundCase(plain, payOut(world, orderId, [{ ...payment, amount: 999n }]))),
  );

  const twice = await simple("two payments to one recipient", { payments: [payment, payment] });
  push(...twice.deposits);
  for (const amount of [900n, 1_799n, 1_800n]) {
    push(named(`${amount} paid of 1800`, fillCase(twice, payOut(world, twice.orderId, [{ ...payment, amount }]))));
  }
  const several = await simple("two inputs, one recipient", { inputs: [input, input] });
  push(...several.deposits);
  for (const amount of [1_000n, 1_999n, 2_000n]) {
    const back = payOut(world, several.orderId, [{ ...payment, amount }]);
    push(named(`${amount} refunded of 2000`, refundCase(several, back)));
  }
  const nothing = await simple("order without payments and calls", { payments: [] });
  push(
    ...nothing.deposits,
    named("nothing to pay", fillCase(nothing, payOut(world, nothing.orderId, []))),
    named("nothing to pay, missing", fillCase(nothing, hashOf("missing payment"))),
    named("nothing to pay, reverted", fillCase(nothing, payOut(world, nothing.orderId, [], { isReverted: true }))),
    named("nothing to pay, another order", fillCase(nothing, payOut(world, ID, []))),
  );
  const inToken = await simple("payment in a token", { payments: [{ currency: token, amount: 900n }] });
  const itself = movement(token, bob, bob, 900n);
  push(
    ...inToken.deposits,
    named(
      "transfer from the recipient to itself",
      fillCase(inToken, payOut(world, inToken.orderId, [], { logs: [itself] })),
    ),
  );

  const toDepositor = await simple("refund to the depositor", { refundRecipient: zeroAddress });
  push(...toDepositor.deposits);
  for (const to of [alice, bob]) {
    const refund = payOut(world, toDepositor.orderId, [{ ...payment, amount: 1_000n, to }]);
    push(named(`refund to ${to === alice ? "the depositor" : "someone else"}`, refundCase(toDepositor, refund)));
  }

  const late = await simple("late order", { deadline: EvmWorld.timeAt(30) });
  push(...late.deposits);
  for (const depth of [31, 30, 29]) {
    push(
      named(
        `paid at depth ${depth}, deadline at 30`,
        fillCase(late, payOut(world, late.orderId, [payment], { depth })),
      ),
    );
    const refund = payOut(world, late.orderId, [{ ...payment, amount: 1_000n }], { depth });
    push(named(`refunded at depth ${depth}, deadline at 30`, refundCase(late, refund)));
  }

  const called = { to: addressOf("target"), data: "0x12345678" as Hex, value: 3n };
  const second = { ...called, data: "0xabcdef" as Hex, value: 0n };
  const calling = await simple("order with calls", { payments: [], calls: [called, second] });
  push(...calling.deposits);
  for (const [name, made] of Object.entries({
    "in order": [called, second],
    "between others": [second, called, called, second],
    "in another order": [second, called],
    "only the first": [called],
    none: [],
  })) {
    const logs = made.map(({ to, data, value }) => callExecuted(router, to, data, value));
    push(named(`calls: ${name}`, fillCase(calling, payOut(world, calling.orderId, [], { logs }))));
  }
  return cases;
}
