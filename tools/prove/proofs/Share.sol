// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Taken} from "./Taken.sol";

/// @dev `_share` of the executor. Each amount equals 10,000 · quotient + remainder. The checker cannot find this in
/// products, so the proof declares both.
contract Proof is Taken {
    function aProductIsBounded(uint256 factor, uint256 bps) external pure {
        unchecked {
            require(factor <= type(uint256).max / _WHOLE_BPS && bps <= _WHOLE_BPS);
            assert(factor * bps <= factor * _WHOLE_BPS);
        }
    }

    function aShareIsAtMostTheAmount(uint256 quotient, uint256 remainder, uint256 bps) external pure {
        require(remainder < _WHOLE_BPS && bps <= _WHOLE_BPS);
        // As above.
        require(quotient * bps <= quotient * _WHOLE_BPS && remainder * bps <= remainder * _WHOLE_BPS);
        assert(_share(quotient, remainder, bps) <= quotient * _WHOLE_BPS + remainder);
    }

    function theWholeIsTheAmount(uint256 quotient, uint256 remainder) external pure {
        require(remainder < _WHOLE_BPS);
        assert(_share(quotient, remainder, _WHOLE_BPS) == quotient * _WHOLE_BPS + remainder);
    }

    function twoSharesAreAtMostTheShareOfTheirSum(uint256 quotient, uint256 remainder, uint256 first, uint256 second)
        external
        pure
    {
        require(remainder < _WHOLE_BPS && first + second <= _WHOLE_BPS);
        uint256 ofSum = _share(quotient, remainder, first + second);
        assert(_share(quotient, remainder, first) + _share(quotient, remainder, second) <= ofSum);
    }
}
