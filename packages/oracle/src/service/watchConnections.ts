import type { Server, ServerResponse } from "node:http";

const LOOK_MS = 50;

/** Number of checks without progress after which open connections are closed. */
const QUIET_LOOKS = 10;

export interface ConnectionsEnd {
  /** Closes idle connections until `stop` is called. */
  start(): { stop(): void };
}

/**
 * Waits only for requests in progress. Node's `server.close` also waits for connections that never sent a complete
 * request.
 */
export function watchConnections(server: Server): ConnectionsEnd {
  const answers = new Set<ServerResponse>();
  server.on("request", (_call, answer: ServerResponse) => {
    answers.add(answer);
    answer.once("close", () => answers.delete(answer));
  });
  const isResponding = (): boolean =>
    [...answers].some(({ req, writableFinished }) => req.complete && !writableFinished);
  return {
    start() {
      let quietPolls = 0;
      const look = (): void => {
        quietPolls = isResponding() ? 0 : quietPolls + 1;
        // A connection becomes idle only after its response is flushed.
        if (quietPolls < QUIET_LOOKS) server.closeIdleConnections();
        else server.closeAllConnections();
      };
      const looking = setInterval(look, LOOK_MS);
      return { stop: () => clearInterval(looking) };
    },
  };
}
