import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import * as Type from "typebox";

import { BaseError } from "viem";

import { CrosscallError, InvalidInputError } from "@crosscall/protocol/core";
import { AttestationRefusedError } from "../attestationRefusedError.ts";
import type { Log } from "../log.ts";

export const RejectionSchema = Type.Object({ message: Type.String() });

const INTERNAL_ERROR = { statusCode: 500, error: "Internal Server Error", message: "Something went wrong" };

/**
 * Returns the same error responses as the public oracle. Attestation errors keep their message, and Fastify's errors
 * keep Fastify's text. All other errors become 500, and only the log contains their cause.
 */
export function createErrorHandler(log: Log, labelOf: (request: FastifyRequest) => string | undefined) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof AttestationRefusedError) return reply.status(400).send({ message: error.message });
    if (error instanceof InvalidInputError) return reply.status(400).send({ message: toOneLine(error.message) });
    if (error instanceof BaseError && isUnencodable(error)) {
      return reply.status(400).send({ message: toOneLine(error.shortMessage) });
    }
    const { statusCode: status = 500, code, name, message } = error;
    const isOurs = error instanceof CrosscallError;
    if (!isOurs && status === 400) return reply.status(400).send({ message });
    if (!isOurs && status > 400 && status < 500) {
      return reply.status(status).send({ statusCode: status, code, error: STATUS_NAMES[status] ?? name, message });
    }
    log.error({ error, route: request.routeOptions.url, caller: labelOf(request) }, "a call failed");
    return reply.status(500).send(INTERNAL_ERROR);
  };
}

/**
 * Names of viem's errors for a value that does not fit its type in the hashed message, such as an amount above 2^256.
 */
const UNENCODABLE: readonly string[] = [
  "AbiEncodingBytesSizeMismatchError",
  "BytesSizeMismatchError",
  "IntegerOutOfRangeError",
  "InvalidAddressError",
  "SizeExceedsPaddingSizeError",
  "SizeOverflowError",
];

function isUnencodable({ name, shortMessage }: BaseError): boolean {
  return UNENCODABLE.includes(name) || shortMessage.startsWith("Invalid byte sequence");
}

function toOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").slice(0, 500);
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  413: "Payload Too Large",
  415: "Unsupported Media Type",
};
