import { createHash } from "node:crypto";

import { InvalidInputError, MalformedDataError } from "@crosscall/protocol/core";
import { oneOf, parseData } from "@crosscall/protocol/schema";
import * as Type from "typebox";

import type { JsonObject } from "../store/schema.ts";
import type { ScenarioName } from "./scenario.ts";

/** Number of uniform draws whose sum has a variance of 1. */
const DRAWS_OF_NORMAL = 12;

const SEED = Type.Optional(Type.String({ description: "seed of the random draws; `1` by default" }));

export const DeliverySchema = Type.Object(
  {
    bps: Type.Integer({
      minimum: -10_000,
      maximum: 10_000,
      description:
        "difference from the quoted amount: exact (fixed), maximum (uniform), or standard deviation (normal)",
    }),
    kind: Type.Optional(
      oneOf(
        ["fixed", "uniform", "normal"],
        "`fixed` (default), or a random draw for each request: `uniform`, `normal`",
      ),
    ),
    seed: SEED,
    belowMinimum: Type.Optional(Type.Boolean({ description: "allows delivery below the minimum; `false` by default" })),
  },
  { additionalProperties: false },
);

export const SlowFillSchema = Type.Object(
  {
    delayMs: Type.Integer({
      minimum: 1,
      maximum: 86_400_000,
      description: "delay from the deposit to the fill, in milliseconds",
    }),
  },
  { additionalProperties: false },
);

export const StalePriceSchema = Type.Object(
  {
    bps: Type.Integer({ minimum: 1, maximum: 9_999, description: "price drop since the quote, in basis points" }),
  },
  { additionalProperties: false },
);

export const ResponseFaultSchema = Type.Object(
  {
    routes: Type.Optional(
      Type.Array(Type.String({ pattern: "^/" }), {
        description: "paths as in /documentation; all service routes by default",
      }),
    ),
    probability: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: "probability of a fault in each request; `1` by default" }),
    ),
    seed: SEED,
  },
  { additionalProperties: false },
);

const NoParametersSchema = Type.Object({}, { additionalProperties: false });

export type Delivery = Type.Static<typeof DeliverySchema>;

export type ResponseFault = Type.Static<typeof ResponseFaultSchema>;

const DEFAULT_SEED = "1";

/**
 * @param field name of the parameters in errors
 *
 * @throws {@link InvalidInputError} that names the invalid parameter
 */
export function parseParameters<Schema extends Type.TObject>(
  schema: Schema,
  parameters: JsonObject,
  field: string,
): Type.Static<Schema> {
  try {
    return parseData(schema, parameters, field);
  } catch (error) {
    if (!(error instanceof MalformedDataError)) throw error;
    const [name = ""] = error.path.split(/[.[]/u);
    const known = Object.keys(schema.properties);
    throw new InvalidInputError({
      field: name === "" ? field : `${field}.${name}`,
      value: name === "" ? parameters : parameters[name],
      reason: error.message,
      hint:
        known.length === 0
          ? "This scenario has no parameters."
          : `Use ${known.join(", ")}. \`crosscall scenarios\` describes them.`,
      cause: error,
    });
  }
}

/** Converts text to the types of the schema. */
export function fromText(schema: Type.TObject, given: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(given).map(([name, text]) => {
      const property: { readonly type?: string } | undefined = schema.properties[name];
      return [name, valueOf(property?.type, text)];
    }),
  );
}

/**
 * Converts text to a value of the given type. Text that cannot be converted stays text, so that the schema rejects it
 * with the parameter's name.
 */
function valueOf(type: string | undefined, text: string): unknown {
  switch (type) {
    case "integer":
    case "number":
      return /^-?\d+(\.\d+)?$/u.test(text) ? Number(text) : text;
    case "boolean":
      return text === "true" || text === "false" ? text === "true" : text;
    case "array":
      return text.split(";");
    default:
      return text;
  }
}

/**
 * Returns the deviation in bps.
 *
 * @param index number of the affected request, starting at 0
 */
export function drawDelivery({ bps, kind = "fixed", seed = DEFAULT_SEED }: Delivery, index: number): number {
  switch (kind) {
    case "fixed":
      return bps;
    case "uniform":
      return Math.round(bps * (2 * uniformDraw(seed, index) - 1));
    case "normal":
      return Math.max(Math.round(bps * normalDraw(seed, index)), -10_000);
  }
}

/** @param index number of the HTTP request, starting at 0 */
export function drawFault({ probability = 1, seed = DEFAULT_SEED }: ResponseFault, index: number): boolean {
  return uniformDraw(seed, index) < probability;
}

export function schemaOf(name: ScenarioName): Type.TObject {
  switch (name) {
    case "delivery":
      return DeliverySchema;
    case "slow-fill":
      return SlowFillSchema;
    case "stale-price":
      return StalePriceSchema;
    default:
      return name.startsWith("http:") ? ResponseFaultSchema : NoParametersSchema;
  }
}

/** Draws a number from 0 (inclusive) to 1 (exclusive). Seed and index determine the number. */
export function uniformDraw(seed: string, index: number, part = 0): number {
  const digest = createHash("sha256").update(`${index}.${part}.${seed}`).digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}

/** Draws a number from the standard normal distribution, limited to ±6. Seed and index determine the number. */
function normalDraw(seed: string, index: number): number {
  // Avoids logarithms, because their last digit can differ between machines.
  let sum = 0;
  for (let part = 0; part < DRAWS_OF_NORMAL; part += 1) sum += uniformDraw(seed, index, part);
  return sum - DRAWS_OF_NORMAL / 2;
}
