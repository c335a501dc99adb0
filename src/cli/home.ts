/** The folder for what belongs to a working copy: ledger, key, twin, the schema for editors. */
export const home = '.trueup';
