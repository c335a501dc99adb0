import { createTwoFilesPatch } from 'diff';
import { cleanLine } from './clean.ts';

/** Two texts as a unified diff, as `git diff` prints one; empty where they are the same. */
export function textDiff(before: string, after: string, names: { from: string; to: string }): string {
  if (before === after) return '';
  const patch = createTwoFilesPatch(names.from, names.to, before, after, undefined, undefined, {
    context: 3,
  });
  return patch.split('\n').slice(1).map(cleanLine).join('\n').trimEnd();
}
