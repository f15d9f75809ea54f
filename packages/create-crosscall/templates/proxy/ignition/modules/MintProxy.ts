import { buildModule } from "@nomicfoundation/hardhat-ignition/modules";

const USDC_ON_BASE = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";

export default buildModule("MintProxy", (m) => {
  const currency = m.getParameter("currency", USDC_ON_BASE);
  const price = m.getParameter("price", 25_000_000n);
  const seller = m.getParameter("seller", m.getAccount(0));
  const sale = m.contract("NftSale", [currency, price, seller]);
  const proxy = m.contract("MintProxy", [sale]);
  return { sale, proxy };
});
