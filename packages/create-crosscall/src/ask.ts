import { isCancel, select, text } from "@clack/prompts";

import { CreateError } from "./createError.ts";
import { TEMPLATE_NAMES, type TemplateName, TEMPLATES } from "./templates.ts";

/** Asks which template to use. */
export async function askTemplate(signal: AbortSignal): Promise<TemplateName> {
  const options = TEMPLATE_NAMES.map((value) => ({ value, label: value, hint: TEMPLATES[value].about }));
  return requireResponse<TemplateName>(
    await select<TemplateName>({ message: "What do you want to build?", options, signal }),
  );
}

/**
 * Asks for the folder of the project.
 *
 * @param findFlaw function that returns why a folder name is not a valid package name
 */
export async function askFolder(
  proposal: string,
  findFlaw: (folder: string) => string | undefined,
  signal: AbortSignal,
): Promise<string> {
  const validate = (folder: string | undefined): string | undefined => {
    const flaw = findFlaw(folder === undefined || folder === "" ? proposal : folder);
    return flaw === undefined ? undefined : `The folder must have a valid package name, but it ${flaw}.`;
  };
  const message = "In which folder?";
  return requireResponse<string>(
    await text({ message, placeholder: proposal, defaultValue: proposal, validate, signal }),
  );
}

function requireResponse<Answer>(answer: Answer | symbol): Answer {
  if (!isCancel(answer)) return answer as Answer;
  throw new CreateError("ABORTED", "Stopped. Nothing was created.", "Run the command again.");
}
