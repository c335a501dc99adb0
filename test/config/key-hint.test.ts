import { describe, expect, it } from 'vitest';
import { kinds } from '../../providers/hosting/kinds/index.ts';
import { hintForKey } from '../../src/config/key-hint.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { findKinds } from '../../src/kind/find-kinds.ts';

const byName = kindsOf(kinds);
const hint = (key: string, place?: string) =>
  hintForKey(key, {
    kinds: byName,
    kind: place === undefined ? undefined : byName.get(place),
    validKeys: ['valid'],
  });

describe('a key that is unknown where it was written', () => {
  it.each([
    ['env', undefined, 'did you mean `projects.NAME.env`?'],
    ['environment', 'project', 'did you mean `env`?'],
    ['environment_variables', 'project', 'did you mean `env`?'],
    ['dns', 'domain', 'did you mean `records`?'],
    ['dns', 'project', 'did you mean `domains.NAME.records`?'],
    ['redirects', 'project', 'did you mean `bulkRedirects` or `routes`?'],
    ['redirects', undefined, 'did you mean `projects.NAME.bulkRedirects` or `projects.NAME.routes`?'],
    ['edge-configs', undefined, 'did you mean `globalConfigs`?'],
    ['customRules', 'firewall', 'did you mean `rules`?'],
    ['projectEnvVar', undefined, 'did you mean `projects.NAME.env`?'],
    ['valif', 'project', 'did you mean `valid`?'],
    ['something', undefined, 'valid here: `valid`'],
  ])('%s in %s', (key, place, expected) => {
    expect(hint(key, place)).toBe(expected);
  });

  it('has a list that leads to the rest of it', () => {
    const validKeys = Array.from({ length: 20 }, (_, index) => `field${'x'.repeat(index)}`);
    expect(hintForKey('nothing-like-it', { kinds: byName, kind: byName.get('project'), validKeys })).toMatch(
      /, and 8 more, see `trueup kinds project`$/,
    );
  });
});

it('finds each kind by its name, and by each of its other words', () => {
  for (const kind of kinds)
    for (const word of [kind.name, ...(kind.otherWords ?? [])])
      expect(findKinds(byName, word), word).toContain(kind);
});

it('gives no kind a word that finds another one first', () => {
  const shadowed = kinds.flatMap((kind) =>
    (kind.otherWords ?? []).filter(
      (word) => !findKinds(byName, word).every((found) => found.otherWords?.includes(word)),
    ),
  );
  expect(shadowed).toEqual([]);
});
