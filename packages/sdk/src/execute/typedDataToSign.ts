import { MalformedDataError } from "@crosscall/protocol/core";
import type { TypedData } from "./stepWallet.ts";

/** EIP-712, in the order of its fields. */
const DOMAIN_FIELDS = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
  { name: "salt", type: "bytes32" },
] as const;

/**
 * The same data with the type of its own domain. A domain type in the data is not used: it could leave out the chain and
 * the contract that the signature is for.
 *
 * @throws {@link MalformedDataError} when the domain has a field that EIP-712 does not define, or its chain id is not one
 */
export function typedDataToSign({ domain, types, primaryType, value }: TypedData) {
  const { EIP712Domain: _given, ...own } = types;
  const given = Object.entries(domain).filter(([, field]) => field !== undefined && field !== null);
  const unknown = given.find(([name]) => DOMAIN_FIELDS.every((field) => field.name !== name));
  if (unknown !== undefined) throw malformed(unknown[0], "EIP-712 domains have no such field");
  const ownDomain = Object.fromEntries(
    given.map(([name, field]) => [name, name === "chainId" ? readChain(field) : field]),
  );
  const domainType = DOMAIN_FIELDS.filter(({ name }) => name in ownDomain);
  const typesToSign: TypedData["types"] = { EIP712Domain: domainType, ...own };
  return { domain: ownDomain, types: typesToSign, primaryType, message: value };
}

/** A library would leave a chain id in text out of the domain's type. */
function readChain(chainId: unknown): number | bigint {
  try {
    const id = BigInt(chainId as string | number | bigint);
    if (id >= 0n) return id <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(id) : id;
  } catch {
    // Reported below.
  }
  throw malformed("chainId", "it is not a chain id");
}

function malformed(field: string, reason: string): MalformedDataError {
  return new MalformedDataError({ what: "the typed data to sign", path: `domain.${field}`, reason });
}
