import { doc } from "#doc";
import type * as Type from "typebox";

import { DepositAddressTypeSchema } from "../common/depositAddressType.ts";
import { nullable } from "../schema/schemaParts.ts";
import * as T from "../schema/type.ts";

/** Schema of a deposit address (spec 1, section 2.1). */
export const DepositAddressSchema = T.Object({
  address: T.String(),
  type: DepositAddressTypeSchema,
  depositor: nullable(T.String()),
  depositTxHash: nullable(T.String()),
  recoveryAddress: nullable(
    T.String({
      description: doc("Origin-chain address that can recover the funds if the recipient is later blocked."),
    }),
  ),
}) satisfies Type.TObject;
