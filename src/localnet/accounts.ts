import type { LocalAccount } from "viem";
import { mnemonicToAccount } from "viem/accounts";

// The phrase that every local EVM node prefunds. Its keys are public: never send anything of value to them.
const MNEMONIC = "test test test test test test test test test test test junk";

const account = (addressIndex: number): LocalAccount => mnemonicToAccount(MNEMONIC, { addressIndex });

/** The local network's accounts, all prefunded, all with public keys. */
export interface LocalAccounts {
  /** An integrator's user. */
  readonly user: LocalAccount;
  /** Another user, who owns the payments of a second test party. */
  readonly stranger: LocalAccount;
  /** Signs withdrawals from the depository. */
  readonly allocator: LocalAccount;
  /** Deploys the contracts. */
  readonly deployer: LocalAccount;
  /** The service's wallet on every chain: fills, refunds, and signs requests. */
  readonly solver: LocalAccount;
}

/** The accounts of the local network. */
export const localAccounts: LocalAccounts = {
  user: account(0),
  stranger: account(1),
  allocator: account(7),
  deployer: account(8),
  solver: account(9),
};
