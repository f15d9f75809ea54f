import { readFileSync } from "node:fs";

import { expect } from "chai";
import { type Hex, concat, getAddress, keccak256, pad, stringToHex, toHex } from "viem";

import { encodeAddress } from "../../../../packages/protocol/src/chains/address.ts";
import { InvalidInputError } from "../../../../packages/protocol/src/core/errors.ts";
import { vmCodecOf } from "../../../../packages/protocol/src/vms/vmCodecOf.ts";
import { type Order, OrderSchema } from "../../../../packages/protocol/src/order/order.ts";
import {
  decodeFillContract,
  decodeOrderCall,
  encodeFillContract,
  encodeOrderCall,
} from "../../../../packages/protocol/src/order/orderCalls.ts";
import { type EncodeOrderAddress, hashOrder } from "../../../../packages/protocol/src/order/orderId.ts";
import { parseData } from "../../../../packages/protocol/src/schema/parse.ts";
import { malformed } from "../everyField.ts";
import { ROUTER, SVM_USDC, order } from "../fixtures.ts";

interface OrderVector {
  orderId: string;
  order: unknown;
}

const vectors = JSON.parse(
  readFileSync(new URL("../../../vectors/orders.json", import.meta.url), "utf8"),
) as OrderVector[];

describe("hashOrder", () => {
  it("returns the live service's ids", () => {
    expect(vectors).to.have.length(2);
    for (const vector of vectors) {
      expect(hashOrder(parseData(OrderSchema, vector.order, "the vector"))).to.equal(vector.orderId);
    }
  });

  it("includes calls and fees as the type strings specify", () => {
    expect(hashOrder(order)).to.equal(hashByHand(order));
  });

  it("encodes an SVM address as its 32 bytes", () => {
    const publicKey = "0xc6fa7af3bedbad3a3d65f36aabc97431b1bbe4c2d2f6e0e47ca60203452f5d61";
    const withCurrency = (currency: string): Order => ({ ...order, fees: [{ ...order.fees[0]!, currency }] });
    expect(hashOrder(withCurrency(SVM_USDC))).to.equal(hashOrder(withCurrency(publicKey)));
    expect(hashOrder(withCurrency(SVM_USDC))).not.to.equal(hashOrder(order));
  });

  it("encodes addresses of every family by the chain's name, or by their format", () => {
    const recipients = [
      ["bitcoin", "bitcoin-vm", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"],
      ["lighter", "lighter-vm", "12345"],
      ["tron", "tron-vm", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"],
      ["xrp", "xrp-vm", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh"],
      ["hyperliquid", "hyperliquid-vm", ROUTER],
    ] as const;
    const paying = (recipientChainId: string, recipient: string): Order => ({
      ...order,
      fees: [{ ...order.fees[0]!, recipientChainId, recipient }],
    });
    for (const [chain, vmType, recipient] of recipients) {
      const encoded = vmCodecOf(vmType).encodeAddress(recipient, "recipient");
      const encode: EncodeOrderAddress = (_chainId, address, field) =>
        address === recipient ? encoded : encodeAddress(address, field);
      const expected = hashOrder(paying(chain, recipient), encode);
      expect([chain, hashOrder(paying(chain, recipient))]).to.deep.equal([chain, expected]);
      // The hash includes the chain's name, so the same address bytes on an unknown chain result in a different id.
      const elsewhere = hashOrder(paying("elsewhere", recipient), encode);
      expect([chain, hashOrder(paying("elsewhere", recipient))]).to.deep.equal([chain, elsewhere]);
    }
  });

  const refused: [string, Order][] = [
    ["solver", { ...order, solver: SVM_USDC }],
    [
      "inputs[0].payment.amount",
      { ...order, inputs: [{ ...order.inputs[0]!, payment: { ...order.inputs[0]!.payment, amount: "9".repeat(78) } }] },
    ],
    ["fees[0].recipient", { ...order, fees: [{ ...order.fees[0]!, recipient: "invalid" }] }],
  ];
  for (const [field, bad] of refused) {
    it(`reports ${field} if it cannot be encoded`, () => {
      expect(() => hashOrder(bad))
        .to.throw(InvalidInputError)
        .with.property("field", field);
    });
  }
});

describe("order calls", () => {
  const call = { to: "0xF0AE622e463fa757Cf72243569E18Be7Df1996cd", data: "0xdeadbeef", value: "12345678901234567890" };

  it("are encoded as three one-member tuples", () => {
    const tail = concat([word(4n), `0xdeadbeef${"00".repeat(28)}`]);
    const data = concat([word(32n), tail]);
    expect(encodeOrderCall(call)).to.equal(
      concat([pad(call.to.toLowerCase() as Hex), word(96n), word(12345678901234567890n), data]),
    );
  });

  it("are decoded to the same calls", () => {
    expect(decodeOrderCall(encodeOrderCall(call))).to.deep.equal(call);
    const empty = { ...call, data: "0x", value: "0" };
    expect(decodeOrderCall(encodeOrderCall(empty))).to.deep.equal(empty);
  });

  it("are rejected if the data is not an encoding", () => {
    for (const encoded of ["0x", "0x1234", "call", encodeOrderCall(call).slice(0, -64)]) {
      expect(malformed(() => decodeOrderCall(encoded)).code).to.equal("MALFORMED_DATA");
    }
  });

  it("are rejected, naming the field, if they cannot be encoded", () => {
    expect(() => encodeOrderCall({ ...call, to: "0x12" }))
      .to.throw(InvalidInputError)
      .with.property("field", "to");
    expect(() => encodeOrderCall({ ...call, value: "-1" }))
      .to.throw(InvalidInputError)
      .with.property("field", "value");
    expect(() => encodeOrderCall({ ...call, data: "0x123" }))
      .to.throw(InvalidInputError)
      .with.property("field", "data");
  });
});

describe("fill contract", () => {
  it("is encoded as in the orders of the live service, and decodes to the same address", () => {
    const { extraData } = order.output;
    expect(encodeFillContract(ROUTER)).to.equal(extraData);
    expect(decodeFillContract(extraData)).to.equal(getAddress(ROUTER));
  });

  it("is rejected if bytes follow the address", () => {
    const dirty = `0x01${"00".repeat(11)}${ROUTER.slice(2)}`;
    for (const extraData of ["0x", ROUTER, dirty, `${encodeFillContract(ROUTER)}00`, "router"]) {
      expect(malformed(() => decodeFillContract(extraData)).code).to.equal("MALFORMED_DATA");
    }
  });
});

const PAYMENT = "InputPayment(string chainId,bytes currency,uint256 amount,uint256 weight)";
const REFUND =
  "InputRefund(string chainId,bytes recipient,bytes currency,uint256 minimumAmount,uint32 deadline,bytes extraData)";
const INPUT = `Input(InputPayment payment,InputRefund[] refunds)${PAYMENT}${REFUND}`;
const OUTPUT_PAYMENT = "OutputPayment(bytes recipient,bytes currency,uint256 minimumAmount,uint256 expectedAmount)";
const OUTPUT =
  "Output(string chainId,OutputPayment[] payments,uint32 deadline,bytes[] calls,bytes extraData)" + OUTPUT_PAYMENT;
const FEE = "Fee(string recipientChainId,bytes recipient,string currencyChainId,bytes currency,uint256 amount)";
const ORDER =
  "Order(string version,string solverChainId,address solver,uint256 salt,Input[] inputs,Output output,Fee[] fees)" +
  `${FEE}${INPUT}${OUTPUT}`;

/** Computes the order id from the type strings, without the tested code. Supports only EVM addresses. */
function hashByHand({ version, solverChainId, solver, salt, inputs, output, fees }: Order): Hex {
  return struct(ORDER, [
    text(version),
    text(solverChainId),
    pad(solver as Hex),
    salt as Hex,
    list(
      inputs.map(({ payment, refunds }) =>
        struct(INPUT, [
          struct(PAYMENT, [
            text(payment.chainId),
            bytes(payment.currency),
            word(BigInt(payment.amount)),
            word(BigInt(payment.weight)),
          ]),
          list(
            refunds.map((refund) =>
              struct(REFUND, [
                text(refund.chainId),
                bytes(refund.recipient),
                bytes(refund.currency),
                word(BigInt(refund.minimumAmount)),
                word(BigInt(refund.deadline)),
                bytes(refund.extraData),
              ]),
            ),
          ),
        ]),
      ),
    ),
    struct(OUTPUT, [
      text(output.chainId),
      list(
        output.payments.map((payment) =>
          struct(OUTPUT_PAYMENT, [
            bytes(payment.recipient),
            bytes(payment.currency),
            word(BigInt(payment.minimumAmount)),
            word(BigInt(payment.expectedAmount)),
          ]),
        ),
      ),
      word(BigInt(output.deadline)),
      list(output.calls.map(bytes)),
      bytes(output.extraData),
    ]),
    list(
      fees.map((fee) =>
        struct(FEE, [
          text(fee.recipientChainId),
          bytes(fee.recipient),
          text(fee.currencyChainId),
          bytes(fee.currency),
          word(BigInt(fee.amount)),
        ]),
      ),
    ),
  ]);
}

function struct(type: string, words: Hex[]): Hex {
  return keccak256(concat([text(type), ...words]));
}

function list(words: Hex[]): Hex {
  return keccak256(concat(words));
}

function text(value: string): Hex {
  return keccak256(stringToHex(value));
}

function bytes(value: string): Hex {
  return keccak256(value.toLowerCase() as Hex);
}

function word(value: bigint): Hex {
  return toHex(value, { size: 32 });
}
