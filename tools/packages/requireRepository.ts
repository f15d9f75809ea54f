// Refuses a release whose packages would name no repository: `npm run release` runs it first.
import { publicRepository } from "../repository.ts";

if (publicRepository() === undefined) {
  console.error(
    "FAILED: set CROSSCALL_REPOSITORY to the URL of the public repository, such as https://github.com/owner/name",
  );
  process.exitCode = 1;
}
