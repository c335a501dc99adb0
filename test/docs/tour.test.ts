import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const tour = readFileSync('docs/development.md', 'utf8');
const contributing = readFileSync('CONTRIBUTING.md', 'utf8');

/** Throws unless a file declares a function, class or constant. */
function expectDeclared(name: string, file: string): void {
  expect(existsSync(file), file).toBe(true);
  expect(readFileSync(file, 'utf8'), `${name} in ${file}`).toMatch(
    new RegExp(`\\b(?:function|class|const) ${name}\\b`),
  );
}

it('every function that the tour and the explanation of a plan name is in the file that they name', () => {
  const inTour = [...tour.matchAll(/`(\w+)` \(\[[\w.-]+\]\(\.\.\/([\w./-]+)\)\)/g)];
  const inPlan = [...contributing.matchAll(/`(\w+)` in `((?:src|providers)\/[\w./-]+)`/g)];
  for (const [, name, file] of [...inTour, ...inPlan]) expectDeclared(name!, file!);
  expect(inTour.length).toBeGreaterThan(25);
  expect(inPlan.length).toBeGreaterThan(4);
});

it('every path that the developer pages name exists', () => {
  const paths = [tour, contributing]
    .flatMap((page) => [...page.matchAll(/`((?:src|providers|test|build|docs|examples)\/[\w./-]*\w)`/g)])
    .filter(([, path]) => !/[A-Z]{4}/.test(path!));
  for (const [, path] of paths) expect(existsSync(path!), path).toBe(true);
  expect(paths.length).toBeGreaterThan(60);
});

it.each([
  ['Member', 'src/kind/kind.ts'],
  ['Member', 'test/support/sample.ts'],
  ['Member of an action', 'src/kind/action.ts'],
  ['Member of a lookup', 'src/kind/lookup.ts'],
])('the members in a table of CONTRIBUTING (%s) are those of %s', (heading, file) => {
  const source = readFileSync(file, 'utf8');
  const tables = contributing.split('\n\n').filter((block) => block.startsWith(`| ${heading} |`));
  const members = tables.map((table) =>
    [...table.matchAll(/^\| (`[^|]+) \|/gm)].flatMap(([, cell]) => cell!.match(/(?<=`)\w+(?=`)/g) ?? []),
  );
  const missing = members.map((names) =>
    names.filter((name) => !new RegExp(`^ {2}${name}\\??[:(]`, 'm').test(source)),
  );
  // Of the two tables with the same heading, one is about this file.
  expect(missing).toContainEqual([]);
});
