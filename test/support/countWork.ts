import { channel } from "node:diagnostics_channel";

import { PGlite } from "@electric-sql/pglite";

import { RPC_CALLS, type RpcCall } from "../../packages/crosscall/src/localnet/devchain/chainClient.ts";

/** Work that a network has done since the last reset. */
export interface WorkCount {
  /** SQL of each statement sent to an in-process database, including those that begin and end transactions. */
  readonly statements: readonly string[];
  /** Method of each RPC request that the service and the solver sent to a chain. */
  readonly rpcCalls: readonly string[];
}

export interface WorkCounter extends Disposable {
  /** Returns the work since the last call. */
  take(): WorkCount;
}

/** Message types of the PostgreSQL protocol that contain or name a statement. */
const SIMPLE_QUERY = 0x51;
const PARSE = 0x50;
const BIND = 0x42;

/** Counts the statements and RPC requests of all networks in this process. Only one counter can be active. */
export function countWork(): WorkCounter {
  let statements: string[] = [];
  let rpcCalls: string[] = [];
  const prepared = new Map<string, string>();
  const { prototype } = PGlite;
  const execute = Reflect.get(prototype, "execProtocolRawSync");
  prototype.execProtocolRawSync = function count(message) {
    const sql = readStatement(message, prepared);
    if (sql !== undefined) statements.push(sql);
    return execute.call(this, message);
  };
  const onCall = (call: unknown): void => {
    rpcCalls.push((call as RpcCall).method);
  };
  const calls = channel(RPC_CALLS);
  calls.subscribe(onCall);
  return {
    take() {
      const count = { statements, rpcCalls };
      statements = [];
      rpcCalls = [];
      return count;
    },
    [Symbol.dispose]() {
      prototype.execProtocolRawSync = execute;
      calls.unsubscribe(onCall);
    },
  };
}

/** Returns the statement of a message, or undefined for other messages. */
function readStatement(message: Uint8Array, prepared: Map<string, string>): string | undefined {
  const text = (from: number): string => Buffer.from(message.subarray(from, message.indexOf(0, from))).toString();
  // Each message starts with its type and its length.
  if (message[0] === SIMPLE_QUERY) return text(5);
  if (message[0] === PARSE) {
    const name = text(5);
    prepared.set(name, text(5 + Buffer.byteLength(name) + 1));
    return undefined;
  }
  if (message[0] !== BIND) return undefined;
  const portal = text(5);
  return prepared.get(text(5 + Buffer.byteLength(portal) + 1)) ?? "prepared earlier";
}
