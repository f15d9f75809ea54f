/** Description of a schema, for the generated references. Bundles for browsers have `docOmitted.ts` instead. */
export function doc(description: string): string {
  return description;
}
