import * as Type from "typebox";

import { MalformedDataError } from "@crosscall/protocol/core";
import type { ServiceErrorBody } from "@crosscall/protocol/errors";
import { amountText, hexText, isObject, parseData } from "@crosscall/protocol/schema";
import type { Answer } from "../errors.ts";
import { normalizeAmounts } from "../quoteBodies/normalizeAmounts.ts";
import { requireStorableText } from "../validation.ts";

const AuthorizationSchema = Type.Object({
  chainId: Type.Integer({ minimum: 0, description: "Chain id; 0 for any chain." }),
  address: hexText("Contract that the account delegates to.", 20),
  nonce: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  yParity: Type.Integer({ minimum: 0, maximum: 1 }),
  r: hexText("The signature's r."),
  s: hexText("The signature's s."),
});

/** Body of `POST /execute`. */
export const ExecuteBodySchema = Type.Object({
  executionKind: Type.Literal("rawCalls"),
  data: Type.Object({
    chainId: Type.Integer({ description: "Chain to send the call on." }),
    to: hexText("Address to call.", 20),
    data: hexText("Call data."),
    value: amountText("In wei; 0."),
    authorizationList: Type.Optional(Type.Array(AuthorizationSchema, { description: "EIP-7702 authorizations." })),
  }),
  executionOptions: Type.Optional(
    Type.Object({
      referrer: Type.Optional(Type.String({ description: "Tag of the integration." })),
      subsidizeFees: Type.Optional(Type.Boolean({ description: "The API key pays the gas of the call." })),
      destinationChainExecutionData: Type.Optional(Type.Unknown({ description: "Not supported here." })),
    }),
  ),
  requestId: Type.Optional(hexText("Request of the quote that the call pays for.", 32)),
  originGasOverhead: Type.Optional(Type.Number({ description: "The quote's value; its fees already include it." })),
});

export type ExecuteBody = Type.Static<typeof ExecuteBodySchema>;

/** Required fields in the order of the documented errors. */
const REQUIRED = ["to", "data", "value", "chainId"] as const;

/** @throws {@link ExecuteRejection} naming the first invalid field */
export function readExecuteBody(sent: unknown): ExecuteBody {
  const body = normalizeAmounts(sent);
  const data: unknown = isObject(body) ? body.data : undefined;
  if (!isObject(data)) throw new ExecuteRejection({ error: "data is required" });
  for (const field of REQUIRED) {
    const value = data[field];
    if (value === undefined || value === null || value === "") {
      throw new ExecuteRejection({ error: `${field} is required` });
    }
  }
  if (Array.isArray(data.authorizationList) && data.authorizationList.length === 0) {
    throw new ExecuteRejection({ error: "authorizationList cannot be empty" });
  }
  try {
    return parseData(ExecuteBodySchema, requireStorableText(body, "the body"), "the body");
  } catch (error) {
    if (error instanceof MalformedDataError) throw new ExecuteRejection({ error: error.message });
    throw error;
  }
}

/** A frame of the simulated call. */
export interface RevertFrame {
  readonly type: string;
  readonly address?: string;
  /** Known contract at the address, such as `router`. */
  readonly contract?: string;
  readonly function?: string;
  readonly selector?: string;
  readonly error?: string;
  readonly revertReason?: string;
  readonly gasUsed?: string;
}

export interface DecodedRevert {
  readonly type: "errorString" | "panic" | "customError" | "unknownCustomError" | "empty";
  readonly label: string;
  readonly message: string;
  readonly selector?: string;
  readonly name?: string;
  readonly args?: Readonly<Record<string, string>>;
  readonly rawArgsHex?: string;
}

export interface RevertDetails {
  readonly topLevel: RevertFrame;
  readonly innermost: RevertFrame;
  /** Failed calls from outermost to innermost. */
  readonly path: readonly RevertFrame[];
  readonly revert: DecodedRevert;
}

/** Error body of `POST /execute`, which differs from the error bodies of other endpoints. */
export interface ExecuteErrorBody {
  readonly error: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly details?: RevertDetails;
}

/** Thrown to reject a call. Nothing is stored. */
export class ExecuteRejection extends Error {
  readonly status: number;
  readonly body: ExecuteErrorBody;

  constructor(body: ExecuteErrorBody, status = 400) {
    super(body.error);
    this.status = status;
    this.body = body;
  }
}

/** Converts errors of other parts of the service to this endpoint's format. */
export function toExecuteResponse({ status, body }: Answer): {
  readonly status: number;
  readonly body: ExecuteErrorBody | ServiceErrorBody;
} {
  // Rate limit errors have the same format on all endpoints.
  if (status === 429) return { status, body };
  return { status, body: { error: status === 401 ? "Unauthorized" : body.message } };
}
