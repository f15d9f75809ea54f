import { type Address, size } from "viem";

import { CREATE2_FACTORY, creationCode, deploymentData } from "@crosscall/sdk/internal/chains/create2";
import { InsufficientFundsError } from "@crosscall/sdk/internal/chains/deploymentErrors";
import type { PlannedContract } from "./plan.ts";
import type { Target } from "../options/target.ts";

const ONE_GWEI = 1_000_000_000n;

// EVM costs, for constructors that need a contract that is not deployed yet, which a node cannot estimate.
const BASE_GAS = 21_000n + 32_000n;
const GAS_PER_CALL_DATA_BYTE = 16n;
const GAS_PER_CODE_BYTE = 200n;
const CONSTRUCTOR_GAS = 300_000n;

/**
 * @returns what the deployments may cost, in wei
 * @throws {@link InsufficientFundsError}
 */
export async function requireFunds(
  target: Target,
  account: Address,
  contracts: readonly PlannedContract[],
): Promise<bigint> {
  const [balance, feePerGas, ...gas] = await Promise.all([
    target.client.getBalance({ address: account }),
    readFeePerGas(target),
    ...contracts.map((contract) => estimateGas(target, account, contract)),
  ]);
  const needed = gas.reduce((sum, amount) => sum + amount, 0n) * feePerGas;
  if (balance < needed) throw new InsufficientFundsError({ chainId: target.chainId, account, balance, needed });
  return needed;
}

async function estimateGas({ client }: Target, account: Address, contract: PlannedContract): Promise<bigint> {
  const deployable = { artifact: contract.artifact, args: contract.args };
  try {
    return await client.estimateGas({ account, to: CREATE2_FACTORY, data: deploymentData(deployable) });
  } catch {
    return (
      BASE_GAS +
      CONSTRUCTOR_GAS +
      BigInt(size(creationCode(deployable))) * GAS_PER_CALL_DATA_BYTE +
      BigInt(size(contract.artifact.deployedBytecode)) * GAS_PER_CODE_BYTE
    );
  }
}

/** Ignition's fee: twice the base fee plus the tip, or the gas price of older chains. */
async function readFeePerGas({ client }: Target): Promise<bigint> {
  const { baseFeePerGas } = await client.getBlock();
  if (baseFeePerGas === null) return client.getGasPrice();
  const tip = await client.estimateMaxPriorityFeePerGas().catch(() => ONE_GWEI);
  return baseFeePerGas * 2n + tip;
}
