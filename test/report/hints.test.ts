import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Options and keys with which a run deletes objects that it otherwise keeps, and the words that say so. */
const deletingOption =
  /(?<!out of \\`)\$exclusive|--max-deletions|--fewer-inputs|\$replace: allow|trueup destroy|delete: true/g;
const deletionWord = /delet|replac|destroy|lost/i;

/**
 * A string with blanks, up to 80 characters after `hint` or `const option`. The lookahead comes first because it is cheap: without it the characters
 * before every position of every source would be searched.
 */
const hintText =
  /(?=['`])(?<=\b(?:hint|const option)\b[^;]{0,80}?)(?:'[^'\n]* [^'\n]*'|`(?:\\`|[^`])* (?:\\`|[^`])*`)/gi;

it('no hint suggests something that deletes without saying so in the same sentence', () => {
  const sources = ['src', 'providers'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.includes('/twin/'))
      .map((name) => join(folder, name)),
  );
  const sentences = sources.flatMap((file) => {
    const hints = readFileSync(file, 'utf8').match(hintText) ?? [];
    return hints.flatMap((hint) => hint.split(/[.;] /)).map((sentence) => ({ file, sentence }));
  });
  const suggestions = sentences.filter(({ sentence }) => sentence.match(deletingOption));
  expect(suggestions.length).toBeGreaterThan(3);
  expect(
    suggestions.filter(({ sentence }) => !deletionWord.test(sentence.replaceAll(deletingOption, ''))),
  ).toEqual([]);
});
