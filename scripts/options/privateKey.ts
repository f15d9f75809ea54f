import { readFile } from "node:fs/promises";

import type { Hex, PrivateKeyAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { InvalidInputError } from "@crosscall/sdk/internal/core/errors";

const VARIABLE = "CROSSCALL_PRIVATE_KEY";

/**
 * The account of a private key, with or without 0x before it.
 *
 * @param field where it was given
 * @throws {@link InvalidInputError} when it is none; never with the key in it
 */
export function parsePrivateKey(text: string, field: string): PrivateKeyAccount {
  const key = text.trim();
  try {
    return privateKeyToAccount((key.startsWith("0x") ? key : `0x${key}`) as Hex);
  } catch {
    throw new InvalidInputError({
      field,
      value: "(hidden)",
      reason: "it is no private key",
      hint: `Give 32 bytes as hexadecimal digits, in a file by --key-file or in ${VARIABLE}.`,
    });
  }
}

/**
 * The account of `CROSSCALL_PRIVATE_KEY`, or of a file where one is given. A key is better no argument: other users of
 * the machine see those.
 *
 * @returns undefined where there is neither
 * @throws {@link InvalidInputError} when the file cannot be read, or the key is none; never with the key in it
 */
export async function readAccount(keyFile: string | undefined): Promise<PrivateKeyAccount | undefined> {
  const text = keyFile === undefined ? process.env[VARIABLE] : await readKeyFile(keyFile);
  if (text === undefined || text.trim() === "") return undefined;
  return parsePrivateKey(text, keyFile === undefined ? VARIABLE : "--key-file");
}

/** As {@link readAccount}, where the command cannot do without. */
export async function requireAccount(keyFile: string | undefined): Promise<PrivateKeyAccount> {
  const account = await readAccount(keyFile);
  if (account !== undefined) return account;
  throw new InvalidInputError({
    field: VARIABLE,
    value: undefined,
    reason: "there is no key to sign with",
    hint: `Give the key in ${VARIABLE}, or a file that holds it with --key-file.`,
  });
}

/**
 * The text of a file with a private key.
 *
 * @throws {@link InvalidInputError} when it cannot be read
 */
export async function readKeyFile(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new InvalidInputError({
      field: "--key-file",
      value: path,
      reason: "the file cannot be read",
      hint: "Check the path and its permissions.",
      cause,
    });
  }
}
