import * as Type from "typebox";

import { amountText, hexText } from "../schema/schemaParts.ts";

const chainName = Type.String({ description: "Chain name in orders, such as base." });
const currency = Type.String({ description: "Currency address on its chain." });
const recipient = Type.String({ description: "Address on its chain." });
const deadline = Type.Integer({ minimum: 0, maximum: 0xffff_ffff, description: "Unix time in seconds." });
const extraData = hexText("On EVM chains the ABI-encoded address of the fill contract.");

/** Schema of an order: `protocol.v2.orderData` of a quote (spec 2, section 2.1; fees: spec 4, section 2). */
export const OrderSchema = Type.Object(
  {
    version: Type.String(),
    solverChainId: chainName,
    solver: Type.String({ description: "EVM address of the solver." }),
    salt: hexText("32 random bytes.", 32),
    inputs: Type.Array(
      Type.Object({
        payment: Type.Object({
          chainId: chainName,
          currency,
          amount: amountText("In the smallest unit."),
          weight: amountText("Share of this input among all."),
        }),
        refunds: Type.Array(
          Type.Object({
            chainId: chainName,
            recipient,
            currency,
            minimumAmount: amountText("In the smallest unit."),
            deadline,
            extraData,
          }),
        ),
      }),
    ),
    output: Type.Object({
      chainId: chainName,
      payments: Type.Array(
        Type.Object({
          recipient,
          currency,
          minimumAmount: amountText("In the smallest unit."),
          expectedAmount: amountText("In the smallest unit."),
        }),
      ),
      calls: Type.Array(hexText("An encoded call.")),
      deadline,
      extraData,
    }),
    fees: Type.Array(
      Type.Object({
        recipientChainId: chainName,
        recipient,
        currencyChainId: chainName,
        currency,
        amount: amountText("In the smallest unit."),
      }),
    ),
  },
  { description: "What the solver commits to." },
);

/** An order of the settlement protocol. */
export type Order = Type.Static<typeof OrderSchema>;
