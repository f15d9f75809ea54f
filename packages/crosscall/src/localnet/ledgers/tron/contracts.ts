import {
  type Abi,
  type Address,
  decodeFunctionData,
  type DecodeFunctionDataReturnType,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  parseAbi,
  zeroAddress,
} from "viem";

import { depositoryAbi } from "@crosscall/protocol/abi";
import type { ContractCall } from "./transaction.ts";

/** A token of the ledger, or its native currency. */
export interface LedgerToken {
  readonly address: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
}

export interface EventLog {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** A deposit to the depository for an order. */
export interface Deposit {
  readonly orderId: Hex;
  readonly depositor: Address;
  readonly currency: Address;
  readonly amount: bigint;
}

export interface Outcome {
  readonly output: Hex;
  readonly logs: readonly EventLog[];
  readonly deposit?: Deposit;
}

/** Thrown if a call reverts. The state is unchanged. */
export class Revert extends Error {}

/** ABI of the tokens. Contracts use Ethereum's ABI encoding. */
const TOKEN_ABI = erc20Abi;
const DEPOSIT_EVENTS = parseAbi([
  "event RelayNativeDeposit(address from, uint256 amount, bytes32 id)",
  "event RelayErc20Deposit(address from, address token, uint256 amount, bytes32 id)",
]);

/** Length of the call data of `transfer(address,uint256)` as hex with 0x. */
const TRANSFER_LENGTH = 2 + 2 * (4 + 64);

/** Balances, and the token and depository contracts that change them. Native currency is a token without a contract. */
export class Accounts {
  readonly #native: Address;
  readonly #depository: Address;
  readonly #tokens: ReadonlyMap<Address, LedgerToken>;
  readonly #balances = new Map<string, bigint>();
  readonly #allowances = new Map<string, bigint>();

  constructor({
    native,
    depository,
    tokens,
  }: {
    readonly native: Address;
    readonly depository: Address;
    readonly tokens: readonly LedgerToken[];
  }) {
    this.#native = native;
    this.#depository = depository;
    this.#tokens = new Map(tokens.map((token) => [token.address, token]));
  }

  isContract(address: Address): boolean {
    return address === this.#depository || this.#tokens.has(address);
  }

  balanceOf(account: Address, currency: Address = this.#native): bigint {
    return this.#balances.get(`${currency} ${account}`) ?? 0n;
  }

  allowanceOf(owner: Address, spender: Address, token: Address): bigint {
    return this.#allowances.get(`${token} ${owner} ${spender}`) ?? 0n;
  }

  mint(account: Address, currency: Address, amount: bigint): void {
    this.#balances.set(`${currency} ${account}`, this.balanceOf(account, currency) + amount);
  }

  /** @throws {@link Revert} if the balance is too low */
  move(from: Address, to: Address, amount: bigint, currency: Address = this.#native): void {
    const left = this.balanceOf(from, currency) - amount;
    if (left < 0n) throw new Revert("transfer amount exceeds balance");
    this.#balances.set(`${currency} ${from}`, left);
    this.mint(to, currency, amount);
  }

  /**
   * Calls a view function of a token.
   *
   * @throws {@link Revert} if the call reverts
   */
  view({ contract, data }: Pick<ContractCall, "contract" | "data">): Hex {
    const token = this.#tokens.get(contract);
    if (token === undefined) throw new Revert("Smart contract is not exist.");
    return this.#read(token, data);
  }

