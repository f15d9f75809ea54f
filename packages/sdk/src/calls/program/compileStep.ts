import { type Address, type Hex, size, slice, toFunctionSelector } from "viem";

import { deniedFunctions } from "@crosscall/protocol/abi/deniedFunctions";
import { EVM_NATIVE_CURRENCY, parseEvmAddress } from "@crosscall/protocol/chains";
import { InvalidInputError } from "@crosscall/protocol/core";
import { BPS_PER_WHOLE } from "@crosscall/protocol/encoding";
import type { DecodedDraw, DecodedPatch, DecodedStep } from "./decodedProgram.ts";
import { encodeLiveCall } from "./encodeLiveCall.ts";
import type { LiveAmount, ProgramAmount, ReturnedAmount } from "./placeholder.ts";
import type { ProgramStep } from "./program.ts";

const LARGEST_FIXED_VALUE = 2n ** 128n - 1n;

export interface StepContext {
  readonly index: number;
  /** Declared tokens, in order. */
  readonly tokens: readonly Address[];
  /** Drawn shares per token, in bps. Steps update them. */
  readonly drawnBps: number[];
  /** Rejects accounts that must not be called, approved or paid. */
  readonly requireAllowed: (account: Address, field: string) => void;
}

export function compileStep(step: ProgramStep, context: StepContext): DecodedStep {
  const path = `steps[${context.index}]`;
  const target = parseEvmAddress(step.target, `${path}.target`);
  context.requireAllowed(target, `${path}.target`);
  const { data, places } = encodeLiveCall(step, path);
  requireAllowedFunction(data, "data" in step ? `${path}.data` : `${path}.functionName`);

  const draws = new Draws(context);
  draws.addValue(step.value ?? 0n, `${path}.value`);
  const patches = places.map<DecodedPatch>(({ amount, offset, width, path: field }) => ({
    draw: draws.add(amount, field),
    offset,
    width,
  }));
  for (const [index, amount] of (step.approvals ?? []).entries()) {
    draws.addApproval(amount, `${path}.approvals[${index}]`);
  }
  requireCount(draws.list.length, path, "live amounts");
  requireCount(patches.length, path, "places for amounts");
  return { target, draws: draws.list, patches, data };
}

function requireAllowedFunction(data: DecodedStep["data"], field: string): void {
  const denied = size(data) < 4 ? undefined : deniedFunction(slice(data, 0, 4));
  if (denied === undefined) return;
  throw new InvalidInputError({
    field,
    value: denied,
    reason: "the executor rejects functions that transfer tokens or allow others to transfer them",
    hint: "Let the target take tokens with live(token, { approve }); the remainder goes to the recipient.",
  });
}

/** Draws of a step. An amount in several places of the step is drawn once. */
class Draws {
  readonly list: DecodedDraw[] = [];
  readonly #context: StepContext;

  constructor(context: StepContext) {
    this.#context = context;
  }

  addValue(value: LiveAmount | bigint, field: string): void {
    if (value === 0n) return;
    const native = this.#context.tokens.indexOf(EVM_NATIVE_CURRENCY);
    if (native === -1) {
      throw new InvalidInputError({
        field,
        value: typeof value === "bigint" ? value : "live",
        reason: "the program sends native currency, but does not declare it",
        hint: 'Add { token: "native" } to tokens; with minimumIn 0n where only the steps bring it.',
      });
    }
    if (typeof value === "bigint") {
      if (value < 0n || value > LARGEST_FIXED_VALUE) {
        throw new InvalidInputError({
          field,
          value,
          reason: "a fixed value must be between 0 and 2^128 - 1",
          hint: `Pass ${field} in wei.`,
        });
      }
      this.list.push({ kind: "fixedValue", value });
      return;
    }
    if (value.token !== EVM_NATIVE_CURRENCY) {
      throw new InvalidInputError({
        field,
        value: value.token,
        reason: "only native currency can be the value of a call",
        hint: 'Pass live("native") or an amount in wei.',
      });
    }
    this.#addToken({ kind: "value", token: native, shareBps: value.shareBps }, field);
  }

