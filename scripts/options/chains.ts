import { InvalidArgumentError, Option } from "commander";

import type { ChainOptions } from "../../src/localnet/index.ts";

/** `--chain id[=url]`, repeatable: the chains of the network, instead of two new ones in this process. */
export function chainOption(): Option {
  return new Option(
    "--chain <id[=url]>",
    "a chain, on a local node at the URL or in this process; repeatable (default: 31337 and 31338 in this process)",
  ).argParser<readonly ChainOptions[] | undefined>((text, chains) => {
    const [id = "", ...rest] = text.split("=");
    const rpcUrl = rest.join("=");
    return [...(chains ?? []), { id: parseInteger(id), ...(rpcUrl === "" ? {} : { rpcUrl }) }];
  });
}

/** A whole number of an option. */
export function parseInteger(text: string): number {
  if (/^-?\d{1,15}$/u.test(text)) return Number(text);
  throw new InvalidArgumentError("It is not a whole number.");
}
