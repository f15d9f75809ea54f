import { InvalidInputError } from "../packages/protocol/src/core/errors.ts";

/**
 * Returns the URL of the public repository, such as `https://github.com/owner/name`, or undefined while there is none. It
 * is the only address that packages and pages contain, and is set for a release.
 *
 * @throws {@link InvalidInputError} when the setting is not such a URL
 */
export function publicRepository(setting: string | undefined = process.env.CROSSCALL_REPOSITORY): string | undefined {
  if (setting === undefined || setting === "") return undefined;
  if (/^https:\/\/[\w.-]+\/[\w.-]+\/[\w.-]+$/u.test(setting)) return setting;
  throw new InvalidInputError({
    field: "CROSSCALL_REPOSITORY",
    value: setting,
    reason: "it is not the URL of a repository",
    hint: "Set it to a URL such as https://github.com/owner/name.",
  });
}
