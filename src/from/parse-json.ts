import { Problems, problem } from '../model/diagnostic.ts';

/** Reads JSON. Throws `Problems` with the place of the mistake where that is known, and nothing of the text: it may be a secret. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const hint = 'the file may be truncated or have text before the JSON; create it again';
    const { message } = error as Error;
    const offset = message.includes('end of JSON') ? text.length : /position (\d+)/.exec(message)?.[1];
    if (offset === undefined)
      throw new Problems([problem('from/json', `${file}: this is not JSON`, { hint })]);
    const before = text.slice(0, Number(offset));
    const at = {
      file,
      line: before.split('\n').length,
      column: before.length - before.lastIndexOf('\n'),
    };
    throw new Problems([problem('from/json', 'this is not JSON', { at, hint })]);
  }
}
