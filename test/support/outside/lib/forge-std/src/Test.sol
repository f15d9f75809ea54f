// SPDX-License-Identifier: MIT
pragma solidity >=0.6.2;

interface Vm {
    function assertEq(uint256 left, uint256 right, string calldata err) external pure;

    function deal(address account, uint256 newBalance) external;
}

/// @dev Some of the names that forge-std's `Test` provides to every test.
abstract contract Test {
    Vm internal constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));

    bool public IS_TEST = true;

    function assertEq(uint256 left, uint256 right, string memory err) internal pure virtual {
        vm.assertEq(left, right, err);
    }

    function deal(address to, uint256 give) internal virtual {
        vm.deal(to, give);
    }
}
