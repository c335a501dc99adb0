import { Problems, problem } from '../model/diagnostic.ts';
import { readJson } from '../model/read-json.ts';

/**
 * Reads JSON of another tool; a number that would be rounded is an `InexactNumber`. Throws `Problems` with the places of all
 * mistakes, duplicate keys among them, and nothing of the text: it may be a secret.
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
