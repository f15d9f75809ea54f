import { expect } from "chai";

import { Slots } from "../../../../../packages/crosscall/src/localnet/ledgers/solana/slots.ts";

const NOW = 1_790_000_000_000;

describe("the slots of the Solana chain", () => {
  const open = () => {
    const time = { ms: NOW };
    return { time, slots: new Slots({ now: () => time.ms }) };
  };

  it("take 400 ms, and are the same in every process", () => {
    const { time, slots } = open();
    const { slot } = slots.current();
    expect(open().slots.current().slot).to.equal(slot);
    time.ms += 1_000;
    expect(slots.current().slot).to.equal(slot + 2);
    expect([slots.timeOf(slot + 2), slots.timeOf(slot + 3)]).to.deep.equal([NOW / 1_000, undefined]);
  });

  it("continue when the clock is set back, with the times of the clock", () => {
    const { time, slots } = open();
    const before = slots.current().slot;
    time.ms -= 86_400_000;
    expect(slots.current()).to.deep.equal({ slot: before + 1, ms: time.ms });
    time.ms += 400;
    expect(slots.current().slot).to.equal(before + 2);
    expect(slots.timeOf(before + 1)).to.equal((NOW - 86_400_000) / 1_000);
    expect(slots.timeOf(before)).to.be.oneOf([NOW / 1_000, NOW / 1_000 - 1]);
  });

  it("continue from a stored slot", () => {
    const { time, slots } = open();
    const stored = { slot: slots.current().slot + 500, ms: NOW };
    const other = open().slots;
    other.adopt(stored);
    expect(other.current()).to.deep.equal(stored);
    slots.adopt(stored);
    time.ms += 400;
    expect(slots.current().slot).to.equal(stored.slot + 1);
  });

  it("have block hashes that are valid for 150 slots", () => {
    const { time, slots } = open();
    const { blockhash, lastValidBlockHeight } = slots.latestBlockhash();
    expect(lastValidBlockHeight).to.equal(slots.current().slot + 150);
    expect(slots.isValid("11111111111111111111111111111111")).to.equal(false);
    time.ms += 150 * 400;
    expect([slots.isValid(blockhash), open().slots.isValid(blockhash)]).to.deep.equal([true, true]);
    time.ms += 400;
    expect(slots.isValid(blockhash)).to.equal(false);
  });
});
