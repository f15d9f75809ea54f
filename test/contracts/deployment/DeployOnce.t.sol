// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {DeployOnce} from "../../../contracts/deployment/DeployOnce.sol";
import {Test} from "../support/Test.sol";

contract DeployOnceTest is Test {
    address private constant FACTORY = 0x4e59b44847b379578588920cA78FbF26c0B4956C;
    bytes private constant FACTORY_CODE =
        hex"7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3";

    bytes private creationCode;
    address private target;

    function setUp() public {
        vm.etch(FACTORY, FACTORY_CODE);
        creationCode = vm.getCode("LocalDollar");
        target = addressOf(creationCode);
    }

    function test_Constructor_WhenContractIsMissing_DeploysIt() public {
        address once = deployOnce(creationCode, target);
        assertGt(target.code.length, 0, "code");
        assertEq(once.code.length, 0, "own code");
    }

    function test_Constructor_WhenContractExists_SendsNothing() public {
        deployOnce(creationCode, target);
        // A second creation would revert in the factory, and a call to a missing factory would succeed without
        // effect.
        vm.etch(FACTORY, "");
        deployOnce(creationCode, target);
        assertGt(target.code.length, 0, "code");
    }

    function test_Constructor_WhenFactoryIsMissing_Reverts() public {
        vm.etch(FACTORY, "");
        vm.expectRevert(abi.encodeWithSelector(DeployOnce.FactoryMissing.selector, FACTORY));
        this.deployOnce(creationCode, target);
    }

    function test_Constructor_WhenCreationReverts_Reverts() public {
        bytes memory reverting = hex"60006000fd";
        address never = addressOf(reverting);
        vm.expectRevert(abi.encodeWithSelector(DeployOnce.NotDeployed.selector, never));
        this.deployOnce(reverting, never);
    }

    /// @dev The attack: the given address has a stranger's code, which would count as the contract.
    function testFuzz_Constructor_WhenAddressIsOfOtherCode_Reverts(address other, bool hasCode) public {
        vm.assume(other != target && other != FACTORY && uint160(other) > 0xffff && other.code.length == 0);
        if (hasCode) vm.etch(other, hex"00");
        vm.expectRevert(abi.encodeWithSelector(DeployOnce.WrongAddress.selector, other, target));
        this.deployOnce(creationCode, other);
    }

    function test_Constructor_WhenArgumentsDiffer_Reverts() public {
        bytes memory other = abi.encodePacked(creationCode, uint256(1));
        deployOnce(creationCode, target);
        vm.expectRevert(abi.encodeWithSelector(DeployOnce.WrongAddress.selector, target, addressOf(other)));
        this.deployOnce(other, target);
    }

    function deployOnce(bytes memory code, address contractAddress) public returns (address) {
        return deployCode("DeployOnce", abi.encode(code, contractAddress));
    }

    function addressOf(bytes memory code) private pure returns (address) {
        bytes32 hash = keccak256(abi.encodePacked(bytes1(0xff), FACTORY, bytes32(0), keccak256(code)));
        return address(uint160(uint256(hash)));
    }
}
