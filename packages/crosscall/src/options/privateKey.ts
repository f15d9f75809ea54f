import { readFile } from "node:fs/promises";

import type { Hex, PrivateKeyAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { InvalidInputError } from "@crosscall/protocol/core";

const VARIABLE = "CROSSCALL_PRIVATE_KEY";

/**
 * Parses a key with or without 0x.
 *
 * @param field option or variable that contains the key
 * @throws {@link InvalidInputError} with a message that omits the key
 */
export function parsePrivateKey(text: string, field: string): PrivateKeyAccount {
  const key = text.trim();
  try {
    return privateKeyToAccount((key.startsWith("0x") ? key : `0x${key}`) as Hex);
  } catch {
    throw new InvalidInputError({
      field,
      value: "(hidden)",
      reason: "it is not a private key",
      hint: `Pass 32 bytes as hexadecimal digits, in a file with --key-file or in ${VARIABLE}.`,
    });
  }
}

/**
 * Reads the key from `CROSSCALL_PRIVATE_KEY` or a file. There is no option for the key itself, because arguments are
 * visible to other users of the machine.
 *
 * @returns undefined if neither is given
 * @throws {@link InvalidInputError} if the file cannot be read or the key is invalid, with a message that omits the key
 */
export async function readAccount(keyFile: string | undefined): Promise<PrivateKeyAccount | undefined> {
  const text = keyFile === undefined ? process.env[VARIABLE] : await readKeyFile(keyFile);
  if (text === undefined || text.trim() === "") return undefined;
  return parsePrivateKey(text, keyFile === undefined ? VARIABLE : "--key-file");
}

export async function requireAccount(keyFile: string | undefined): Promise<PrivateKeyAccount> {
  const account = await readAccount(keyFile);
  if (account !== undefined) return account;
  throw new InvalidInputError({
    field: VARIABLE,
    value: undefined,
    reason: "no private key was given for signing",
    hint: `Set ${VARIABLE}, or pass a key file with --key-file.`,
  });
}

/** @throws {@link InvalidInputError} if it cannot be read */
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
