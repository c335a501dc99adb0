import { Problems, problem } from '../model/diagnostic.ts';

/** Reads JSON. Throws `Problems` with the place of the mistake, and nothing of the text: it may be a secret. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    const at = /position (\d+)/.exec((error as Error).message)?.[1];
    const before = at === undefined ? text : text.slice(0, Number(at));
    const line = before.split('\n').length;
    const column = before.length - before.lastIndexOf('\n');
    throw new Problems([
      problem('from/json', 'this is not JSON', {
        at: { file, line, column },
        hint: 'the file may be cut off; write it again',
      }),
    ]);
  }
}
