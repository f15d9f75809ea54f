import { type Account, type Address, encodeFunctionData, erc20Abi, parseAbi, parseEther, parseUnits } from "viem";
import { readContract } from "viem/actions";

import { localAccounts, relayerAccount } from "./accounts.ts";
import type { ChainClient } from "./chainClient.ts";
import type { ChainContracts } from "./contracts.ts";
import { setNativeBalance } from "./node.ts";
import type { OwnTransaction } from "./sendAll.ts";

const WRAPPED_ABI = parseAbi(["function deposit() payable"]);
const WRAP_GAS = 100_000n;

const SOLVER_NATIVE = parseEther("1000000");

const RELAYER_NATIVE = parseEther("1000");

/** A holding in the smallest unit, topped up when it falls below half. */
interface Holding {
  readonly token: Address;
  readonly amount: bigint;
}

function solverHoldings({ dollar, tether, token, feeToken, wrappedNative }: ChainContracts): readonly Holding[] {
  return [
    { token: dollar, amount: parseUnits("1000000000", 6) },
    { token: tether, amount: parseUnits("1000000000", 6) },
    { token, amount: parseEther("1000000000") },
    { token: feeToken, amount: parseEther("1000000000") },
    { token: wrappedNative, amount: parseEther("100000") },
  ];
}

/**
 * Funds the solver and the account that pays the gas of raw calls. The solver fills from dollar and native currency,
 * and refunds deposits in any token.
 *
 * @param isNew a new chain has no tokens yet
 */
export async function fundSolver(
  client: ChainClient<Account>,
  contracts: ChainContracts,
  isNew: boolean,
): Promise<OwnTransaction[]> {
  const solver = localAccounts.solver.address;
  for (const [address, amount] of [
    [solver, SOLVER_NATIVE],
    [relayerAccount.address, RELAYER_NATIVE],
  ] as const) {
    if ((await client.getBalance({ address })) < amount / 2n) await setNativeBalance(client, address, amount);
  }
  const holdings = solverHoldings(contracts);
  const balanceOf = async (token: Address): Promise<bigint> =>
    isNew ? 0n : readContract(client, { address: token, abi: erc20Abi, functionName: "balanceOf", args: [solver] });
  const balances = await Promise.all(holdings.map(({ token }) => balanceOf(token)));
  return holdings.flatMap(({ token, amount }, index) => {
    const balance = balances[index] ?? 0n;
    if (balance >= amount / 2n) return [];
    return token === contracts.wrappedNative
      ? giveWrapped(contracts, solver, amount - balance)
      : [mintTransaction(token, solver, amount - balance)];
  });
}

export function giveWrapped({ wrappedNative }: ChainContracts, to: Address, amount: bigint): OwnTransaction[] {
  return [
    {
      to: wrappedNative,
      data: encodeFunctionData({ abi: WRAPPED_ABI, functionName: "deposit" }),
      value: amount,
      gas: WRAP_GAS,
    },
    {
      to: wrappedNative,
      data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] }),
      gas: WRAP_GAS,
    },
  ];
}

const MINT_ABI = parseAbi(["function mint(address to, uint256 amount)"]);
const MINT_GAS = 150_000n;

/** Anyone may mint the local tokens, except wrapped native currency. */
export function mintTransaction(token: Address, to: Address, amount: bigint): OwnTransaction {
  return {
    to: token,
    data: encodeFunctionData({ abi: MINT_ABI, functionName: "mint", args: [to, amount] }),
    gas: MINT_GAS,
  };
}
