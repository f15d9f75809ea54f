export { injectWallet } from "./injectWallet.ts";
export { type InjectedWallet, type WalletOptions } from "./wallet.ts";
export { type BrowserTestOptions, withLocalnet } from "./withLocalnet.ts";
