export {
  isTransientErrorCode,
  SERVICE_ERROR_CODES,
  type ServiceErrorCode,
  serviceErrorStatus,
} from "./serviceError.ts";
export { type ServiceErrorBody, ServiceErrorSchema } from "./serviceErrorBody.ts";
