// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Token that returns nothing and rejects changes of an allowance from non-zero to non-zero
/// @notice The token also rejects transfers of zero.
contract StrictToken {
    /// @notice Balance of each holder.
    mapping(address holder => uint256 amount) public balanceOf;

    /// @notice Allowance of each spender.
    mapping(address holder => mapping(address spender => uint256 amount)) public allowance;

    /// @notice The approval must be set to zero first.
    error ApprovalNotZero(uint256 current, uint256 wanted);

    /// @notice The amount must not be zero.
    error ZeroTransfer();

    /// @notice Creates tokens.
    function mint(address to, uint256 amount) external {
        balanceOf[to] += amount;
    }

    /// @notice Sets an allowance from or to zero.
    function approve(address spender, uint256 amount) external {
        uint256 current = allowance[msg.sender][spender];
        if (current != 0 && amount != 0) revert ApprovalNotZero(current, amount);
        allowance[msg.sender][spender] = amount;
    }

    /// @notice Transfers the caller's tokens.
    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    /// @notice Transfers tokens by allowance.
    function transferFrom(address from, address to, uint256 amount) external {
        allowance[from][msg.sender] -= amount;
        _move(from, to, amount);
    }

    function _move(address from, address to, uint256 amount) private {
        if (amount == 0) revert ZeroTransfer();
        balanceOf[from] -= amount;
        balanceOf[to] += amount;
    }
}
