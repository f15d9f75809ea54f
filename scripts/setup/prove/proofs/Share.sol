// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Taken} from "./Taken.sol";

/// @dev With amount = 10,000 · quotient + remainder.
contract Proof is Taken {
    function aFactorBoundsAProduct(uint256 factor, uint256 bps) external pure {
        assert(_isBounded(factor, bps));
    }

    function aShareIsAtMostTheAmount(uint256 amount, uint256 bps) external pure {
        require(bps <= _WHOLE_BPS);
        // The lemma.
        require(_isBounded(amount / _WHOLE_BPS, bps));
        require(_isBounded(amount % _WHOLE_BPS, bps));
        assert(_share(amount, bps) <= amount);
    }

    function theWholeIsTheAmount(uint256 amount) external pure {
        assert(_share(amount, _WHOLE_BPS) == amount);
    }

    /// @dev Rounding never lets two shares exceed the share of their sum.
    function twoSharesAreAtMostTheirSum(uint256 amount, uint256 left, uint256 right) external pure {
        require(left <= _WHOLE_BPS && right <= _WHOLE_BPS - left);
        // The lemma, so that nothing overflows.
        require(_isBounded(amount / _WHOLE_BPS, left) && _isBounded(amount / _WHOLE_BPS, right));
        require(_isBounded(amount / _WHOLE_BPS, left + right));
        unchecked {
            assert(_share(amount, left) + _share(amount, right) <= _share(amount, left + right));
        }
    }

    function _isBounded(uint256 factor, uint256 bps) private pure returns (bool) {
        unchecked {
            return factor > type(uint256).max / _WHOLE_BPS || bps > _WHOLE_BPS || factor * bps <= factor * _WHOLE_BPS;
        }
    }
}
