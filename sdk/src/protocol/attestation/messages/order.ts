import * as Type from "typebox";

const text = Type.String();

/** As oracles accept it (spec 5, section 1); hashing checks its fields. */
export const OracleOrderSchema = Type.Object({
  version: Type.Literal("v1"),
  solverChainId: text,
  solver: text,
  salt: text,
  inputs: Type.Array(
    Type.Object({
      payment: Type.Object({ chainId: text, currency: text, amount: text, weight: text }),
      refunds: Type.Array(
        Type.Object({
          chainId: text,
          recipient: text,
          currency: text,
          minimumAmount: text,
          deadline: Type.Number(),
          extraData: text,
        }),
      ),
    }),
  ),
  output: Type.Object({
    chainId: text,
    payments: Type.Array(Type.Object({ recipient: text, currency: text, minimumAmount: text, expectedAmount: text })),
    calls: Type.Array(text),
    deadline: Type.Number(),
    extraData: text,
  }),
  fees: Type.Array(
    Type.Object({ recipientChainId: text, recipient: text, currencyChainId: text, currency: text, amount: text }),
  ),
});
