import { expect } from "chai";
import type { Hex } from "viem";

import { hashOrder, type Order } from "../../../../packages/protocol/src/index.ts";
import { inputs } from "../../../support/inputs.ts";
import { ask } from "../../support/oracleNetwork.ts";
import { SOLVER_CHAIN, solver } from "../support/familyOracle.ts";
import { type Asked, type Paying, PaymentModel } from "./model.ts";
import { encoderOf, FOREIGN, type PaymentWorld, WORLDS } from "./worlds.ts";

const DEADLINE = 2_000_000_000;
const FILLS = "/attestations/solver-fills/v1";
const REFUNDS = "/attestations/solver-refunds/v1";
const REQUESTS = 24;

/** Returns a generator of numbers below a bound, which repeats for the same seed (mulberry32). */
function drawsOf(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  };
}

interface Placed {
  readonly order: Order;
  readonly orderId: Hex;
  readonly orderSignature: Hex;
  /** Two deposits for each input, because an order can be paid for twice. */
  readonly deposits: readonly (readonly { readonly transactionId: string; readonly onchainId: Hex }[])[];
}

/** Creates random orders, deposits and payments on one chain. */
class Scenario {
  readonly world: PaymentWorld;
  readonly model = new PaymentModel();
  readonly draw: (bound: number) => number;
  readonly seed: number;

  constructor(world: PaymentWorld, seed: number) {
    this.world = world;
    this.seed = seed;
    this.draw = drawsOf(seed);
  }

  private pick<Item>(items: readonly Item[]): Item {
    return items[this.draw(items.length)]!;
  }

  async place(number: number): Promise<Placed> {
    const { chainId, currency, recipients, vmType } = this.world;
    const common = { chainId, currency };
    const amount = () => `${1 + this.draw(3)}`;
    const recipient = () => this.pick(recipients);
    const order: Order = {
      version: "v1",
      solverChainId: SOLVER_CHAIN,
      solver: solver.address,
      salt: `0x${(this.seed * 16 + number).toString(16).padStart(64, "0")}`,
      inputs: Array.from({ length: 1 + this.draw(2) }, () => {
        const refund = { ...common, recipient: recipient(), deadline: DEADLINE, extraData: "0x" as const };
        const asked = amount();
        return { payment: { ...common, amount: asked, weight: "1" }, refunds: [{ ...refund, minimumAmount: asked }] };
      }),
      output: {
        chainId,
        payments: Array.from({ length: this.draw(3) }, () => {
          const minimumAmount = amount();
          return { recipient: recipient(), currency, minimumAmount, expectedAmount: minimumAmount };
        }),
        calls: [],
        deadline: DEADLINE,
        extraData: "0x",
      },
      fees: [],
    };
    const orderId = hashOrder(order, encoderOf(vmType));
    return {
      order,
      orderId,
      orderSignature: await solver.signMessage({ message: { raw: orderId } }),
      deposits: order.inputs.map(({ payment }) =>
        [0, 1].map(() => this.world.deposit(orderId, BigInt(payment.amount))),
      ),
    };
  }

  pay(placed: readonly Placed[]): Paying {
    const ids = [...placed.map(({ orderId }) => orderId), FOREIGN];
    const count = this.world.isSingle || this.draw(4) > 0 ? 1 : 2;
    const isFinal = this.draw(8) > 0;
    const paid = Array.from({ length: this.world.isSingle ? 1 : 1 + this.draw(3) }, () => ({
      to: this.pick(this.world.recipients),
      amount: BigInt(1 + this.draw(6)),
    }));
    const { id, named } = this.world.pay(
      Array.from({ length: count }, () => this.pick(ids)),
      paid,
      isFinal,
    );
    return { id, named, isFinal, paid: [...paid, { to: "order", amount: 1n }] };
  }

  /** Requests a settlement, which must be signed if and only if the model allows it. */
  async settle(placed: readonly Placed[], payments: readonly Paying[]): Promise<boolean> {
    const { order, orderId, orderSignature, deposits } = this.pick(placed);
    const chosen = deposits.map((options) => this.pick(options));
    const isFill = this.draw(2) === 0;
    const kind = isFill ? "fill" : "refund";
    const settlement = [kind, orderId, ...chosen.map(({ onchainId }) => onchainId).toSorted()].join();
    const common = { order, orderSignature, inputs: chosen.map((deposit, inputIndex) => ({ ...deposit, inputIndex })) };
    // Usually picks payments for the order, as solvers do.
    const own = payments.filter(({ named }) => named.includes(orderId));
    const payment = () => this.pick(own.length > 0 && this.draw(5) > 0 ? own : payments);
    let asked: Asked;
    let body: object;
    if (isFill) {
      const transaction = payment();
      const needs = order.output.payments.map(({ recipient: to, minimumAmount }) => {
        return { transaction, to, amount: BigInt(minimumAmount) };
      });
      // If a transaction has no payments, the transaction itself counts as used.
      const whole = needs.length > 0 ? [] : [{ transaction, to: "order", amount: 1n }];
      asked = { settlement, orderId, needs: [...needs, ...whole], transactions: [transaction] };
      body = { ...common, fill: { transactionId: transaction.id } };
    } else {
      const transactions = order.inputs.map(payment);
      const needs = order.inputs.map(({ refunds: [refund] }, index) => {
        return { transaction: transactions[index]!, to: refund!.recipient, amount: BigInt(refund!.minimumAmount) };
      });
      asked = { settlement, orderId, needs, transactions };
      const refunds = transactions.map(({ id: transactionId }, inputIndex) => ({
        transactionId,
        inputIndex,
        refundIndex: 0,
      }));
      body = { ...common, refunds };
    }
    const maySign = this.model.maySign(asked);
    const { status, body: answer } = await ask<{ message?: unknown }>(
      this.world.oracle,
      isFill ? FILLS : REFUNDS,
      body,
    );
    const about = `seed ${this.seed}: ${kind} ${JSON.stringify(answer)}`;
    expect([200, 400], about).to.include(status);
    expect(status === 200, about).to.equal(maySign);
    if (status === 200) expect(this.model.sign(asked), about).to.equal(true);
    return status === 200;
  }
}

describe("attested payments", () => {
  for (const [family, open] of Object.entries(WORLDS)) {
    it(`never count twice on ${family}, and honest requests are signed`, async () => {
      const world = await open();
      let signed = 0;
      try {
        for (let seed = 1; seed <= inputs(3); seed += 1) {
          const scenario = new Scenario(world, seed);
          const placed = await Promise.all([0, 1, 2].map((number) => scenario.place(number)));
          const payments = Array.from({ length: 12 }, () => scenario.pay(placed));
          for (let request = 0; request < REQUESTS; request += 1) {
            if (await scenario.settle(placed, payments)) signed += 1;
          }
        }
      } finally {
        await world.close();
      }
      expect(signed).to.be.at.least(3);
    });
  }
});
