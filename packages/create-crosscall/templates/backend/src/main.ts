import { createServiceClient } from "@crosscall/sdk";
import { createWalletClient, type Hex, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";

import { createServer } from "./server.ts";
import { openStore } from "./store.ts";
import { createSupplies } from "./supplies.ts";

const apiKey = required("SERVICE_API_KEY");
const store = openStore(required("DATABASE"));
const supplies = createSupplies({
  client: createServiceClient({ baseUrl: required("SERVICE_URL"), apiKey }),
  wallet: createWalletClient({
    account: privateKeyToAccount(required("PRIVATE_KEY") as Hex),
    transport: http(required("ORIGIN_RPC_URL")),
  }),
  store,
  // Pays on OP Mainnet and supplies to Aave v3 on Base.
  route: {
    originChainId: 10,
    destinationChainId: 8453,
    asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
    aToken: "0x4e65fE4DbA92790696d040ac24Aa414708F5c0AB",
  },
});
const server = createServer({ supplies, apiKey });
server.addHook("onClose", async () => {
  await supplies.close();
  store.close();
});
supplies.resume();
console.log(await server.listen({ port: Number(required("PORT")) }));
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void server.close());

function required(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new Error(`${name} is not set: see .env.example`);
  return value;
}
