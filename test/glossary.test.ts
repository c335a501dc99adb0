import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const layers = ['model', 'kind', 'shapes', 'plan', 'run'];
const textOf = (file: string) => readFileSync(path.join(root, file), 'utf8');
const files = layers.flatMap((layer) =>
  readdirSync(path.join(root, 'src', layer), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => path.posix.join('src', layer, name.replaceAll(path.sep, '/'))),
);

/** What anybody in the field, or anybody who programs, knows; and the small words between. */
const standard = new Set(
  `account action address and answer api apply at before after batch body bucket bytes call case cause change checks collection compared
  connect connection content context decisions declaration deliveries desired diagnostic difference digest document draft
  drift effect endpoint endpoints entries entry event exchange execute fact facts field fields file hole id input intent intents
  item join key kind kinds known label leaf ledger lifecycle limit list live lock look looked lookup masking match meta
  method move noted object objects of open operation options ordered other outcome owner pages pair paired partly parts path permission
  plan planned plans position problems provider published quota ranking rate reading ref references refusal refused remote
  reorder report request resource result resume resumed root row rows rule rules run running saving schedule schema schemas
  scope seal sealed secret send session settings settle side siblings signing slot source stack staged staging state step
  stopping summary task to traits transition twin unpaired up updated use value verb verified verify version wanted whole
  write writes written zone cache`.split(/\s+/),
);

/** The rows of a table of two or three columns under a heading. */
function tableUnder(file: string, heading: string): string[][] {
  const text = textOf(file);
  const section = text.slice(text.indexOf(`\n${heading}\n`)).split(/\n#+ /)[1] ?? '';
  return [...section.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row]) => row!.split(' | ').map((cell) => cell.trim()))
    .slice(2);
}

const wordsOf = (name: string) =>
  name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(' ');
const singular = (word: string) => word.replace(/(?<=..)ies$/, 'y').replace(/(?<=...)s$/, '');

const user = tableUnder('docs/concepts.md', '## Glossary');
const own = tableUnder('CONTRIBUTING.md', '## Words');
const explained = new Set(
  [...user, ...own].flatMap(([term]) =>
    term!.split(', ').flatMap((one) => one.replaceAll('`', '').toLowerCase().split(' ')),
  ),
);

const exportsOf = (file: string, what: string) =>
  [...textOf(file).matchAll(new RegExp(`^export (?:async )?(?:${what}) (\\w+)`, 'gm'))].map(
    ([, name]) => name!,
  );

it('every noun that the core exports is a standard term, or is explained', () => {
  expect(user.length + own.length).toBeGreaterThan(30);
  const nouns = files.flatMap((file) => exportsOf(file, 'interface|type|class'));
  expect(nouns.length).toBeGreaterThan(100);
  const isKnown = (word: string) =>
    [word, singular(word)].some((one) => standard.has(one) || explained.has(one));
  const strange = nouns.flatMap((noun) =>
    wordsOf(noun)
      .filter((word) => !isKnown(word))
      .map((word) => `${word} in ${noun}`),
  );
  expect(strange).toEqual([]);
});

it('nothing has two names', () => {
  const others = own.flatMap(([term, , not = '']) =>
    not
      .split(', ')
      .filter(Boolean)
      .map((other) => ({ term: term!, other })),
  );
  expect(others.length).toBeGreaterThan(10);
  const names = files.flatMap((file) => [
    path.basename(file, '.ts').replaceAll('-', ' '),
    ...exportsOf(file, 'interface|type|class|function|const').map((name) => wordsOf(name).join(' ')),
  ]);
  const twice = others.flatMap(({ term, other }) =>
    names.filter((name) => ` ${name} `.includes(` ${other} `)).map((name) => `${other} for ${term}: ${name}`),
  );
  expect(twice).toEqual([]);
  const terms = own.map(([term]) => term);
  expect(new Set(terms).size).toBe(terms.length);
});
