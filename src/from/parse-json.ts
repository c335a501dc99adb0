import { Problems, problem } from '../model/diagnostic.ts';
import { readJson } from '../model/read-json.ts';

/**
 * Parses the JSON of another tool. A number that would be rounded becomes an `InexactNumber`. Throws `Problems` with the places of all
 * mistakes, also duplicate keys. They quote nothing of the text, because it may be secret.
 */
export function parseJson(text: string, file: string): unknown {
  const { value, problems } = readJson(text);
  if (problems.length === 0) return value;
  throw new Problems(
    problems.map(({ line, column, message, hint }) =>
      problem('from/json', message, { at: { file, line, column }, hint }),
    ),
  );
}
