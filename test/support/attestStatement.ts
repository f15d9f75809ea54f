import { zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { NO_FILL_TYPES } from "../../packages/protocol/src/attestation/genericMapping.ts";

const KEY = "4d".repeat(32);
const SOLVER = privateKeyToAccount(`0x${KEY}`);
const CHAIN = "local-31337";
const ORDER = `0x${"bb".repeat(32)}` as const;

/** Environment variables for an oracle on a free port, with chains that do not respond. */
export const ORACLE_ENV = {
  ENVIRONMENT: "localnet",
  ECDSA_PRIVATE_KEY: KEY,
  HTTP_PORT: "0",
  LOCAL_31337_RPC_URL: "http://127.0.0.1:1",
  LOCAL_31338_RPC_URL: "http://127.0.0.1:2",
};

/** Path of the route for {@link signStatement}. The route reads no chain. */
export const STATEMENT_ROUTE = "/attestations/signatures/no-fill-or-refund/v1";

/** Returns the body of a request that a solver signed. */
export async function signStatement(): Promise<string> {
  const signature = await SOLVER.signTypedData({
    domain: { name: "RelayNoFillOrRefund", version: "1", chainId: 31_337, verifyingContract: zeroAddress },
    types: NO_FILL_TYPES,
    primaryType: "NoFillOrRefund",
    message: { chainId: CHAIN, solver: SOLVER.address, orderId: ORDER },
  });
  return JSON.stringify({ solverChainId: CHAIN, solver: SOLVER.address, orderId: ORDER, signature });
}

/** Requests an attestation, and returns the status. */
export async function attestStatement(url: string): Promise<number> {
  const response = await fetch(`${url}${STATEMENT_ROUTE}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: await signStatement(),
  });
  await response.arrayBuffer();
  return response.status;
}
