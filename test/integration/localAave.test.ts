import { expect } from "chai";
import { encodeFunctionData, erc20Abi, parseAbi, zeroAddress } from "viem";
import { readContract } from "viem/actions";

import { createServiceClient, executeSteps, getQuote } from "../../packages/sdk/src/index.ts";
import { prepareChain } from "../../packages/crosscall/src/localnet/devchain/prepareChain.ts";
import { localnet } from "../../packages/crosscall/src/localnet/index.ts";
import { reader, userWallet } from "./support/parties.ts";

const AMOUNT = 1_000_000_000n;

describe("a network with Aave", () => {
  it("supplies the delivered amount, and creates the market only once", async () => {
    await using network = await localnet({ keepsRetired: true, protocols: ["aave"] });
    const [origin, destination] = network.chains;
    const { dollar, aavePool = zeroAddress, aaveToken = zeroAddress } = destination.contracts;
    const { user } = network.accounts;
    const supply = encodeFunctionData({
      abi: parseAbi(["function supply(address asset, uint256 amount, address onBehalfOf, uint16 referralCode)"]),
      args: [dollar, AMOUNT, user.address, 0],
    });
    const approve = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [aavePool, AMOUNT] });
    const client = createServiceClient({ baseUrl: network.url });
    const quote = await getQuote(client, {
      user: user.address,
      originChainId: origin.id,
      destinationChainId: destination.id,
      originCurrency: zeroAddress,
      destinationCurrency: dollar,
      tradeType: "EXACT_OUTPUT",
      amount: AMOUNT.toString(),
      txs: [
        { to: dollar, data: approve, value: "0" },
        { to: aavePool, data: supply, value: "0" },
      ],
    });
    const { status } = await executeSteps(client, { quote, wallet: userWallet(network, origin), pollIntervalMs: 25 });
    expect(status.status).to.equal("success");
    const supplied = { address: aaveToken, abi: erc20Abi, functionName: "balanceOf", args: [user.address] } as const;
    expect(await readContract(reader(destination), supplied)).to.equal(AMOUNT);

    const { blockNumber } = await destination.state();
    expect(await prepareChain(destination.id, destination.rpcUrl, { protocols: ["aave"] })).to.deep.equal(
      destination.contracts,
    );
    expect(await destination.state()).to.include({ blockNumber });
  });
});
