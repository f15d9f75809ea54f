import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";

import type { ServiceErrorBody } from "@crosscall/protocol/common";

/** Answers a call that is not HTTP, has too large a head or takes too long, and closes its connection. */
export function refuseBrokenCall(error: Error & { readonly code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, body] = toAnswer(error.code);
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

function toAnswer(code: string | undefined): [status: number, body: ServiceErrorBody] {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return [
        408,
        { message: "the request took too long to arrive. Send it at once.", errorCode: "REQUEST_TIMED_OUT" },
      ];
    case "HPE_HEADER_OVERFLOW":
      return [431, { message: "the headers are too large. Send fewer headers.", errorCode: "INVALID_REQUEST" }];
    default:
      return [400, { message: "the request is not valid HTTP. Use an HTTP client.", errorCode: "INVALID_REQUEST" }];
  }
}
