import { type Account, type Address, encodeFunctionData, erc20Abi, maxUint256, parseAbi, parseEther } from "viem";
import { readContract } from "viem/actions";

import { isEvmNative, isSameAddress, PERMIT2_ADDRESS } from "@crosscall/protocol/chains";
import { createDeal } from "../../replay/deal.ts";
import { localAccounts, relayerAccount } from "./accounts.ts";
import type { ChainClient } from "./chainClient.ts";
import type { ChainContracts } from "./contracts.ts";
import { localNodeRequest, setNativeBalance } from "./node.ts";
import { type OwnTransaction, sendAll } from "./sendAll.ts";
import type { ChainToken } from "./chainToken.ts";
import { findToken } from "./tokens.ts";

const WRAPPED_ABI = parseAbi(["function deposit() payable"]);
const WRAP_GAS = 100_000n;

const SOLVER_NATIVE = parseEther("1000000");

const RELAYER_NATIVE = parseEther("1000");

/**
 * Whole units of each token that the solver holds. The balance is topped up when it falls below half of this number.
 */
const SOLVER_UNITS = 1_000_000_000n;
const SOLVER_WRAPPED_UNITS = 100_000n;

/**
 * Funds the solver and the account that pays the gas of raw calls. The solver fills from dollar and native currency,
 * and refunds deposits in any token.
 *
 * @param isNew a new chain has no tokens yet
 */
export async function fundSolver(
  client: ChainClient<Account>,
  { contracts, tokens, give }: ChainSupply,
  isNew: boolean,
): Promise<OwnTransaction[]> {
  const solver = localAccounts.solver.address;
  for (const [address, amount] of [
    [solver, SOLVER_NATIVE],
    [relayerAccount.address, RELAYER_NATIVE],
  ] as const) {
    if ((await client.getBalance({ address })) < amount / 2n) await setNativeBalance(client, address, amount);
  }
  const work: OwnTransaction[] = [];
  for (const { address, decimals } of tokens.filter((token) => !isEvmNative(token.address))) {
    const isWrapped = isSameAddress(address, contracts.wrappedNative);
    const amount = (isWrapped ? SOLVER_WRAPPED_UNITS : SOLVER_UNITS) * 10n ** BigInt(decimals);
    const contract = { address, abi: erc20Abi, functionName: "balanceOf", args: [solver] } as const;
    const balance = isNew ? 0n : await readContract(client, contract);
    if (balance >= amount / 2n) continue;
    const missing = amount - balance;
    work.push(...(isWrapped ? giveWrapped(contracts, solver, missing) : await give(address, solver, missing)));
  }
  return work;
}

const APPROVE_GAS = 100_000n;

/** Lets the solver pay with Permit2 if the dollar does not support EIP-3009. */
export async function allowPermit2(
  client: ChainClient<Account>,
  { contracts: { dollar }, tokens }: Pick<ChainSupply, "contracts" | "tokens">,
): Promise<void> {
  if (findToken(tokens, dollar)?.permit?.kind === "eip3009") return;
  const { solver } = localAccounts;
  const contract = { address: dollar, abi: erc20Abi } as const;
  const args = [solver.address, PERMIT2_ADDRESS] as const;
  const allowance = await readContract(client, { ...contract, functionName: "allowance", args });
  if (allowance > maxUint256 / 2n) return;
  const approval = { ...contract, functionName: "approve", args: [PERMIT2_ADDRESS, maxUint256] } as const;
  await sendAll({ ...client, account: solver }, [{ to: dollar, data: encodeFunctionData(approval), gas: APPROVE_GAS }]);
}

/** Adds to the balance of an account, either with the returned transactions or immediately. */
export type Give = (token: Address, to: Address, amount: bigint) => Promise<OwnTransaction[]>;

/** Contracts and tokens of the network on a chain, and a function that adds to balances. */
export interface ChainSupply {
  readonly contracts: ChainContracts;
  readonly tokens: readonly ChainToken[];
  readonly give: Give;
}

/**
 * Creates a function that mints tokens of the network. On a fork, it writes the balances of the fork's own tokens to
 * their storage.
 */
export function createGive(client: ChainClient<Account>): Give {
  const deal = createDeal({ request: (method, params = []) => localNodeRequest(client, method, params) });
  return async (token, to, amount) => {
    const mint = mintTransaction(token, to, amount);
    const isMinted = await client.call(mint).then(
      () => true,
      () => false,
    );
    if (isMinted) return [mint];
    const contract = { address: token, abi: erc20Abi, functionName: "balanceOf", args: [to] } as const;
    const balance = await readContract(client, contract);
    await deal({ account: to, currency: token, amount: balance + amount });
    return [];
  };
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

/** Returns a transaction that mints a token. Anyone can mint local tokens, except wrapped native currency. */
function mintTransaction(token: Address, to: Address, amount: bigint): OwnTransaction {
  return {
    to: token,
    data: encodeFunctionData({ abi: MINT_ABI, functionName: "mint", args: [to, amount] }),
    gas: MINT_GAS,
  };
}
