import { type BaseContract, type Signer, ZeroAddress, parseUnits } from "ethers";

import { type Libraries, attachPublished, deployPublished, readAddress, send } from "./published.ts";

/** Aave v3 market without reserves. */
export interface AaveV3 {
  readonly pool: BaseContract;
  readonly configurator: BaseContract;
  readonly oracle: BaseContract;
  readonly dataProvider: BaseContract;
  /** Contracts for each new reserve. */
  readonly parts: {
    readonly aTokenImpl: string;
    readonly stableDebtTokenImpl: string;
    readonly variableDebtTokenImpl: string;
    readonly interestRateStrategyAddress: string;
    readonly treasury: string;
  };
}

export interface ReserveOptions {
  readonly asset: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly dollars: number;
}

export interface ReserveTokens {
  readonly aToken: string;
  readonly stableDebtToken: string;
  readonly variableDebtToken: string;
}

const CONTRACTS = "@aave/core-v3/artifacts/contracts";
const LOGIC = `${CONTRACTS}/protocol/libraries/logic`;
const POOL_LIBRARIES = ["SupplyLogic", "BorrowLogic", "LiquidationLogic", "EModeLogic", "BridgeLogic", "PoolLogic"];

/** One dollar, in the price oracle's unit. */
const DOLLAR = parseUnits("1", 8);

/** Converts a rate to 27 decimals. */
const ray = (share: string): bigint => parseUnits(share, 27);

/** Deploys a market. The deployer becomes the admin of all contracts. */
export async function deployAaveV3(deployer: Signer): Promise<AaveV3> {
  const admin = await deployer.getAddress();
  const provider = await deployPublished(
    deployer,
    `${CONTRACTS}/protocol/configuration/PoolAddressesProvider.sol/PoolAddressesProvider.json`,
    ["Local market", admin],
  );
  await deployAccessControl(deployer, provider, admin);
  const pool = await deployPool(deployer, provider);
  const configurator = await deployConfigurator(deployer, provider);
  const oracle = await deployPublished(deployer, `${CONTRACTS}/misc/AaveOracle.sol/AaveOracle.json`, [
    provider,
    [],
    [],
    ZeroAddress,
    ZeroAddress,
    DOLLAR,
  ]);
  await send(provider, "setPriceOracle", oracle);
  const dataProvider = await deployPublished(
    deployer,
    `${CONTRACTS}/misc/AaveProtocolDataProvider.sol/AaveProtocolDataProvider.json`,
    [provider],
  );
  return { pool, configurator, oracle, dataProvider, parts: await deployParts(deployer, provider, pool, admin) };
}

/** Adds a reserve that can be supplied, borrowed and used as collateral. */
export async function addReserve(
  deployer: Signer,
  { configurator, oracle, dataProvider, parts }: AaveV3,
  { asset, symbol, decimals, dollars }: ReserveOptions,
): Promise<ReserveTokens> {
  const source = await deployPublished(
    deployer,
    `${CONTRACTS}/mocks/oracle/CLAggregators/MockAggregator.sol/MockAggregator.json`,
    [BigInt(dollars) * DOLLAR],
  );
  await send(oracle, "setAssetSources", [asset], [source]);
  const reserve = {
    ...parts,
    underlyingAsset: asset,
    underlyingAssetDecimals: decimals,
    incentivesController: ZeroAddress,
    aTokenName: `Aave ${symbol}`,
    aTokenSymbol: `a${symbol}`,
    stableDebtTokenName: `Aave stable debt ${symbol}`,
    stableDebtTokenSymbol: `stableDebt${symbol}`,
    variableDebtTokenName: `Aave variable debt ${symbol}`,
    variableDebtTokenSymbol: `variableDebt${symbol}`,
    params: "0x",
  };
  await send(configurator, "initReserves", [reserve]);
  // Loan-to-value ratio 80%, liquidation threshold 85%, liquidation bonus 5%.
  await send(configurator, "configureReserveAsCollateral", asset, 8_000, 8_500, 10_500);
  await send(configurator, "setReserveBorrowing", asset, true);
  const [aToken, stableDebtToken, variableDebtToken] = (await dataProvider
    .getFunction("getReserveTokensAddresses")
    .staticCall(asset)) as [string, string, string];
  return { aToken, stableDebtToken, variableDebtToken };
}

async function deployAccessControl(deployer: Signer, provider: BaseContract, admin: string): Promise<void> {
  await send(provider, "setACLAdmin", admin);
  const acl = await deployPublished(deployer, `${CONTRACTS}/protocol/configuration/ACLManager.sol/ACLManager.json`, [
    provider,
  ]);
  await send(provider, "setACLManager", acl);
  await send(acl, "addPoolAdmin", admin);
  await send(acl, "addEmergencyAdmin", admin);
}

async function deployPool(deployer: Signer, provider: BaseContract): Promise<BaseContract> {
  const libraries: Record<string, string> = {};
  for (const name of POOL_LIBRARIES) libraries[name] = await deployLibrary(deployer, name);
  libraries.FlashLoanLogic = await deployLibrary(deployer, "FlashLoanLogic", libraries);
  const artifact = `${CONTRACTS}/protocol/pool/Pool.sol/Pool.json`;
  await send(provider, "setPoolImpl", await deployPublished(deployer, artifact, [provider], libraries));
  return attachPublished(deployer, artifact, await readAddress(provider, "getPool"));
}

async function deployConfigurator(deployer: Signer, provider: BaseContract): Promise<BaseContract> {
  const libraries = { ConfiguratorLogic: await deployLibrary(deployer, "ConfiguratorLogic") };
  const artifact = `${CONTRACTS}/protocol/pool/PoolConfigurator.sol/PoolConfigurator.json`;
  await send(provider, "setPoolConfiguratorImpl", await deployPublished(deployer, artifact, [], libraries));
  return attachPublished(deployer, artifact, await readAddress(provider, "getPoolConfigurator"));
}

async function deployParts(
  deployer: Signer,
  provider: BaseContract,
  pool: BaseContract,
  treasury: string,
): Promise<AaveV3["parts"]> {
  const deployToken = async (name: string): Promise<string> => {
    const artifact = `${CONTRACTS}/protocol/tokenization/${name}.sol/${name}.json`;
    return (await deployPublished(deployer, artifact, [pool])).getAddress();
  };
  const strategy = await deployPublished(
    deployer,
    `${CONTRACTS}/protocol/pool/DefaultReserveInterestRateStrategy.sol/DefaultReserveInterestRateStrategy.json`,
    [
      provider,
      ray("0.8"), // optimal usage
      ray("0"), // variable rate at zero usage
      ray("0.04"), // variable slope below the optimal usage
      ray("0.6"), // and above
      ray("0.005"), // stable slope below the optimal usage
      ray("0.6"), // and above
      ray("0.01"), // stable rate premium
      ray("0.08"), // additional premium above the optimal stable share
      ray("0.2"), // optimal stable share
    ],
  );
  return {
    aTokenImpl: await deployToken("AToken"),
    stableDebtTokenImpl: await deployToken("StableDebtToken"),
    variableDebtTokenImpl: await deployToken("VariableDebtToken"),
    interestRateStrategyAddress: await strategy.getAddress(),
    treasury,
  };
}

async function deployLibrary(deployer: Signer, name: string, libraries: Libraries = {}): Promise<string> {
  const library = await deployPublished(deployer, `${LOGIC}/${name}.sol/${name}.json`, [], libraries);
  return library.getAddress();
}
