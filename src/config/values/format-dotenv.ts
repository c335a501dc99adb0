import { raise } from '../../model/diagnostic.ts';
import type { Sealed } from '../../model/sealed.ts';
import { parseDotenv } from './parse-dotenv.ts';

/**
 * Returns the text of a dotenv file with these values. Used by exports with `--values dotenv FILE`. Throws `Problems`
 * that name the values which no line of such a file can represent.
 */
export function dotenvText(values: ReadonlyMap<string, Sealed>): string {
  const lines = [...values].map(([name, value]) => ({ name, line: dotenvLine(name, value.reveal()) }));
  const unwritable = lines.flatMap(({ name, line }) => (line === undefined ? [name] : []));
  if (unwritable.length > 0)
    raise('export/dotenv', `a dotenv file cannot hold the value of ${unwritable.join(', ')}`, {
      hint: 'a value with all three quote characters has no form there: use `--values sops FILE`, or leave it out with --exclude',
    });
  return lines.map(({ line }) => line).join('\n');
}

/**
 * Returns the simplest line of a dotenv file that is read as this value, with or without quotes, for `export --values dotenv FILE`.
 * Undefined if no form of quotes can hold the value.
 */
function dotenvLine(name: string, text: string): string | undefined {
  const forms = [text, `'${text}'`, `"${text}"`, `\`${text}\``, `"${text.replaceAll('\r', '\\r')}"`];
  return forms
    .map((form) => `${name}=${form}`)
    .find((line) => {
      const { values } = parseDotenv(line);
      return values.size === 1 && values.get(name) === text;
    });
}
