import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The list items of SECURITY.md, each as one line, up to the heading "Not promised". */
function promises(): string[] {
  const [promised] = readFileSync('SECURITY.md', 'utf8').split('\n## Not promised\n');
  return [...promised!.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].map(([, text]) => text!.replace(/\n */g, ' '));
}

/** The names of the tests here, as they are written. */
const titles = readdirSync(import.meta.dirname).flatMap((name) =>
  [
    ...readFileSync(join(import.meta.dirname, name), 'utf8').matchAll(/^ *(?:it|test)\(\s*(['"])(.*)\1,/gm),
  ].map(([, , title]) => title!.replaceAll("\\'", "'")),
);

it('each sentence that SECURITY.md promises is the name of one test, and each such name is promised', () => {
  expect(promises().length).toBeGreaterThan(30);
  // A sentence is no other kind of name: it begins with a capital letter and ends with a full stop.
  const sentences = titles.filter((title) => /^(?:[A-Z]|git[ ,]).*\.$/.test(title));
  expect([...sentences].sort()).toEqual([...promises()].sort());
});

it('SECURITY.md begins with the layout', () => {
  const [heading, , first] = readFileSync('SECURITY.md', 'utf8').split('\n');
  expect([heading, first]).toEqual(['# Security', expect.stringMatching(/^- In CI, the tool, its lockfile/)]);
});
