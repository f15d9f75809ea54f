/**
 * How the search ranks. The site's configuration is JSON, and VitePress writes functions into it as their text, so each
 * uses nothing from outside of itself.
 */
export const SEARCH = {
  options: {
    /** Drops words of a question that say nothing about its subject, and the s of a plural. */
    processTerm(term: string): string | null {
      const words =
        " a an and are as at be by can do does for from get has have how i if in into is it its me my of on or our should the their this to us was we what when where which why will with without you your ";
      const word = term
        .toLowerCase()
        .replace(/['’]s$/u, "")
        .replace(/(?<=[a-z]{2}[^su])s$/u, "");
      return word === "" || words.includes(` ${word} `) ? null : word;
    },
  },
  searchOptions: {
    fuzzy: (term: string): number => (term.length > 4 ? 0.2 : 0),
    prefix: (term: string): boolean => term.length > 2,
    boost: { title: 4, titles: 2, text: 1 },
    /** Task pages before reference, and the specification last. */
    boostDocument(id: string): number {
      if (/^\/(?:spec|decisions)\//u.test(id)) return 0.3;
      if (/^\/(?:api|commands|errors|benchmarks|sources)\//u.test(id)) return 0.6;
      return 1;
    },
  },
};
