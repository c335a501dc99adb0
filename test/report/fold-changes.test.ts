import { describe, expect, test } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import { countLogicalChanges } from '../../src/model/logical-changes.ts';
import { Sealed } from '../../src/model/sealed.ts';
import { foldChanges, formatEntryName, variedValuesText } from '../../src/report/fold-changes.ts';
import { change, secret } from './builders.ts';

const sites = ['at', 'de', 'fi', 'fr', 'it'];
const none = new Set<string>();
const folded = (changes: Change[], isFull = false) =>
  foldChanges(changes, {
    sentAddresses: none,
    planAddresses: changes.map(({ address }) => address),
    isFull,
  }).map(formatEntryName);
const edit = (address: string, before: unknown, after: unknown, rest: Partial<Change> = {}) =>
  change('update', address, {
    fields: [{ path: 'value', before: before as string, after: after as string, cause: 'edit' }],
    ...rest,
  });

describe('what reads alike is one entry', () => {
  test('equal edits are, and what differs stands alone', () => {
    const changes = sites.map((site) =>
      edit(`projects/site-${site}`, '22.x', site === 'fr' ? '20.x' : '24.x'),
    );
    expect(folded(changes)).toEqual([
      { count: 4, name: 'projects/site-{at,de,fi,it}', targets: [] },
      { name: 'projects/site-fr', targets: [] },
    ]);
    expect(folded(changes, true)).toHaveLength(5);
  });

  test('another cause, grade or reason is no equal edit', () => {
    const [first, ...others] = sites.map((site) => edit(`projects/${site}`, 'a', 'b'));
    const variants: Change[] = [
      { ...first!, grade: 'disruptive' },
      { ...first!, reason: 'changed outside' },
      { ...first!, fields: [{ ...first!.fields[0]!, cause: 'drift' }] },
      { ...first!, fields: [{ ...first!.fields[0]!, replaces: true }] },
    ];
    for (const variant of variants) expect(folded([variant, ...others])).toHaveLength(2);
  });

  test('without a pattern, three names and a number', () => {
    const changes = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => edit(`projects/${name}`, 'x', 'y'));
    const all = [...changes.map(({ address }) => address), 'projects/g'];
    expect(foldChanges(changes, { sentAddresses: none, planAddresses: all }).map(formatEntryName)).toEqual([
      { name: 'projects/a, projects/b, projects/c and 3 more', targets: [] },
    ]);
  });

  test('what is made in one parent keeps its names', () => {
    const made = (address: string, parent: string) =>
      change('create', address, { parent, fields: [{ path: 'value', after: '1', cause: 'edit' }] });
    expect(
      folded(['A', 'B', 'C', 'D'].map((name) => made(`projects/web/env/${name}`, 'projects/web'))),
    ).toHaveLength(4);
    expect(
      folded(sites.map((site) => made(`projects/${site}/env/A`, `projects/${site}`))).map(({ name }) => name),
    ).toEqual(['projects/*/env/A']);
  });
});

test('nobody can tell from an entry that two secrets are equal', () => {
  const secrets = (values: string[]) =>
    folded(
      values.map((value, at) =>
        edit(`projects/p${at}/env/TOKEN`, new Sealed('old'), new Sealed(value), {
          fields: [
            {
              path: 'value',
              before: new Sealed(`old${at}`),
              after: new Sealed(value),
              cause: 'edit',
              secret: true,
            },
          ],
        }),
      ),
    );
  expect(secrets(['same', 'same', 'same', 'other'])).toEqual(secrets(['one', 'two', 'three', 'four']));
  // Even where something forgot to seal what it calls secret.
  const open = (values: string[]) =>
    folded(
      values.map((value, at) =>
        change('update', `projects/p${at}`, {
          fields: [{ path: 'a', after: value, cause: 'edit', secret: true }],
        }),
      ),
    );
  expect(open(['same', 'same', 'same', 'other'])).toEqual(open(['one', 'two', 'three', 'four']));
});

test('an entry shows the names of all its secrets', () => {
  const withSecrets = (action: 'create' | 'update', before?: Sealed) =>
    foldChanges(
      sites.map((site) =>
        change(action, `projects/${site}/env/TOKEN`, {
          parent: `projects/${site}`,
          fields: [{ path: 'value', before, after: secret(`token_${site}`), cause: 'edit', secret: true }],
        }),
      ),
      { sentAddresses: none, planAddresses: [] },
    );
  const [created, ...others] = withSecrets('create');
  expect(others).toEqual([]);
  expect(created!.variedPaths).toEqual(new Set(['value']));
  expect(variedValuesText(created!, 'value')).toBe(
    '(secret) ${secret.token_at}, (secret) ${secret.token_de}, (secret) ${secret.token_fi} and 2 more',
  );
  // Values may differ in creations only.
  expect(withSecrets('update', new Sealed('old'))).toHaveLength(sites.length);
});

test('a variable in several targets is one change', () => {
  const at = { file: 'trueup.yaml', line: 3, column: 5 };
  const units = (name: string, value: string) =>
    ['development', 'preview', 'production'].map((target) =>
      edit(`projects/web/env/${name}@${target}`, 'a', value, {
        at,
        parent: 'projects/web',
        kind: 'projectEnvVar',
      }),
    );
  const changes = [...units('A', 'b'), ...units('B', 'c')];
  expect(countLogicalChanges(changes)).toBe(2);
  expect(folded(changes)).toEqual([
    { name: 'projects/web/env/A', targets: ['production', 'preview', 'development'] },
    { name: 'projects/web/env/B', targets: ['production', 'preview', 'development'] },
  ]);
  // One of them was changed outside: that is another change.
  changes[0] = { ...changes[0]!, fields: [{ ...changes[0]!.fields[0]!, cause: 'drift' }] };
  expect(countLogicalChanges(changes)).toBe(3);
});
