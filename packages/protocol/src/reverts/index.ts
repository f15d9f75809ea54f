export {
  type AbiError,
  type ClassifiedRevert,
  classifyRevert,
  findKnownError,
  isMaskingError,
  readPanic,
  selectorOf,
} from "./classifyRevert.ts";
