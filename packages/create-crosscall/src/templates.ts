/** Project templates, in the order of the prompt. */
export const TEMPLATES = {
  proxy: {
    about: "Solidity: your own destination proxy, with Hardhat tests and a deployment",
    setup: [],
  },
  app: {
    about: "Web app: Vite, React and wagmi, with browser tests",
    setup: [["playwright", "install", "chromium"]],
  },
  backend: {
    about: "Node.js service: pays requests, and receives webhooks",
    setup: [],
  },
} as const satisfies Readonly<Record<string, Template>>;

interface Template {
  /** Description in the prompt and the help. */
  readonly about: string;
  /** Commands to run between the project's installation and its tests. */
  readonly setup: readonly (readonly string[])[];
}

export type TemplateName = keyof typeof TEMPLATES;

/** Template names, in the order of the prompt. */
export const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** Whether a template has this name. */
export function isTemplateName(name: string): name is TemplateName {
  return Object.hasOwn(TEMPLATES, name);
}