  /** @throws {@link Revert} if the call reverts */
  call(call: ContractCall): Outcome {
    const { owner, contract, callValue } = call;
    if (BigInt(callValue) > this.balanceOf(owner)) throw new Revert("balance is not sufficient");
    const token = this.#tokens.get(contract);
    if (token !== undefined && callValue > 0) throw new Revert("the function is not payable");
    if (token !== undefined) return this.#callToken(token, call);
    if (contract === this.#depository) return this.#callDepository(call);
    throw new Revert("the contract does not exist");
  }

  #callToken(token: LedgerToken, { owner, data }: ContractCall): Outcome {
    const { address } = token;
    const { functionName, args } = decode(TOKEN_ABI, data);
    const transferred = (from: Address, to: Address, amount: bigint): EventLog => ({
      address,
      topics: topicsOf(encodeEventTopics({ abi: TOKEN_ABI, eventName: "Transfer", args: { from, to } })),
      data: uint256(amount),
    });
    switch (functionName) {
      case "transfer": {
        const [to, amount] = [lower(args[0]), args[1]];
        this.move(owner, to, amount, address);
        const logs = [transferred(owner, to, amount)];
        // A transfer to the depository with a 32-byte id after its arguments is a deposit.
        const orderId: Hex = `0x${data.slice(TRANSFER_LENGTH)}`;
        if (to !== this.#depository || orderId.length !== 66) return { output: uint256(1n), logs };
        return { output: uint256(1n), logs, deposit: { orderId, depositor: owner, currency: address, amount } };
      }
      case "transferFrom": {
        const [from, to, amount] = [lower(args[0]), lower(args[1]), args[2]];
        this.#pull(token, { from, to, amount, spender: owner });
        return { output: uint256(1n), logs: [transferred(from, to, amount)] };
      }
      case "approve": {
        const [spender, amount] = [lower(args[0]), args[1]];
        this.#allowances.set(`${address} ${owner} ${spender}`, amount);
        const topics = encodeEventTopics({ abi: TOKEN_ABI, eventName: "Approval", args: { owner, spender } });
        return { output: uint256(1n), logs: [{ address, topics: topicsOf(topics), data: uint256(amount) }] };
      }
      default:
        return { output: this.#read(token, data), logs: [] };
    }
  }

  #read(token: LedgerToken, data: Hex): Hex {
    const { functionName, args } = decode(TOKEN_ABI, data);
    const { address } = token;
    switch (functionName) {
      case "balanceOf":
        return uint256(this.balanceOf(lower(args[0]), address));
      case "allowance":
        return uint256(this.allowanceOf(lower(args[0]), lower(args[1]), address));
      case "decimals":
        return uint256(BigInt(token.decimals));
      case "totalSupply": {
        const held = [...this.#balances].filter(([key]) => key.startsWith(`${address} `));
        return uint256(held.reduce((sum, [, amount]) => sum + amount, 0n));
      }
      case "name":
      case "symbol":
        return encodeFunctionResult({ abi: TOKEN_ABI, functionName, result: token[functionName] });
      default:
        throw new Revert("the function is not a view function");
    }
  }

  #callDepository({ owner, callValue, data }: ContractCall): Outcome {
    const { functionName, args } = decode(depositoryAbi, data);
    if (functionName === "depositNative") {
      const [depositor, orderId] = args;
      const amount = BigInt(callValue);
      this.move(owner, this.#depository, amount);
      const deposit = { orderId, depositor: orCaller(depositor, owner), currency: this.#native, amount };
      return { output: "0x", logs: [this.#depositLog(deposit)], deposit };
    }
    if (callValue > 0) throw new Revert("the function is not payable");
    if (functionName !== "depositErc20") throw new Revert("the function is not simulated");
    const currency = lower(args[1]);
    const spender = this.#depository;
    const [amount, orderId] =
      args.length === 4 ? [args[2], args[3]] : [this.allowanceOf(owner, spender, currency), args[2]];
    const token = this.#tokens.get(currency);
    if (token === undefined) throw new Revert("the token does not exist");
    this.#pull(token, { from: owner, to: spender, amount, spender });
    const deposit = { orderId, depositor: orCaller(args[0], owner), currency, amount };
    const topics = encodeEventTopics({ abi: TOKEN_ABI, eventName: "Transfer", args: { from: owner, to: spender } });
    const transferred = { address: currency, topics: topicsOf(topics), data: uint256(amount) };
    return { output: "0x", logs: [transferred, this.#depositLog(deposit)], deposit };
  }

  #pull(
    { address }: LedgerToken,
    { from, to, amount, spender }: { from: Address; to: Address; amount: bigint; spender: Address },
  ): void {
    const left = this.allowanceOf(from, spender, address) - amount;
    if (left < 0n) throw new Revert("transfer amount exceeds allowance");
    this.move(from, to, amount, address);
    this.#allowances.set(`${address} ${from} ${spender}`, left);
  }

  #depositLog({ currency, depositor, amount, orderId }: Deposit): EventLog {
    const isNative = currency === this.#native;
    const eventName = isNative ? "RelayNativeDeposit" : "RelayErc20Deposit";
    const words = [
      { type: "address", value: depositor },
      ...(isNative ? [] : [{ type: "address", value: currency }]),
      { type: "uint256", value: amount },
      { type: "bytes32", value: orderId },
    ];
    return {
      address: this.#depository,
      topics: topicsOf(encodeEventTopics({ abi: DEPOSIT_EVENTS, eventName })),
      data: encodeAbiParameters(
        words,
        words.map(({ value }) => value),
      ),
    };
  }
}

/** @throws {@link Revert} if the contract has no such function, or the arguments are malformed */
function decode<const ContractAbi extends Abi>(abi: ContractAbi, data: Hex): DecodeFunctionDataReturnType<ContractAbi> {
  try {
    return decodeFunctionData({ abi, data });
  } catch {
    throw new Revert("the contract has no such function");
  }
}

function orCaller(depositor: Address, caller: Address): Address {
  return depositor === zeroAddress ? caller : lower(depositor);
}

function lower(address: Address): Address {
  return `0x${address.slice(2).toLowerCase()}`;
}

function uint256(value: bigint): Hex {
  return encodeAbiParameters([{ type: "uint256" }], [value]);
}

/** Returns the topics of an event with all its indexed arguments. */
function topicsOf(topics: readonly (Hex | Hex[] | null)[]): Hex[] {
  return topics.filter((topic) => typeof topic === "string");
}
