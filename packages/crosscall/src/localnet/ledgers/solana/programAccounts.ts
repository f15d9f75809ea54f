import { base58 } from "@scure/base";

import { toAccountJson } from "./accountJson.ts";
import { readTokenAccount, type SolanaAccount } from "./accounts.ts";
import { inContext, invalidParams, isCount, isRecord, keyAt, optionsAt, type Params } from "./params.ts";
import type { SolanaChain } from "./solanaChain.ts";
import { keyBytes } from "./wire.ts";

const MAX_FILTERS = 4;

/** Maximum number of bytes to compare. */
const MAX_COMPARED_BYTES = 128;

type Filter = (account: SolanaAccount) => boolean;

/** Lists the accounts that a program owns. */
export function listProgramAccounts(chain: SolanaChain, params: Params) {
  const program = keyAt(params, 0);
  const options = optionsAt(params, 1);
  const filters = filtersOf(options.filters ?? []);
  const found = chain
    .accountsOf(program)
    .filter(([, account]) => filters.every((matches) => matches(account)))
    .toSorted(([one], [other]) => Buffer.compare(keyBytes(one), keyBytes(other)))
    .map(([pubkey, account]) => ({ pubkey, account: toAccountJson(chain, account, options) }));
  const { context, value } = inContext(chain, found, options);
  return options.withContext === true ? { context, value } : value;
}

function filtersOf(filters: unknown): Filter[] {
  if (!Array.isArray(filters)) throw invalidParams("Invalid params: expected a list of filters");
  if (filters.length > MAX_FILTERS) throw invalidParams(`Too many filters provided; max ${MAX_FILTERS}`);
  return filters.map(toFilter);
}

function toFilter(filter: unknown): Filter {
  if (filter === "tokenAccountState") return (account) => readTokenAccount(account) !== undefined;
  const { dataSize, memcmp } = isRecord(filter) ? filter : {};
  if (isCount(dataSize)) return ({ data }) => data.length === dataSize;
  if (!isRecord(memcmp) || !isCount(memcmp.offset)) {
    throw invalidParams("Invalid params: unknown filter, expected one of `dataSize`, `memcmp`, `tokenAccountState`.");
  }
  const { offset } = memcmp;
  const bytes = comparedBytes(memcmp);
  return ({ data }) => bytes.equals(data.subarray(offset, offset + bytes.length));
}

function comparedBytes({ bytes, encoding = "base58" }: Readonly<Record<string, unknown>>): Buffer {
  const compared = decodeBytes(bytes, encoding);
  if (compared.length > MAX_COMPARED_BYTES) throw invalidParams("Invalid param: DataTooLarge");
  return compared;
}

function decodeBytes(bytes: unknown, encoding: unknown): Buffer {
  if (Array.isArray(bytes)) return Buffer.from(bytes as number[]);
  if (typeof bytes !== "string") throw invalidParams("Invalid params: expected bytes to compare");
  if (encoding === "base64") return Buffer.from(bytes, "base64");
  try {
    return Buffer.from(base58.decode(bytes));
  } catch {
    throw invalidParams("Invalid param: Decode(InvalidCharacter)");
  }
}
