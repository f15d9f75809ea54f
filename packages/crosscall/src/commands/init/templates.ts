/** Returns a test for Hardhat 3 that pays a shop, and sends the rest of the delivered amount to the recipient. */
export function hardhatTest({ isTyped, runner }: { isTyped: boolean; runner: "mocha" | "node" }): string {
  const runnerImport = runner === "node" ? 'import { describe, it } from "node:test";\n\n' : "";
  return `${runnerImport}import "crosscall/testing/register";

import { planCalls } from "@crosscall/sdk/calls";
import { expect } from "chai";
import { forkFill, placeRouter } from "crosscall/testing";
import { network } from "hardhat";
import { parseEther, zeroAddress } from "viem";

const RECIPIENT = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const SHOP = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
const PRICE = parseEther("0.4");

describe("the calls of an order", () => {
  it("pay the shop, and return the rest to the recipient", async () => {
    const connection = await network.create();
    const terms = {
      tradeType: "EXACT_OUTPUT",
      router: await placeRouter(connection),
      destinationCurrency: zeroAddress,
      recipient: RECIPIENT,
    }${isTyped ? " as const" : ""};
    const planned = planCalls({
      ...terms,
      amount: PRICE,
      actions: [{ kind: "call", call: { to: SHOP, data: "0x", value: PRICE.toString() } }],
    });
    const fill = await forkFill(connection, { ...terms, ...planned }, { amount: parseEther("0.5") });
    await expect(fill).to.deliver(zeroAddress, PRICE).to(SHOP);
    await expect(fill).to.deliver(zeroAddress, parseEther("0.1")).to(RECIPIENT);
    await expect(fill).to.leaveNothingBehind();
  });
});
`;
}

/** A test for Foundry: fills a proxy of the kit with any amount. */
export const FOUNDRY_TEST = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

import {Test} from "forge-std/Test.sol";
import {IWrappedNative} from "@crosscall/contracts/interfaces/IWrappedNative.sol";
import {LocalVault} from "@crosscall/contracts/localnet/LocalVault.sol";
import {LocalDollar} from "@crosscall/contracts/localnet/tokens/LocalDollar.sol";
import {Erc4626Proxy} from "@crosscall/contracts/proxies/Erc4626Proxy.sol";
import {FillTest} from "@crosscall/contracts/testing/FillTest.sol";

contract CrosscallTest is Test, FillTest {
    address internal user = makeAddr("user");
    LocalDollar internal dollar = new LocalDollar();
    LocalVault internal vault = new LocalVault(dollar, "Dollar vault", "vUSD");
    Erc4626Proxy internal proxy = new Erc4626Proxy(vault, IWrappedNative(address(0)));

    function testFuzz_Fill_AnyAmount_DepositsIt(uint96 amount) public {
        amount = uint96(bound(amount, 1, 1_000_000e6));
        Call[] memory txs = planExecute(address(dollar), address(proxy), user, 1, 1, block.timestamp);
        fill(txs, address(dollar), amount, user);
        assertDelivered(address(vault), user, amount);
        assertNothingLeftBehind(address(proxy));
    }
}
`;

/** A program that requests a quote from the local network. */
export const QUOTE_EXAMPLE = `import { createServiceClient, getChains, getQuote } from "@crosscall/sdk";
import { parseEther, zeroAddress } from "viem";

const client = createServiceClient({
  baseUrl: process.env.CROSSCALL_API_URL ?? "http://127.0.0.1:3000",
  apiKey: process.env.CROSSCALL_API_KEY ?? "crosscall-local",
});
const [origin, destination] = await getChains(client);

const quote = await getQuote(client, {
  user: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  originChainId: origin.id,
  destinationChainId: destination.id,
  originCurrency: zeroAddress,
  destinationCurrency: zeroAddress,
  tradeType: "EXACT_INPUT",
  amount: parseEther("0.1").toString(),
});

const { currencyIn, currencyOut } = quote.details;
console.log(\`pay     \${currencyIn.amountFormatted} \${currencyIn.currency.symbol} on chain \${origin.id}\`);
console.log(\`receive \${currencyOut.amountFormatted} \${currencyOut.currency.symbol} on chain \${destination.id}\`);
`;
