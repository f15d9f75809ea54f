import pg from "pg";
import { parseEther, zeroAddress } from "viem";

import type { Stages } from "../../packages/crosscall/src/terminal/stages.ts";
import { createServiceClient } from "../../packages/sdk/src/client/client.ts";
import { getQuote } from "../../packages/sdk/src/client/getQuote.ts";
import { type Localnet, localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { hashApiKey } from "../../packages/crosscall/src/localnet/store/hashApiKey.ts";
import type { PostgresServer } from "../../test/support/postgres.ts";
import { seed } from "./seed.ts";

const CHAINS = [{ id: 31_337 }, { id: 31_338 }, { id: 31_339 }];

/** Starts a network with the given number of requests in its database. */
export async function withRequests<Result>(
  stages: Stages,
  server: Pick<PostgresServer, "createDatabase">,
  count: number,
  work: (network: Localnet, pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const databaseUrl = await server.createDatabase();
  const network = await localnet({ chains: CHAINS, databaseUrl, limits: "off" });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options: "-c search_path=crosscall" });
  try {
    await quote(network);
    await stages.run(`Write ${count.toLocaleString("en-US")} requests over twelve months`, () =>
      write(network, pool, count),
    );
    return await work(network, pool);
  } finally {
    await pool.end();
    await network.close();
  }
}

async function write(network: Localnet, pool: pg.Pool, count: number): Promise<void> {
  const currencies = network.chains.flatMap(({ id: chainId, contracts }) => [
    { chainId, address: zeroAddress, symbol: "ETH" },
    { chainId, address: contracts.dollar, symbol: "USDC" },
    { chainId, address: contracts.tether, symbol: "USDT" },
    { chainId, address: contracts.wrappedNative, symbol: "WETH" },
    { chainId, address: contracts.token, symbol: "TOKEN" },
  ]);
  const apiKeyHashes = Array.from({ length: 100 }, (_, index) => hashApiKey(`key ${index}`)).with(
    20,
    hashApiKey(network.apiKey),
  );
  const client = await pool.connect();
  try {
    await seed({ client, count, currencies, apiKeyHashes, end: new Date().toISOString() });
  } finally {
    client.release(true);
  }
}

/** Requests a quote for one ether to dollars. */
export async function quote(network: Localnet): Promise<void> {
  const [origin, destination] = network.chains;
  await getQuote(createServiceClient({ baseUrl: network.url, apiKey: network.apiKey }), {
    user: network.accounts.user.address,
    originChainId: origin.id,
    destinationChainId: destination.id,
    originCurrency: zeroAddress,
    destinationCurrency: destination.contracts.dollar,
    tradeType: "EXACT_INPUT",
    amount: parseEther("1").toString(),
  });
}
