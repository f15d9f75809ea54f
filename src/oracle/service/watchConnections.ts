import type { Server, ServerResponse } from "node:http";

/** How often connections are looked at while a server ends. */
const LOOK_MS = 50;

/** So many looks without a call under way, and what is still open is closed: it may never send anything. */
const QUIET_LOOKS = 10;

/** Ends the connections of a server that closes. */
export interface ConnectionsEnd {
  /** Closes connections once no call on them is under way, until `stop`. */
  start(): { stop(): void };
}

/**
 * Watches the calls of a server, so that closing it waits for them and for nothing else: a server of Node waits for
 * connections that never sent a whole call, too, without end.
 */
export function watchConnections(server: Server): ConnectionsEnd {
  const answers = new Set<ServerResponse>();
  server.on("request", (_call, answer: ServerResponse) => {
    answers.add(answer);
    answer.once("close", () => answers.delete(answer));
  });
  const isAnswering = (): boolean =>
    [...answers].some(({ req, writableFinished }) => req.complete && !writableFinished);
  return {
    start() {
      let quietPolls = 0;
      const look = (): void => {
        quietPolls = isAnswering() ? 0 : quietPolls + 1;
        // A connection whose answer was just under way becomes idle after the server has looked for such.
        if (quietPolls < QUIET_LOOKS) server.closeIdleConnections();
        else server.closeAllConnections();
      };
      const looking = setInterval(look, LOOK_MS);
      return { stop: () => clearInterval(looking) };
    },
  };
}
