/*
 * Makes text from outside (the account, the configuration, error answers) safe to print: it cannot control a terminal, forge a line of a log,
 * or look like another text.
 */

/**
 * Matches hidden characters: those that a terminal obeys or that a reader cannot see. They are control and format characters (which reverse
 * text, have no width, or end a line invisibly), halves of characters, and invisible fillers. Line feed and tab are not hidden.
 */
const hiddenCharacters = /[^\P{C}\p{Co}\p{Cn}\n\t]|[\p{Zl}\p{Zp}]|\u034f|\u115f|\u1160|\u3164|\uffa0/gu;

/** Returns a character as JSON escapes it: `\u202e`. A character above U+FFFF becomes two escapes. */
const escapeCharacter = (char: string) =>
  Array.from(
    { length: char.length },
    (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/** Matches text without hidden characters. Tested first because nearly all text is like this, and the search for hidden characters is slow. */
const plainCharacters = /^[\n\t -~]*$/;

/**
 * Returns a text with its hidden characters escaped, so that two different texts never look the same. Used by every output. `spell`: writes
 * one hidden character.
 */
export const visible = (text: string, spell = escapeCharacter): string =>
  plainCharacters.test(text) ? text : text.replace(hiddenCharacters, (char) => spell(char));

/** True if `visible` would change a text, because it has hidden characters. */
export const hasHidden = (text: string): boolean =>
  !plainCharacters.test(text) && text.search(hiddenCharacters) >= 0;

/**
 * Returns a text from outside (the account, the configuration, an error), ready to print: hidden characters escaped, and only line feeds as
 * line ends.
 */
export const clean = (text: string): string => visible(text.replace(/\r\n?/g, '\n'));

/**
 * Returns a text from outside as one line, ready to print. Joins its lines with spaces, one by one, because a regular expression with spaces
 * on both sides of a line end takes quadratic time.
 */
export function cleanLine(text: string): string {
  const [first = '', ...lines] = clean(text).split('\n');
  const last = lines.pop();
  if (last === undefined) return first;
  const between = lines.map((line) => line.trim()).filter((line) => line !== '');
  return [first.trimEnd(), ...between, last.trimStart()].join(' ');
}

/** Formats a text as a JSON string without hidden characters. */
export const quote = (text: string): string => visible(JSON.stringify(text));

/**
 * Returns the message and the hint of an error as lines, without its stack trace. Lines after the first begin with a bar, because CI systems
 * obey lines that begin with commands such as `::add-mask::`, and an answer of a server could contain one.
 */
export function errorLines(error: unknown): { message: string[]; hint: string[] } {
  const { message, hint } =
    typeof error === 'object' && error !== null ? (error as Record<string, unknown>) : {};
  const text = typeof error === 'string' ? error : typeof message === 'string' ? message : '';
  return {
    message: barred(text.trim() === '' ? 'unknown error' : text),
    hint: typeof hint === 'string' ? barred(hint) : [],
  };
}

/** Splits a text into lines. Those after the first begin with a bar, see `errorLines`. */
function barred(text: string): string[] {
  const lines = clean(text).trim().split('\n');
  return lines.map((line, index) => (index === 0 ? line : `| ${line}`).trimEnd());
}
