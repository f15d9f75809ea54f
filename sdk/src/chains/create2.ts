import { type Abi, type Address, concat, encodeDeployData, getContractAddress, type Hex } from "viem";

/** The factory that every chain has at this address: deployments through it get the same address everywhere. */
export const CREATE2_FACTORY: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

/** The factory's runtime code, the same on every chain that has it. */
export const CREATE2_FACTORY_CODE: Hex =
  "0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

/** All zeros: the kit deploys each contract once for each set of constructor arguments. */
export const CREATE2_SALT: Hex = "0x0000000000000000000000000000000000000000000000000000000000000000";

/** ABI and creation code of a compiled contract. */
export interface CreatableCode {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A contract to deploy. */
export interface Deployable {
  readonly artifact: CreatableCode;
  readonly args?: readonly unknown[];
}

/** Where the factory puts a contract: the same address on every chain. */
export function deploymentAddress(deployable: Deployable): Address {
  return getContractAddress({
    opcode: "CREATE2",
    from: CREATE2_FACTORY,
    salt: CREATE2_SALT,
    bytecode: creationCode(deployable),
  });
}

/** The call data that makes the factory deploy a contract. */
export function deploymentData(deployable: Deployable): Hex {
  return concat([CREATE2_SALT, creationCode(deployable)]);
}

/** Creation code with the constructor's arguments. */
export function creationCode({ artifact, args }: Deployable): Hex {
  return encodeDeployData({ abi: artifact.abi, bytecode: artifact.bytecode, args: args ?? [] });
}
