// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Deploys a contract through the CREATE2 factory, unless the contract is already deployed
/// @notice For deployment tools that send every transaction of their plan: Ignition cannot skip a contract that someone
/// else has deployed at the same address.
/// @dev All work is in the constructor. No code is left at this contract's own address.
contract DeployOnce {
    /// @dev Address of the CREATE2 factory, the same on every chain.
    address private constant _FACTORY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;

    /// @notice The chain has no CREATE2 factory.
    /// @param factory address of the factory on every chain
    error FactoryMissing(address factory);

    /// @notice The creation code results in another address, where someone else's code could be.
    /// @param contractAddress given address
    /// @param derived address of the creation code
    error WrongAddress(address contractAddress, address derived);

    /// @notice The constructor of the contract reverted.
    /// @param contractAddress address without code
    error NotDeployed(address contractAddress);

    /// @dev The address commits to the creation code, so code at the address is that of the contract.
    /// @param creationCode creation code with arguments; the salt is zero
    /// @param contractAddress address that results from this code
    constructor(bytes memory creationCode, address contractAddress) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), _FACTORY, bytes32(0), keccak256(creationCode)));
        address derived = address(uint160(uint256(hash)));
        if (contractAddress != derived) revert WrongAddress(contractAddress, derived);
        if (contractAddress.code.length == 0) {
            if (_FACTORY.code.length == 0) revert FactoryMissing(_FACTORY);
            // solhint-disable-next-line avoid-low-level-calls
            (bool isDeployed,) = _FACTORY.call(bytes.concat(bytes32(0), creationCode));
            if (!isDeployed || contractAddress.code.length == 0) revert NotDeployed(contractAddress);
        }
        // Returns no runtime code, because storing it would only cost gas.
        assembly ("memory-safe") {
            return(0, 0)
        }
    }
}
