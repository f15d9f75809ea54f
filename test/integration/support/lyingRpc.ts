import { setTimeout } from "node:timers/promises";

import type fc from "fast-check";

import { FakeServer, type Listener, postJson } from "../../support/httpServer.ts";

/** Delay of a slow endpoint in milliseconds. */
const SLOW_MS = 150;

interface RpcAnswer {
  readonly id: unknown;
  result?: unknown;
}

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params?: readonly unknown[];
}

/** Returns a seeded generator of numbers in [0, 1). */
export type Chance = () => number;

/** HTTP endpoint that forwards requests to an honest endpoint and changes some results. */
export class LyingRpc extends FakeServer {
  /** Changes the result of a request. If unset, the endpoint is honest. */
  lie: ((method: string, result: unknown, params: readonly unknown[]) => unknown) | undefined;
  /** Fault of the endpoint, if any. */
  fault: "down" | "hanging" | "malformed" | "rate-limited" | "slow" | undefined;

  static start(truth: string): Promise<LyingRpc> {
    const rpc = new LyingRpc();
    return rpc.listen((...call) => rpc.#respond(truth, ...call));
  }

  async #respond(truth: string, ...[request, response, body]: Parameters<Listener>): Promise<void> {
    if (this.fault === "hanging") return;
    if (this.fault === "down") return void request.socket.destroy();
    if (this.fault === "rate-limited") return void response.writeHead(429).end();
    if (this.fault === "malformed") return void response.end("<html>");
    await this.#ask(truth, body).then(
      (answer) => response.end(answer),
      () => response.writeHead(502).end(),
    );
  }

  async #ask(truth: string, body: string): Promise<string> {
    const text = await (await postJson(truth, body)).text();
    if (this.fault === "slow") await setTimeout(SLOW_MS);
    const { lie } = this;
    if (lie === undefined) return text;
    const calls = JSON.parse(body) as RpcCall | RpcCall[];
    const byId = new Map((Array.isArray(calls) ? calls : [calls]).map((call) => [call.id, call]));
    const change = (answer: RpcAnswer): RpcAnswer => {
      const { method = "", params = [] } = byId.get(answer.id) ?? {};
      return { ...answer, ...("result" in answer ? { result: lie(method, answer.result, params) } : {}) };
    };
    const answers = JSON.parse(text) as RpcAnswer | RpcAnswer[];
    return JSON.stringify(Array.isArray(answers) ? answers.map(change) : change(answers));
  }
}

/** Changes one place in a JSON value: removes, repeats, replaces or increments it. */
export function tamper(value: unknown, chance: Chance): unknown {
  const pick = (count: number): number => Math.floor(chance() * count);
  if (chance() < 0.05) return null;
  if (Array.isArray(value)) {
    if (value.length === 0) return value;
    const at = pick(value.length);
    switch (pick(4)) {
      case 0:
        return value.toSpliced(at, 1);
      case 1:
        return value.toSpliced(at, 0, value[at]);
      default:
        return value.with(at, tamper(value[at], chance));
    }
  }
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value);
    const [name, field] = fields[pick(fields.length)] ?? [];
    return name === undefined ? value : { ...value, [name]: tamper(field, chance) };
  }
  return typeof value === "string" ? tamperText(value, chance) : value;
}

/** Fields that attestations read. Changes of other fields have no effect. */
const READ_FIELDS = [
  "status",
  "blockHash",
  "blockNumber",
  "logs",
  "number",
  "timestamp",
  "hash",
  "input",
  "value",
  "to",
] as const;

/** Changes one of the fields that attestations read. */
export function tamperTold(value: unknown, chance: Chance): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return tamper(value, chance);
  const names = READ_FIELDS.filter((name) => name in value);
  const name = names[Math.floor(chance() * names.length)];
  if (name === undefined) return tamper(value, chance);
  return { ...value, [name]: tamper(Reflect.get(value, name), chance) };
}

/** Moves the timestamps of blocks forward, so that more blocks seem final. */
export function tamperTime(value: unknown, chance: Chance): unknown {
  const timestamp: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "timestamp") : undefined;
  if (typeof timestamp !== "string") return value;
  return {
    ...(value as object),
    timestamp: `0x${(BigInt(timestamp) + 10n ** BigInt(1 + Math.floor(chance() * 5))).toString(16)}`,
  };
}

function tamperText(text: string, chance: Chance): string {
  if (!/^0x[0-9a-f]+$/iu.test(text)) return `${text}0`;
  if (text.length <= 18 && chance() < 0.7) {
    const [value, step] = [BigInt(text), 10n ** BigInt(Math.floor(chance() * 6))];
    const changed = chance() < 0.5 ? value + step : value - step;
    return `0x${(changed < 0n ? 0n : changed).toString(16)}`;
  }
  const at = 2 + Math.floor(chance() * (text.length - 2));
  const digit = (Number.parseInt(text[at] ?? "0", 16) + 1 + Math.floor(chance() * 15)) % 16;
  return `${text.slice(0, at)}${digit.toString(16)}${text.slice(at + 1)}`;
}

/** Parameters of property tests, including a fixed seed. */
export const PINNED = { seed: 20_261_121, endOnFailure: true } as const satisfies fc.Parameters;
