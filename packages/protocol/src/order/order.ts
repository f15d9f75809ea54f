import { doc } from "#doc";
import type * as Type from "typebox";

import { amountText, hexText } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

const chainName = T.String({ description: doc("Chain name in orders, such as base.") });
const currency = T.String({ description: doc("Currency address on its chain.") });
const recipient = T.String({ description: doc("Address on its chain.") });
const deadline = T.Integer({ minimum: 0, maximum: 0xffff_ffff, description: doc("Unix time in seconds.") });
const extraData = hexText(doc("On EVM chains, the ABI-encoded address of the fill contract."));

/** Schema of an order: `protocol.v2.orderData` of a quote (spec 2, section 2.1; fees: spec 4, section 2). */
export const OrderSchema = T.Object(
  {
    version: T.String(),
    solverChainId: chainName,
    solver: T.String({ description: doc("EVM address of the solver.") }),
    salt: hexText(doc("32 random bytes."), 32),
    inputs: T.Array(
      T.Object({
        payment: T.Object({
          chainId: chainName,
          currency,
          amount: amountText(doc("In the smallest unit.")),
          weight: amountText(doc("Share of this input in all inputs.")),
        }),
        refunds: T.Array(
          T.Object({
            chainId: chainName,
            recipient,
            currency,
            minimumAmount: amountText(doc("In the smallest unit.")),
            deadline,
            extraData,
          }),
        ),
      }),
    ),
    output: T.Object({
      chainId: chainName,
      payments: T.Array(
        T.Object({
          recipient,
          currency,
          minimumAmount: amountText(doc("In the smallest unit.")),
          expectedAmount: amountText(doc("In the smallest unit.")),
        }),
      ),
      calls: T.Array(hexText(doc("An encoded call."))),
      deadline,
      extraData,
    }),
    fees: T.Array(
      T.Object({
        recipientChainId: chainName,
        recipient,
        currencyChainId: chainName,
        currency,
        amount: amountText(doc("In the smallest unit.")),
      }),
    ),
  },
  { description: doc("Terms that the solver commits to.") },
);

/** An order of the settlement protocol. */
export type Order = Type.Static<typeof OrderSchema>;
