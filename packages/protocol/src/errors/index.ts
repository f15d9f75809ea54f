export {
  isTransientErrorCode,
  SERVICE_ERROR_CODES,
  type ServiceErrorBody,
  type ServiceErrorCode,
  ServiceErrorSchema,
  serviceErrorStatus,
} from "./serviceError.ts";
