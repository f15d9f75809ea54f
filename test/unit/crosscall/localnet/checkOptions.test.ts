import { expect } from "chai";

import { LOCAL_API_KEY } from "../../../../packages/crosscall/src/localnet/defaults.ts";
import { checkOptions } from "../../../../packages/crosscall/src/localnet/checkOptions.ts";
import type { LocalnetOptions } from "../../../../packages/crosscall/src/localnet/options.ts";
import { refusal } from "../../../support/rejection.ts";

const CHAINS = [{ id: 1 }, { id: 2 }];
const NODES = [
  { id: 1, rpcUrl: "http://a" },
  { id: 2, rpcUrl: "http://b" },
];
const DATABASE = "postgres://host/crosscall";

const TOKEN = {
  chainId: 1,
  address: "0x940181a94a35a4569e4529a3cdfb74e38fd98631",
  symbol: "AERO",
  decimals: 18,
  priceUsd: 1.25,
};

describe("checkOptions", () => {
  const accepted: Record<string, LocalnetOptions> = {
    nothing: {},
    "more than two chains": { chains: [...CHAINS, { id: Number.MAX_SAFE_INTEGER }] },
    "nodes with HTTP and HTTPS": {
      chains: [
        { id: 1, rpcUrl: "http://127.0.0.1:8545" },
        { id: 2, rpcUrl: "https://example.org/rpc" },
      ],
    },
    "a deviation of -100%": { deliveryBps: -10_000 },
    "a deviation of 100%": { deliveryBps: 10_000 },
    "the first port": { port: 0 },
    "the last port": { port: 65_535 },
    "a PostgreSQL server": { databaseUrl: "postgres://me:secret@127.0.0.1:5432/crosscall" },
    "the alternative scheme of PostgreSQL": { databaseUrl: "postgresql://127.0.0.1/crosscall" },
    "a sponsor among the keys": { apiKeys: ["a"], otherApiKeys: ["b"], sponsoringApiKeys: ["b"] },
    "a default key among the keys": { keys: [{ apiKey: "a" }], defaultApiKey: "a" },
    "a sponsor without a balance": { sponsorBalanceUsd: 0 },
    "a time to live of a second": { quoteTtlMs: 1_000 },
    "a time to live of deposit addresses": { depositAddressTtlMs: 1 },
    "hosts besides loopback": { hosts: ["console.example.com", "10.0.0.1", "[::2]"] },
    "changes through a host": { hosts: ["a"], consoleAdmin: true },
    "a role": { role: "service", databaseUrl: DATABASE, chains: NODES },
    "listening on all addresses": { listen: "0.0.0.0" },
    "an IPv6 address": { listen: "::1" },
    "a hardfork": { chains: [{ id: 1, hardfork: "osaka" }, { id: 2 }] },
    "a token without a price whose symbol is known": {
      chains: CHAINS,
      tokens: [{ chainId: 1, address: TOKEN.address, symbol: "weth", decimals: 18 }],
    },
  };
  for (const [name, options] of Object.entries(accepted)) {
    it(`accepts ${name}`, () => {
      checkOptions(options);
    });
  }

  it("adds the block time, the gas price and the finality of a live chain unless they are given", () => {
    const chains = [
      { id: 8_453 },
      { id: 1, blockTimeMs: 0, gasPriceGwei: 5, finality: {} },
      { id: 56, rpcUrl: "http://a" },
    ];
    expect(checkOptions({ like: "mainnet", chains }).chains).to.deep.equal([
      { id: 8_453, blockTimeMs: 2_000, gasPriceGwei: 0.01, finality: { seconds: 900 } },
      chains[1],
      chains[2],
    ]);
    expect(checkOptions({ like: "mainnet" }).chains.map(({ id }) => id)).to.deep.equal([1, 10, 56, 137, 8_453, 42_161]);
  });

  it("uses two chains and one key by default", () => {
    expect(LOCAL_API_KEY).to.equal("crosscall-local");
    expect(checkOptions({}).chains).to.deep.equal([{ id: 31_337 }, { id: 31_338 }]);
  });

  const refused: Record<string, [LocalnetOptions, field: string, value?: string]> = {
    "an unknown default key": [{ defaultApiKey: "a" }, "defaultApiKey", '"(hidden)"'],
    "a host with a port": [{ hosts: ["a", "b:80"] }, "hosts", '["a","b:80"]'],
    "a URL as host": [{ hosts: ["http://a"] }, "hosts", '["http://a"]'],
    "an empty host": [{ hosts: [""] }, "hosts", '[""]'],
    "an unknown role": [{ role: "solver" as "worker", databaseUrl: DATABASE, chains: NODES }, "role", '"solver"'],
    "a role without a server": [{ role: "service", chains: NODES }, "databaseUrl"],
    "a role with a folder": [{ role: "worker", databaseFolder: "folder", chains: NODES }, "databaseUrl"],
    "a role with the default chains": [{ role: "worker", databaseUrl: DATABASE }, "chains[0].rpcUrl"],
    "a role with an in-process chain": [
      { role: "service", databaseUrl: DATABASE, chains: [{ id: 1, rpcUrl: "http://a" }, { id: 2 }] },
      "chains[1].rpcUrl",
    ],
    "a host name to listen on": [{ listen: "localhost" }, "listen", '"localhost"'],
    "no chain": [{ chains: [] }, "chains", "0"],
    "one chain": [{ chains: [{ id: 1 }] }, "chains", "1"],
    "a chain id of zero": [{ chains: [{ id: 1 }, { id: 0 }] }, "chains[1].id", "0"],
    "a negative chain id": [{ chains: [{ id: -1 }, { id: 1 }] }, "chains[0].id", "-1"],
    "a fractional chain id": [{ chains: [{ id: 1.5 }, { id: 1 }] }, "chains[0].id", "1.5"],
    "a chain id above the safe integers": [
      { chains: [{ id: 1 }, { id: 2 ** 53 }] },
      "chains[1].id",
      "9007199254740992",
    ],
    "a chain id of Bitcoin": [{ chains: [{ id: 1 }, { id: 8_253_038 }] }, "chains[1].id", "8253038"],
    "a chain id of an SVM chain": [{ chains: [{ id: 792_703_809 }, { id: 1 }] }, "chains[0].id", "792703809"],
    "a chain id of the exchange": [{ chains: [{ id: 1 }, { id: 3_586_256 }] }, "chains[1].id", "3586256"],
    "a chain id of another exchange": [{ chains: [{ id: 1 }, { id: 1_337 }] }, "chains[1].id", "1337"],
    "a chain id of Tron": [{ chains: [{ id: 1 }, { id: 728_126_428 }] }, "chains[1].id", "728126428"],
    "a duplicate chain id": [{ chains: [...CHAINS, { id: 1 }] }, "chains[2].id", "1"],
    "a node that is not a URL": [{ chains: [{ id: 1, rpcUrl: "8545" }, { id: 2 }] }, "chains[0].rpcUrl", '"8545"'],
    "an empty node": [{ chains: [{ id: 1, rpcUrl: "" }, { id: 2 }] }, "chains[0].rpcUrl", '""'],
    "a node by websocket": [
      { chains: [{ id: 1 }, { id: 2, rpcUrl: "ws://127.0.0.1:8545" }] },
      "chains[1].rpcUrl",
      '"ws://127.0.0.1:8545"',
    ],
    "an unknown protocol": [{ protocols: ["compound" as "aave"] }, "protocols", '"compound"'],
    "a fork without a URL": [{ chains: [{ id: 1, forkUrl: "mainnet" }, { id: 2 }] }, "chains[0].forkUrl", '"mainnet"'],
    "a fork with a node": [
      { chains: [{ id: 1, rpcUrl: "http://a", forkUrl: "http://b" }, { id: 2 }] },
      "chains[0].forkUrl",
      '"http://b"',
    ],
    "a fork block without a fork": [{ chains: [{ id: 1, forkBlock: 5 }, { id: 2 }] }, "chains[0].forkBlock", "5"],
    "a negative fork block": [
      { chains: [{ id: 1, forkUrl: "http://b", forkBlock: -1 }, { id: 2 }] },
      "chains[0].forkBlock",
      "-1",
    ],
    "too short a mining interval": [
      { chains: [{ id: 1 }, { id: 2, miningIntervalMs: 9 }] },
      "chains[1].miningIntervalMs",
      "9",
    ],
    "an unknown hardfork": [
      { chains: [{ id: 1, hardfork: "london" as "prague" }, { id: 2 }] },
      "chains[0].hardfork",
      '"london"',
    ],
    "a hardfork with a node": [
      { chains: [{ id: 1 }, { id: 2, rpcUrl: "http://a", hardfork: "prague" }] },
      "chains[1].hardfork",
      '"prague"',
    ],
    "an unknown likeness": [{ like: "testnet" as "mainnet" }, "like", '"testnet"'],
    "an unknown live chain": [{ like: "mainnet", chains: [{ id: 8_453 }, { id: 31_337 }] }, "chains[1].id", "31337"],
    "a block time with a mining interval": [
      { chains: [{ id: 1, blockTimeMs: 50, miningIntervalMs: 50 }, { id: 2 }] },
      "chains[0].blockTimeMs",
      "50",
    ],
    "a gas price of zero": [{ chains: [{ id: 1, gasPriceGwei: 0 }, { id: 2 }] }, "chains[0].gasPriceGwei", "0"],
    "a gas price with a node": [
      { chains: [{ id: 1 }, { id: 2, rpcUrl: "http://a", gasPriceGwei: 1 }] },
      "chains[1].gasPriceGwei",
      "1",
    ],
    "a finality with a node": [
      { chains: [{ id: 1 }, { id: 2, rpcUrl: "http://a", finality: { blocks: 1 } }] },
      "chains[1].finality",
      '{"blocks":1}',
    ],
    "a finality of more than 10000 blocks": [
      { chains: [{ id: 1, finality: { blocks: 10_001 } }, { id: 2 }] },
      "chains[0].finality.blocks",
      "10001",
    ],
    "a finality of more than a week": [
      { chains: [{ id: 1, finality: { seconds: 604_801 } }, { id: 2 }] },
      "chains[0].finality.seconds",
      "604801",
    ],
    "a token of another chain": [{ chains: CHAINS, tokens: [{ ...TOKEN, chainId: 3 }] }, "tokens[0].chainId", "3"],
    "a token at the zero address": [
      { chains: CHAINS, tokens: [{ ...TOKEN, address: "0x12" }] },
      "tokens[0].address",
      '"0x12"',
    ],
    "a token with too many decimals": [
      { chains: CHAINS, tokens: [{ ...TOKEN, decimals: 37 }] },
      "tokens[0].decimals",
      "37",
    ],
    "a token named twice": [
      { chains: CHAINS, tokens: [TOKEN, TOKEN] },
      "tokens[1].address",
      JSON.stringify(TOKEN.address),
    ],
    "a token that the live chain already has": [
      { like: "mainnet", tokens: [{ ...TOKEN, address: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48" }] },
      "tokens[0].address",
      '"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"',
    ],
    "a missing price for an unknown symbol": [
      { chains: CHAINS, tokens: [{ chainId: 1, address: TOKEN.address, symbol: "AERO", decimals: 18 }] },
      "tokens.priceUsd",
    ],
    "a latency too long": [{ chains: [{ id: 1 }, { id: 2, latencyMs: 60_001 }] }, "chains[1].latencyMs", "60001"],
    "a fractional delivery deviation": [{ deliveryBps: 0.5 }, "deliveryBps", "0.5"],
    "a delivery below zero": [{ deliveryBps: -10_001 }, "deliveryBps", "-10001"],
    "a delivery deviation above 100%": [{ deliveryBps: 10_001 }, "deliveryBps", "10001"],
    "a delivery deviation that is not a number": [{ deliveryBps: Number.NaN }, "deliveryBps", "NaN"],
    "another kind of database": [
      { databaseUrl: "mysql://me:secret@host:3306/crosscall?password=secret" },
      "databaseUrl",
      '"mysql://me@host:3306/crosscall"',
    ],
    "a database that is not a URL": [{ databaseUrl: "me:secret@host" }, "databaseUrl", '"(hidden)"'],
    "a retention of zero months": [{ retentionMonths: 0 }, "retentionMonths", "0"],
    "a fractional number of months": [{ retentionMonths: 1.5 }, "retentionMonths", "1.5"],
    "a retention of zero days": [{ deliveryRetentionDays: 0 }, "deliveryRetentionDays", "0"],
    "both a database folder and a server": [
      { databaseFolder: "folder", databaseUrl: "postgres://host/crosscall" },
      "databaseFolder",
      '"folder"',
    ],
    "a port below zero": [{ port: -1 }, "port", "-1"],
    "a port above the maximum": [{ port: 65_536 }, "port", "65536"],
    "a fractional port": [{ port: 1.5 }, "port", "1.5"],
    "an oracle port above the maximum": [{ oraclePort: 65_536 }, "oraclePort", "65536"],
    "a sponsor that is not a key": [{ sponsoringApiKeys: ["b"] }, "sponsoringApiKeys", '["b"]'],
    "a balance below zero": [{ sponsorBalanceUsd: -1 }, "sponsorBalanceUsd", "-1"],
    "a rebalancing fee above 10%": [{ rebalancingBps: 1_001 }, "rebalancingBps", "1001"],
    "a time to live of zero": [{ quoteTtlMs: 0 }, "quoteTtlMs", "0"],
    "a time to live of deposit addresses of zero": [{ depositAddressTtlMs: 0 }, "depositAddressTtlMs", "0"],
    "a time to live with fractional seconds": [{ quoteTtlMs: 1_500 }, "quoteTtlMs", "1500"],
  };
  for (const [name, [options, field, value]] of Object.entries(refused)) {
    it(`rejects ${name}`, () => {
      expect(refusal(() => checkOptions(options))).to.deep.equal({ code: "INVALID_INPUT", field, value });
    });
  }
});
