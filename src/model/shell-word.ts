/** Returns a text in quotes for a shell, which then interprets nothing in it. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * Returns a word of a command that people copy from a message, in quotes if necessary. Names in an account or a ledger
 * are chosen by others, who may want them to run something.
 */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word));
