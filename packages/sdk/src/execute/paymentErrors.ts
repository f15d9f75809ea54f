import { CrosscallError } from "@crosscall/protocol/core";
import { type Currency, formatCurrencyAmount } from "@crosscall/protocol/common";

/** The node asks for more gas, or a higher price of it, than the payment justifies. Nothing was signed. */
export class GasCostError extends CrosscallError {
  readonly code = "GAS_COST_TOO_HIGH";
  /** The chain of the transactions. */
  declare readonly chainId: number;
  /** Decimal, in wei for each unit of gas. Set if the price is too high. */
  declare readonly gasPrice?: string;
  /** The limit of `gasPrice`. Decimal, in wei. */
  declare readonly maximumGasPrice?: string;
  /** Of all steps on the chain. Decimal, in wei. Set if the cost is too high. */
  declare readonly gasCost?: string;
  /** The limit of `gasCost`. Decimal, in wei. */
  declare readonly maximumGasCost?: string;

  constructor(parameters: { chainId: number; limit: "gasPrice" | "gasCost"; found: bigint; maximum: bigint }) {
    const { chainId, limit, found, maximum } = parameters;
    const [what, name] =
      limit === "gasPrice" ? ["the gas price", "maximumGasPrice"] : ["the gas of the steps", "maximumGasCost"];
    super(
      {
        message: `${what} on chain ${chainId} is ${found} wei, but at most ${maximum} wei is allowed`,
        hint: `Check the wallet's node against another one. If the price is right, wait, or raise limits.${name}.`,
      },
      { chainId, [limit]: String(found), [name]: String(maximum) },
    );
  }
}

/** The token allows no change of an allowance that is not zero, such as USDT on Ethereum. Nothing was sent. */
export class AllowanceResetError extends CrosscallError {
  readonly code = "ALLOWANCE_RESET_NEEDED";
  /** The chain of the account. */
  declare readonly chainId: number;
  /** The account that pays. */
  declare readonly account: string;
  /** The token. */
  declare readonly currency: string;
  /** The contract that the approval is for. */
  declare readonly spender: string;
  /** The allowance that the step approves. Decimal, in the smallest unit. */
  declare readonly needed: string;
  /** The allowance of now. Decimal, in the smallest unit. */
  declare readonly found: string;

  constructor(parameters: {
    chainId: number;
    account: string;
    currency: Currency & { address: string };
    spender: string;
    needed: bigint;
    found: bigint;
  }) {
    const { chainId, account, currency, spender, needed, found } = parameters;
    const shown = (amount: bigint): string => formatCurrencyAmount(amount, currency);
    super(
      {
        message: `${currency.address} on chain ${chainId} does not let ${account} change the allowance of ${spender} from ${shown(found)} to ${shown(needed)}`,
        hint: `Approve 0 for ${spender} first, then execute the same quote again.`,
      },
      { chainId, account, currency: currency.address, spender, needed: String(needed), found: String(found) },
    );
  }
}
