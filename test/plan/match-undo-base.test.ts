import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Desired, Resource } from '../../src/model/resource.ts';
import type { Fields } from '../../src/model/value.ts';
import { declaresBefore } from '../../src/plan/match-undo-base.ts';
import type { ChangeToUndo } from '../../src/plan/predict-undo.ts';
import { kinds } from '../support/world.ts';

const at = 'projects/web';
const desired = (fields: Fields | undefined): Desired =>
  ({
    resources: new Map(
      fields
        ? [[at, { address: at, kind: 'project', fields, meta: {}, index: 0 } as unknown as Resource]]
        : [],
    ),
  }) as unknown as Desired;
const change = (
  action: ChangeToUndo['action'],
  fields: Partial<ChangeToUndo['fields'][number]>[] = [],
): ChangeToUndo => ({
  address: at,
  kind: 'project',
  action,
  fields: fields.map((field) => ({ path: 'framework', cause: 'edit', ...field })),
});
const edit = change('update', [{ before: 'nextjs' }]);
const nextjs = { framework: 'nextjs' };
const astro = { framework: 'astro' };
const secret = (name: string): Fields => ({ framework: { $secret: name } });

it.each<
  [
    string,
    ChangeToUndo,
    { own: Fields; previous?: Fields; fits: Fields | undefined; not?: Fields | 'nothing' },
  ]
>([
  ['an edited field', edit, { own: astro, previous: nextjs, fits: nextjs, not: astro }],
  ['a field that was released in between', edit, { own: astro, previous: nextjs, fits: nextjs, not: {} }],
  ['a field that nothing declared before', edit, { own: astro, previous: {}, fits: {}, not: astro }],
  [
    'drift',
    change('update', [{ before: 'hugo', cause: 'drift' }]),
    { own: astro, previous: astro, fits: astro, not: 'nothing' },
  ],
  [
    'another secret',
    change('update', [{ secret: true }]),
    { own: secret('b'), previous: secret('a'), fits: secret('a'), not: secret('b') },
  ],
  [
    'a rotated secret',
    change('update', [{ secret: true }]),
    { own: secret('a'), previous: secret('a'), fits: secret('a') },
  ],
  ['a creation', change('create'), { own: astro, fits: undefined, not: astro }],
  ['a creation again', change('create'), { own: astro, previous: astro, fits: astro }],
  [
    'a deletion',
    change('delete', [{ before: 'nextjs' }, { path: 'rootDirectory', before: 'a' }]),
    { own: {}, previous: nextjs, fits: nextjs, not: astro },
  ],
  [
    'a field that is released',
    change('update', [{ before: 'nextjs', cause: 'released' }]),
    { own: {}, previous: nextjs, fits: nextjs, not: {} },
  ],
])('finds the configuration from before %s', (_, undone, { own, previous, fits, not }) => {
  const input = {
    changes: [undone],
    desiredOfRun: desired(own),
    desiredOfPreviousRun: previous && desired(previous),
    kinds,
  };
  expect(declaresBefore(desired(fits), input)).toBe(true);
  if (not) expect(declaresBefore(desired(not === 'nothing' ? undefined : not), input)).toBe(false);
});

it('a deleted object with an ignored field need not have had its declared value', () => {
  const ignoring = desired({ framework: 'astro', rootDirectory: 'a' });
  ignoring.resources.get(at)!.meta = { ignore: ['framework'] };
  const changes = [change('delete', [{ before: 'nextjs' }, { path: 'rootDirectory', before: 'a' }])];
  const input = { changes, desiredOfRun: desired(undefined), desiredOfPreviousRun: ignoring, kinds };
  expect(declaresBefore(ignoring, input)).toBe(true);
});

it('never takes a configuration with another value for the one from before', () => {
  const value = fc.constantFrom('nextjs', 'astro', 'hugo');
  const fields = fc.record({ framework: value, buildCommand: value }, { requiredKeys: [] });
  fc.assert(
    fc.property(fields, fields, fields, (previous, between, own) => {
      const changed = (['framework', 'buildCommand'] as const).filter(
        (path) => previous[path] !== own[path] && previous[path] !== undefined && own[path] !== undefined,
      );
      const undone = change(
        'update',
        changed.map((path) => ({ path, before: previous[path] })),
      );
      const input = {
        changes: [undone],
        desiredOfRun: desired(own),
        desiredOfPreviousRun: desired(previous),
        kinds,
      };
      expect(declaresBefore(desired(previous), input)).toBe(true);
      const isSame = changed.every((path) => between[path] === previous[path]);
      expect(declaresBefore(desired(between), input)).toBe(isSame);
    }),
  );
});
