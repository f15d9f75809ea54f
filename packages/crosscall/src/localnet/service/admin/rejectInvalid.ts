import { ChainError, InvalidInputError, InvalidStateError } from "@crosscall/protocol/core";
import { RejectionError, rejectField } from "../../market/rejection.ts";

/** @throws {@link RejectionError} for invalid input (400), a conflict (409), or a chain that fails (503) */
export async function rejectInvalid<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof InvalidInputError) {
      const { field, value, reason, hint } = error;
      throw rejectField(field, value, reason, hint);
    }
    if (error instanceof InvalidStateError) throw refuse(409, "INVALID_REQUEST", error);
    if (error instanceof ChainError) throw refuse(503, "RPC_HTTP_ERROR", error);
    throw error;
  }
}

function refuse(status: number, errorCode: string, { message, hint }: InvalidStateError | ChainError): RejectionError {
  return new RejectionError({ status, body: { message: `${message}. ${hint}`, errorCode }, hint });
}
