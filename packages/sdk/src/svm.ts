export { svmWallet } from "./execute/svm/svmWallet.ts";
