import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { BaseError } from "viem";

import type { ServiceErrorBody } from "@crosscall/protocol/errors";
import { RejectionError } from "../market/rejection.ts";
import { DatabaseError, type DatabaseFlaw } from "../store/databaseError.ts";
import { QueryTooExpensiveError } from "../store/queryTooExpensive.ts";

const DATABASE_RETRY_SECONDS = 1;

const DATABASE_MESSAGES: Readonly<Partial<Record<DatabaseFlaw, string>>> = {
  "disk-full": "the database's disk is full; requests can only be read",
  "read-only": "the database is read-only; requests can only be read",
  ended: "the database has stopped; restart the service",
};

export interface Answer {
  readonly status: number;
  readonly body: ServiceErrorBody;
}

/** Sends an error. Errors caused by the caller name the field; all others reveal nothing. */
export function responseError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { status, body } = prepareResponse(error, request, reply);
  return reply.status(status).send(body);
}

/** Returns the status and body of an error in the endpoint's format. Sets its headers, and logs failures. */
export function prepareResponse(error: unknown, request: FastifyRequest, reply: FastifyReply): Answer {
  const answer = toResponse(error);
  if (error instanceof DatabaseError) void reply.header("retry-after", DATABASE_RETRY_SECONDS);
  if (answer.status >= 500) request.log.error({ error, path: pathOf(request) }, "a call failed");
  return answer;
}

export function respondUnknownRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const body: ServiceErrorBody = {
    message: `${request.method} ${pathOf(request)} does not exist. See /documentation.`,
  };
  return reply.status(404).send(body);
}

/** Responds to a path that cannot be decoded. The framework rejects it before routing. */
export function respondMalformedPath(_error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const message = `${request.method} ${pathOf(request)} is not a valid path. See /documentation.`;
  void reply.status(400).send({ message, errorCode: "INVALID_REQUEST" } satisfies ServiceErrorBody);
}

/** Returns the path of a request without the query, which may contain an API key. */
export function pathOf({ url }: Pick<FastifyRequest, "url">): string {
  return url.slice(0, url.search(/\?|$/u));
}

/** Returns the status and body of an error. */
function toResponse(error: unknown): Answer {
  if (error instanceof RejectionError) return { status: error.status, body: error.body };
  if (error instanceof QueryTooExpensiveError) {
    const { message, code, hint } = error;
    return { status: 400, body: { message: `${message}. ${hint}`, errorCode: code, hint } };
  }
  if (error instanceof DatabaseError) {
    return {
      status: 503,
      body: {
        message: DATABASE_MESSAGES[error.flaw] ?? "the database does not respond",
        errorCode: "SERVICE_UNAVAILABLE",
      },
    };
  }
  if (error instanceof BaseError) {
    return {
      status: 503,
      body: { message: `a chain does not respond: ${error.shortMessage}`, errorCode: "RPC_HTTP_ERROR" },
    };
  }
  if (isClientError(error)) {
    return { status: error.statusCode, body: { message: error.message, errorCode: "INVALID_REQUEST" } };
  }
  return { status: 500, body: { message: "internal error; see the log of the service", errorCode: "UNKNOWN_ERROR" } };
}

/** Returns whether the framework threw the error before a route ran: bad JSON, body too large, wrong content type. */
function isClientError(error: unknown): error is FastifyError & { statusCode: number } {
  if (!(error instanceof Error) || !("statusCode" in error)) return false;
  const { statusCode } = error;
  return typeof statusCode === "number" && statusCode >= 400 && statusCode < 500;
}

/**
 * Responds to a request that is not valid HTTP, has headers that are too large, or takes too long. Closes its
 * connection.
 */
export function rejectBrokenCall(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, body] = toBrokenCallResponse(error.code);
  const text = JSON.stringify(body);
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(text)}`,
      "connection: close",
      "",
      text,
    ].join("\r\n"),
  );
}

function toBrokenCallResponse(code: string | undefined): [status: number, body: ServiceErrorBody] {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [
        408,
        { message: "the request took too long to arrive. Send it without pauses.", errorCode: "REQUEST_TIMED_OUT" },
      ];
    case "HPE_HEADER_OVERFLOW":
      return [431, { message: "the headers are too large. Send fewer headers.", errorCode: "INVALID_REQUEST" }];
    default:
      return [400, { message: "the request is not valid HTTP. Use an HTTP client.", errorCode: "INVALID_REQUEST" }];
  }
}
