import { expect } from "chai";
import { network } from "hardhat";

import { CREATE2_FACTORY, CREATE2_FACTORY_CODE } from "../../../packages/protocol/src/chains/create2.ts";
import { DEPOSITORY_ADDRESS, PERMIT2_ADDRESS } from "../../../packages/protocol/src/chains/serviceAddresses.ts";
import { ROUTER_ADDRESS } from "../../../packages/protocol/src/generations/routers.ts";
import { startEdrChain } from "../../../packages/crosscall/src/localnet/devchain/edr.ts";
import { localAccounts } from "../../../packages/crosscall/src/localnet/index.ts";
import { placeContracts } from "../../../packages/crosscall/src/testing/placeContracts.ts";
import { LocalDepository__factory } from "../../../typechain-types/index.js";

const PLACED = {
  router: ROUTER_ADDRESS,
  depository: DEPOSITORY_ADDRESS,
  permit2: PERMIT2_ADDRESS,
  create2Factory: CREATE2_FACTORY,
};

type Connection = Awaited<ReturnType<typeof network.create>>;

const codesOf = ({ ethers }: Connection): Promise<readonly string[]> =>
  Promise.all(Object.values(PLACED).map((address) => ethers.provider.getCode(address)));

describe("placeContracts", () => {
  it("places working contracts on a new local chain, and keeps existing code", async () => {
    const connection = await network.create();
    const { ethers, provider } = connection;
    await provider.request({ method: "hardhat_setCode", params: [ROUTER_ADDRESS, "0x00"] });
    expect(await placeContracts(connection)).to.deep.equal(PLACED);
    const codes = await codesOf(connection);
    expect([codes[0], codes[3]]).to.deep.equal(["0x00", CREATE2_FACTORY_CODE]);
    const depository = LocalDepository__factory.connect(DEPOSITORY_ADDRESS, ethers.provider);
    expect(await depository.owner()).to.equal(localAccounts.deployer.address);
    const permit2 = await ethers.getContractAt(["function DOMAIN_SEPARATOR() view returns (bytes32)"], PERMIT2_ADDRESS);
    const domain = { name: "Permit2", chainId: 31_337, verifyingContract: PERMIT2_ADDRESS };
    expect(await permit2.getFunction("DOMAIN_SEPARATOR").staticCall()).to.equal(
      ethers.TypedDataEncoder.hashDomain(domain),
    );
    await placeContracts(connection);
    expect(await codesOf(connection)).to.deep.equal(codes);
  });

  it("changes nothing on a fork", async () => {
    const chain = await startEdrChain(31_532);
    try {
      const connection = await network.create({
        network: "hardhat",
        override: { chainId: 31_532, forking: { url: chain.rpcUrl } },
      });
      expect(await placeContracts(connection)).to.deep.equal(PLACED);
      expect(new Set(await codesOf(connection))).to.deep.equal(new Set(["0x"]));
      await connection.close();
    } finally {
      await chain.close();
    }
  });
});
