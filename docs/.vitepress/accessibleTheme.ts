import { basename } from "node:path";

/** Replacements in components of the VitePress theme whose roles and names mislead screen readers. */
const EDITS: Readonly<Record<string, readonly (readonly [found: string, replacement: string])[]>> = {
  // One button to expand a group, not a button in a button.
  "VPSidebarItem.vue": [
    [
      ':tabindex="item.items && 0"',
      ':tabindex="item.items && !item.link ? 0 : undefined" :aria-expanded="item.items && !item.link ? !collapsed : undefined"',
    ],
    [
      'role="button"\n        aria-label="toggle section"',
      `:role="item.link ? 'button' : undefined" :aria-label="item.link ? 'toggle section' : undefined"`,
    ],
    ['tabindex="0"', ':tabindex="item.link ? 0 : undefined"'],
  ],
  // The style sheet shows the key, so that it is not part of the button's text.
  "VPNavBarSearchButton.vue": [
    ['<kbd class="DocSearch-Button-Key">K</kbd>', '<kbd class="DocSearch-Button-Key" data-key="K"></kbd>'],
  ],
  "VPLocalSearchBox.vue": [
    ['role="button"', 'role="dialog" aria-modal="true"'],
    [
      `:aria-owns="results?.length ? 'localsearch-list' : undefined"\n      aria-expanded="true"\n      aria-haspopup="listbox"`,
      "",
    ],
    // A result is an option that is a link, not an option with a link in it.
    [
      `:id="'localsearch-item-' + index"\n            :aria-selected="selectedIndex === index ? 'true' : 'false'"\n            role="option"`,
      'role="presentation"',
    ],
    [
      `:aria-label="[...p.titles, p.title].join(' > ')"`,
      `:id="'localsearch-item-' + index" :aria-selected="selectedIndex === index" role="option"`,
    ],
    ["<kbd :aria-label=", '<kbd role="img" :aria-label='],
  ],
};

/** A plugin of Vite that corrects the components before they are compiled. */
export const accessibleTheme = {
  name: "accessible-theme",
  enforce: "pre",
  transform(code: string, id: string): string | undefined {
    const edits = id.includes("/theme-default/") ? EDITS[basename(id)] : undefined;
    return edits?.reduce((text, [found, replacement]) => {
      if (!text.includes(found)) throw new Error(`${id} must contain: ${found}`);
      return text.replaceAll(found, replacement);
    }, code);
  },
} as const;
