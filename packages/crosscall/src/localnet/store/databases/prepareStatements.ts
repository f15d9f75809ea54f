import type { PGlite } from "@electric-sql/pglite";

import {
  BIND,
  CLOSE,
  DESCRIBE,
  PARSE,
  SIMPLE_QUERY,
  STATEMENT,
  textAt,
  toMessage,
  toText,
} from "./protocolMessages.ts";

type Messages = Awaited<ReturnType<PGlite["execProtocolStream"]>>;

interface Prepared {
  readonly name: string;
  /** Its parameters and columns. */
  readonly description: Messages;
  uses: number;
}

interface Query {
  readonly text: string;
  /** Undefined for a statement that is not prepared. */
  readonly name: string | undefined;
  prepared: Prepared | undefined;
}

const STATEMENTS_MAX = 500;

/** A plan does not follow the growth of its tables, so each statement is planned again after this number of uses. */
const USES_MAX = 500;

/** Statements that may change the columns of prepared ones. */
const SCHEMA_CHANGE = /\b(?:alter|create|drop)\b/iu;

/**
 * Lets a database parse and plan each statement once rather than on every use, which takes longer than most statements
 * themselves. PGlite prepares nothing: it sends the messages of each statement in turn, which are renamed here.
 */
export function prepareStatements(pglite: PGlite): void {
  const execute = pglite.execProtocolStream.bind(pglite);
  const statements = new Map<string, Prepared>();
  let names = 0;
  let query: Query | undefined;

  pglite.execProtocolStream = async (message, options) => {
    switch (message[0]) {
      case SIMPLE_QUERY:
        if (SCHEMA_CHANGE.test(textAt(message, 5))) statements.clear();
        return execute(message, options);
      case PARSE: {
        query = undefined;
        // Only statements without a name and without types of parameters.
        if (message[5] !== 0 || message.at(-1) !== 0 || message.at(-2) !== 0) return execute(message, options);
        const text = textAt(message, 6);
        if (SCHEMA_CHANGE.test(text)) statements.clear();
        const known = statements.get(text);
        if (known !== undefined && known.uses < USES_MAX) {
          known.uses += 1;
          query = { text, name: known.name, prepared: known };
          return [];
        }
        if (known !== undefined) {
          statements.delete(text);
          await execute(toMessage(CLOSE, Buffer.from([STATEMENT]), toText(known.name)), options);
        }
        if (statements.size >= STATEMENTS_MAX) return execute(message, options);
        names += 1;
        query = { text, name: `s${names}`, prepared: undefined };
        return execute(toMessage(PARSE, toText(`s${names}`), message.subarray(6)), options);
      }
      case DESCRIBE: {
        if (query?.name === undefined) return execute(message, options);
        if (query.prepared === undefined) {
          const description = await execute(toMessage(DESCRIBE, Buffer.from([STATEMENT]), toText(query.name)), options);
          query.prepared = { name: query.name, description, uses: 1 };
          statements.set(query.text, query.prepared);
        }
        return query.prepared.description;
      }
      case BIND:
        if (query?.name === undefined) return execute(message, options);
        // The portal has no name either.
        return execute(toMessage(BIND, toText(""), toText(query.name), message.subarray(7)), options);
      default:
        return execute(message, options);
    }
  };
}
