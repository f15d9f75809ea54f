import { InvalidArgumentError } from "commander";

export function parseInteger(text: string): number {
  if (/^-?\d{1,15}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("Use a whole number.");
}

export function parsePositive(text: string): number {
  const value = parseInteger(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("It is not above zero.");
}
