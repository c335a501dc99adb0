/**
 * Characters that are not shown as what they are, or that a terminal obeys: control and format characters (what reverses text, has no
 * width, or ends a line without being seen), halves of characters, and fillers that look like nothing. Line feed and tab are none.
 */
const hiddenCharacters = /[^\P{C}\p{Co}\p{Cn}\n\t]|[\p{Zl}\p{Zp}]|\u034f|\u115f|\u1160|\u3164|\uffa0/gu;

/** `\u202e`; of a character beyond the first 65,536 both halves, as JSON has them. */
const escapeCharacter = (char: string) =>
  Array.from(
    { length: char.length },
    (_, index) => `\\u${char.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');

/** Nearly all text is this: to look for what is hidden takes longer. */
const plainCharacters = /^[\n\t -~]*$/;

/** Text with hidden characters as escapes, so that it is what it looks like. Line feeds and tabs stay. Every face uses it. */
export const visible = (text: string, spell = escapeCharacter): string =>
  plainCharacters.test(text) ? text : text.replace(hiddenCharacters, (char) => spell(char));

/** True if `visible` would change a text. */
export const hasHidden = (text: string): boolean =>
  !plainCharacters.test(text) && text.search(hiddenCharacters) >= 0;

/** Text by users or servers for people: visible, and every line ends with a line feed. */
export const clean = (text: string): string => visible(text.replace(/\r\n?/g, '\n'));

/** Like `clean`, for a place that is one line. Takes linear time: a pattern with blanks on both sides of a line end would not. */
export function cleanLine(text: string): string {
  const [first = '', ...lines] = clean(text).split('\n');
  const last = lines.pop();
  if (last === undefined) return first;
  const between = lines.map((line) => line.trim()).filter((line) => line !== '');
  return [first.trimEnd(), ...between, last.trimStart()].join(' ');
}

/** A text as a visible JSON string. */
export const quote = (text: string): string => visible(JSON.stringify(text));

/**
 * The lines of an error: its message and its hint, never its stack. Lines after the first begin with a bar, so that no text from outside
 * can begin a line of a log (CI systems obey lines such as `::add-mask::`).
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

function barred(text: string): string[] {
  const lines = clean(text).trim().split('\n');
  return lines.map((line, index) => (index === 0 ? line : `| ${line}`).trimEnd());
}
