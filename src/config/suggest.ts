/** Writes names of a configuration into messages: quoted, and with a hint at the name that was probably meant. */
import { raise } from '../model/diagnostic.ts';
import { closestName, guessMeantName, toNameList, type ValidNames } from '../model/similar-name.ts';

/**
 * Returns the hint for an unknown name in a configuration: "did you mean `x`?", or the list of valid names if none is similar. For
 * `value:x`, if `value` is valid, says that a space is missing, because YAML then reads all of it as a name. Undefined if there are no
 * valid names. `listLabel`: the words in front of the list. `listCommand`: the command that lists all of them, for lists that are too long
 * for a hint.
 */
export function hintFor(
  unknown: string,
  valid: ValidNames,
  listLabel = 'valid here',
  listCommand?: string,
): string | undefined {
  const names = toNameList(valid);
  const [beforeColon, afterColon] = unknown.split(':', 2);
  if (afterColon && names.includes(beforeColon!))
    return `write a space after the colon: \`${beforeColon}: …\``;
  const similar = guessMeantName(unknown, valid);
  if (similar !== undefined) return `did you mean \`${similar}\`?`;
  if (names.length === 0) return undefined;
  const shown = names.slice(0, 12).map((name) => `\`${name}\``);
  if (names.length === shown.length) return `${listLabel}: ${shown.join(', ')}`;
  const omittedText = `${names.length - shown.length} more${listCommand === undefined ? '' : `, see \`${listCommand}\``}`;
  return `${listLabel}: ${shown.join(', ')}, and ${omittedText}`;
}

/** Returns a hint of `hintFor` as a sentence, so that another one can follow: a question stays as it is, and a list gets a full stop. */
export const withFullStop = (hint: string): string => hint.replace(/[^?]$/, '$&.');

/**
 * Returns a name from the configuration for a message: in backquotes, shortened, on one line, and without control characters that could
 * forge output in a terminal.
 */
export function quoted(name: string): string {
  const short = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  return `\`${short.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu, '�')}\``;
}

/**
 * Returns the entry of a map that the user named on the command line. Throws `Problems` that suggest a
 * similar name if there is none. `noun`: what it is for people, such as `action`. `listCommand`: the command
 * that lists all names.
 */
export function requireNamed<T>(
  name: string,
  entries: ReadonlyMap<string, T>,
  noun: string,
  listCommand: string,
): T {
  const entry = entries.get(name);
  if (entry !== undefined) return entry;
  const similar = closestName(name, entries);
  raise('asked/name', `there is no ${noun} ${quoted(name)}`, {
    hint: similar === undefined ? `\`${listCommand}\` lists all` : `did you mean \`${similar}\`?`,
  });
}
