import { InvalidArgumentError } from "commander";

/** A whole number of an option. */
export function parseInteger(text: string): number {
  if (/^-?\d{1,15}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("Use a whole number.");
}

/** A whole number of an option, from one on. */
export function parsePositive(text: string): number {
  const value = parseInteger(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It is not above zero.");
}
