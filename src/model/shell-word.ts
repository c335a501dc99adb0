/** A text in quotes for a shell, which takes nothing in it for more than text. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * A word of a command that people copy from a message: in quotes where it has to be. Names in an account or a ledger are chosen by
 * others, who may want them to run something.
 */
export const shellWord = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : shellQuoted(word));
