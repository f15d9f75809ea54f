// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

/// @title Dollar token for local chains that behaves like the oldest large stablecoin
/// @notice Its transfers and approvals return nothing, and an allowance can only change from or to zero.
/// @dev Warning: anyone may mint.
contract LocalTether {
    /// @notice Total token supply.
    uint256 public totalSupply;

    /// @notice Balance of an account.
    mapping(address holder => uint256 amount) public balanceOf;

    /// @notice Allowance of a spender for a holder's tokens; the largest value never decreases.
    mapping(address holder => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Tokens moved.
    event Transfer(address indexed from, address indexed to, uint256 value);

    /// @notice An allowance was set.
    event Approval(address indexed owner, address indexed spender, uint256 value);

    /// @notice The allowance must be set to zero first.
    error ApprovalNotZero(uint256 current, uint256 wanted);

    /// @notice The holder's balance is too low.
    error BalanceTooLow(address holder, uint256 balance, uint256 needed);

    /// @notice The spender's allowance is too low.
    error AllowanceTooLow(address spender, uint256 allowance, uint256 needed);

    /// @notice Mints tokens.
    /// @param to Recipient of the tokens.
    /// @param amount Amount in units of 10^-6.
    function mint(address to, uint256 amount) external {
        totalSupply += amount;
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    /// @notice Sets an allowance for the caller's tokens, from or to zero.
    /// @param spender Account that may transfer the tokens.
    /// @param amount The allowance.
    function approve(address spender, uint256 amount) external {
        uint256 current = allowance[msg.sender][spender];
        if (current != 0 && amount != 0) revert ApprovalNotZero(current, amount);
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
    }

    /// @notice Transfers the caller's tokens.
    /// @param to Recipient of the tokens.
    /// @param amount The amount.
    function transfer(address to, uint256 amount) external {
        _move(msg.sender, to, amount);
    }

    /// @notice Transfers tokens by allowance.
    /// @param from Holder of the tokens.
    /// @param to Recipient of the tokens.
    /// @param amount The amount.
    function transferFrom(address from, address to, uint256 amount) external {
        uint256 allowed = allowance[from][msg.sender];
        if (allowed < amount) revert AllowanceTooLow(msg.sender, allowed, amount);
        if (allowed != type(uint256).max) allowance[from][msg.sender] = allowed - amount;
        _move(from, to, amount);
    }

    /// @notice The token's name.
    function name() external pure virtual returns (string memory) {
        return "Local Tether";
    }

    /// @notice The token's symbol.
    function symbol() external pure returns (string memory) {
        return "USDT";
    }

    /// @notice The token's number of decimals.
    function decimals() external pure returns (uint8) {
        return 6;
    }

    function _move(address from, address to, uint256 amount) private {
        uint256 balance = balanceOf[from];
        if (balance < amount) revert BalanceTooLow(from, balance, amount);
        balanceOf[from] = balance - amount;
        balanceOf[to] += amount;
        emit Transfer(from, to, amount);
    }
}
