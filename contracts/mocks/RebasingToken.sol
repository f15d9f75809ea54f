// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// @title Token that stores shares and reports balances as shares times an index, rounded down
/// @notice A transfer moves the amount's shares, so the receiver can receive a few units less.
contract RebasingToken {
    /// @notice Shares of each holder.
    mapping(address holder => uint256 shares) public sharesOf;

    /// @notice Allowances as amounts, not shares.
    mapping(address holder => mapping(address spender => uint256 amount)) public allowance;

    /// @notice Value of a share, times 1e18.
    uint256 public index = 1e18;

    /// @notice Sets the index for all holders.
    function rebase(uint256 index_) external {
        index = index_;
    }

    /// @notice Mints an amount's shares.
    function mint(address to, uint256 amount) external {
        sharesOf[to] += _sharesOf(amount);
    }

    /// @notice Sets an allowance.
    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        return true;
    }

    /// @notice Transfers an amount's shares.
    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    /// @notice Transfers an amount's shares by allowance.
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return _move(from, to, amount);
    }

    /// @notice Value of a holder's shares.
    function balanceOf(address holder) external view returns (uint256) {
        return (sharesOf[holder] * index) / 1e18;
    }

    function _move(address from, address to, uint256 amount) private returns (bool) {
        uint256 shares = _sharesOf(amount);
        sharesOf[from] -= shares;
        sharesOf[to] += shares;
        return true;
    }

    function _sharesOf(uint256 amount) private view returns (uint256) {
        return (amount * 1e18) / index;
    }
}