  /** @returns index of the draw */
  add(amount: ProgramAmount, field: string): number {
    return "word" in amount ? this.#addReturned(amount, field) : this.#addLive(amount, field);
  }

  addApproval(amount: LiveAmount, field: string): void {
    if (amount.approve === undefined) {
      throw new InvalidInputError({
        field,
        value: amount.token,
        reason: "the amount is not approved for an account",
        hint: 'Pass live(token, { approve: "target" }), or the address of a spender as approve.',
      });
    }
    this.#addLive(amount, field);
  }

  #addReturned({ word, shareBps }: ReturnedAmount, field: string): number {
    if (this.#context.index === 0) {
      throw new InvalidInputError({
        field,
        value: `word ${word}`,
        reason: "the first step has no previous step",
        hint: "Put the step that returns the value before this step.",
      });
    }
    const known = this.list.findIndex(
      (draw) => draw.kind === "returned" && draw.word === word && draw.shareBps === shareBps,
    );
    return known === -1 ? this.list.push({ kind: "returned", word, shareBps }) - 1 : known;
  }

  #addLive({ token, shareBps, approve }: LiveAmount, field: string): number {
    const index = this.#context.tokens.indexOf(token);
    if (index === -1) {
      throw new InvalidInputError({
        field,
        value: token,
        reason: "the program does not declare this token",
        hint: "Add the token to tokens, with minimumIn 0n if only the steps return it.",
      });
    }
    if (approve === undefined) return this.#addToken({ kind: "balance", token: index, shareBps }, field);
    if (approve === "target") return this.#addToken({ kind: "forTarget", token: index, shareBps }, field);
    this.#context.requireAllowed(approve, field);
    return this.#addToken({ kind: "forSpender", token: index, shareBps, spender: approve }, field);
  }

  #addToken(draw: Extract<DecodedDraw, { readonly token: number }>, field: string): number {
    const known = this.list.findIndex((other) => "token" in other && other.token === draw.token);
    const earlier = this.list[known];
    if (earlier === undefined) {
      this.#count(draw, field);
      return this.list.push(draw) - 1;
    }
    if (isSameDraw(earlier, draw)) return known;
    throw new InvalidInputError({
      field,
      value: this.#context.tokens[draw.token],
      reason: "the step has another live amount of the same token with a different share or spender",
      hint: "Use one live amount per token in all places of a step, or use two steps.",
    });
  }

  #count({ token, shareBps }: Extract<DecodedDraw, { readonly token: number }>, field: string): void {
    const { drawnBps } = this.#context;
    const sum = (drawnBps[token] ?? 0) + shareBps;
    const whole = Number(BPS_PER_WHOLE);
    if (sum > whole) {
      throw new InvalidInputError({
        field,
        value: shareBps,
        reason: `the shares of this token add up to ${sum} bps, more than ${whole}`,
        hint: `Pass at most ${whole - sum + shareBps} bps, which is the whole remainder.`,
      });
    }
    drawnBps[token] = sum === whole ? 0 : sum;
  }
}

/** Whether a second use of a token refers to the amount already drawn. */
function isSameDraw(drawn: DecodedDraw, draw: Extract<DecodedDraw, { readonly token: number }>): boolean {
  if (!("token" in drawn) || drawn.shareBps !== draw.shareBps) return false;
  if (drawn.kind === "value" && draw.kind === "balance") return true;
  if (drawn.kind !== draw.kind) return false;
  return drawn.kind !== "forSpender" || (draw.kind === "forSpender" && drawn.spender === draw.spender);
}

const MOST_COUNT = 255;

/** Limits a count, because counts are one byte. */
export function requireCount(count: number, field: string, what: string): void {
  if (count <= MOST_COUNT) return;
  throw new InvalidInputError({
    field,
    value: `${count} ${what}`,
    reason: `there can be at most ${MOST_COUNT}`,
    hint: "Split it into two programs.",
  });
}

const bySelector = new Map<Hex, string>(deniedFunctions.map((signature) => [toFunctionSelector(signature), signature]));

/** Returns the signature if the executor rejects calls of the function. */
export function deniedFunction(selector: Hex): string | undefined {
  return bySelector.get(selector);
}
