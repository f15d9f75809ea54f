import type * as Type from "typebox";

import * as T from "../../schema/type.ts";

const text = T.String();

/** As oracles accept it (spec 5, section 1); hashing checks its fields. */
export const OracleOrderSchema = T.Object({
  version: T.Literal("v1"),
  solverChainId: text,
  solver: text,
  salt: text,
  inputs: T.Array(
    T.Object({
      payment: T.Object({ chainId: text, currency: text, amount: text, weight: text }),
      refunds: T.Array(
        T.Object({
          chainId: text,
          recipient: text,
          currency: text,
          minimumAmount: text,
          deadline: T.Number(),
          extraData: text,
        }),
      ),
    }),
  ),
  output: T.Object({
    chainId: text,
    payments: T.Array(T.Object({ recipient: text, currency: text, minimumAmount: text, expectedAmount: text })),
    calls: T.Array(text),
    deadline: T.Number(),
    extraData: text,
  }),
  fees: T.Array(
    T.Object({ recipientChainId: text, recipient: text, currencyChainId: text, currency: text, amount: text }),
  ),
}) satisfies Type.TObject;
