import { type Abi, type Address, encodeFunctionData, getContractAddress, parseUnits, zeroAddress } from "viem";

import {
  type CreatableCode,
  CREATE2_FACTORY,
  type Deployable,
  deploymentAddress,
  deploymentData,
} from "@crosscall/protocol/chains";
import { localAccounts } from "./accounts.ts";
import { type Libraries, readPublished } from "./published.ts";
import type { OwnTransaction } from "./sendAll.ts";

export interface AaveContracts {
  readonly pool: Address;
  /** The reserve's interest-bearing token. */
  readonly aToken: Address;
}

export interface AavePlan {
  readonly contracts: AaveContracts;
  /** Transactions to send in order from the deployer, which becomes the admin. */
  readonly transactions: readonly OwnTransaction[];
}

const CONTRACTS = "@aave/core-v3/artifacts/contracts";
const DEPLOY_GAS = 8_000_000n;
const CALL_GAS = 3_000_000n;

/** One dollar in the oracle's units. */
const DOLLAR = parseUnits("1", 8);

/** Rates have 27 decimals. */
const ray = (share: string): bigint => parseUnits(share, 27);

const RATES = [
  ray("0.8"), // optimal usage
  ray("0"), // variable rate at zero usage
  ray("0.04"), // variable slope below the optimal usage
  ray("0.6"), // and above
  ray("0.005"), // stable slope below the optimal usage
  ray("0.6"), // and above
  ray("0.01"), // premium of the stable rate
  ray("0.08"), // further premium above the optimal share of stable debt
  ray("0.2"), // optimal share of stable debt
];

/** Plans the deployment of Aave. Computes the addresses before any transaction is sent. */
export function planAave(dollar: Address): AavePlan {
  const admin = localAccounts.deployer.address;
  const transactions: OwnTransaction[] = [];
  const read = (path: string, libraries?: Libraries): CreatableCode =>
    readPublished(`${CONTRACTS}/${path}.sol/${path.slice(path.lastIndexOf("/") + 1)}.json`, libraries);
  const deploy = (deployable: Deployable): Address => {
    transactions.push({ to: CREATE2_FACTORY, data: deploymentData(deployable), gas: DEPLOY_GAS });
    return deploymentAddress(deployable);
  };
  const call = (
    to: Address,
    { abi }: { readonly abi: Abi },
    functionName: string,
    ...args: readonly unknown[]
  ): void => {
    transactions.push({ to, data: encodeFunctionData({ abi, functionName, args }), gas: CALL_GAS });
  };

  const providerCode = read("protocol/configuration/PoolAddressesProvider");
  const provider = deploy({ artifact: providerCode, args: ["Local market", admin] });
  const callContract = (name: string, value: Address): void => call(provider, providerCode, name, value);
  callContract("setACLAdmin", admin);
  const aclCode = read("protocol/configuration/ACLManager");
  const acl = deploy({ artifact: aclCode, args: [provider] });
  callContract("setACLManager", acl);
  call(acl, aclCode, "addPoolAdmin", admin);

  const library = (name: string, libraries: Libraries = {}): Address =>
    deploy({ artifact: read(`protocol/libraries/logic/${name}`, libraries) });
  const poolLibraries: Record<string, Address> = {};
  for (const name of ["SupplyLogic", "BorrowLogic", "LiquidationLogic", "EModeLogic", "BridgeLogic", "PoolLogic"]) {
    poolLibraries[name] = library(name);
  }
  poolLibraries.FlashLoanLogic = library("FlashLoanLogic", poolLibraries);
  callContract("setPoolImpl", deploy({ artifact: read("protocol/pool/Pool", poolLibraries), args: [provider] }));
  const configuratorCode = read("protocol/pool/PoolConfigurator", { ConfiguratorLogic: library("ConfiguratorLogic") });
  callContract("setPoolConfiguratorImpl", deploy({ artifact: configuratorCode }));
  // The provider creates these two proxies in this order. The configurator creates the proxies of a reserve's tokens.
  const pool = getContractAddress({ from: provider, nonce: 1n });
  const configurator = getContractAddress({ from: provider, nonce: 2n });
  const aToken = getContractAddress({ from: configurator, nonce: 1n });

  const oracleCode = read("misc/AaveOracle");
  const oracle = deploy({ artifact: oracleCode, args: [provider, [], [], zeroAddress, zeroAddress, DOLLAR] });
  callContract("setPriceOracle", oracle);
  const price = deploy({ artifact: read("mocks/oracle/CLAggregators/MockAggregator"), args: [DOLLAR] });
  call(oracle, oracleCode, "setAssetSources", [dollar], [price]);

  const token = (name: string): Address => deploy({ artifact: read(`protocol/tokenization/${name}`), args: [pool] });
  const reserve = {
    aTokenImpl: token("AToken"),
    stableDebtTokenImpl: token("StableDebtToken"),
    variableDebtTokenImpl: token("VariableDebtToken"),
    interestRateStrategyAddress: deploy({
      artifact: read("protocol/pool/DefaultReserveInterestRateStrategy"),
      args: [provider, ...RATES],
    }),
    treasury: admin,
    underlyingAsset: dollar,
    underlyingAssetDecimals: 6,
    incentivesController: zeroAddress,
    aTokenName: "Aave USDC",
    aTokenSymbol: "aUSDC",
    stableDebtTokenName: "Aave stable debt USDC",
    stableDebtTokenSymbol: "stableDebtUSDC",
    variableDebtTokenName: "Aave variable debt USDC",
    variableDebtTokenSymbol: "variableDebtUSDC",
    params: "0x",
  };
  call(configurator, configuratorCode, "initReserves", [reserve]);
  // Loan to value 80%, liquidation at 85% with a bonus of 5%.
  call(configurator, configuratorCode, "configureReserveAsCollateral", dollar, 8_000n, 8_500n, 10_500n);
  call(configurator, configuratorCode, "setReserveBorrowing", dollar, true);
  return { contracts: { pool, aToken }, transactions };
}
