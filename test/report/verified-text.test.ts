import { expect, it } from 'vitest';
import type { Plan } from '../../src/model/plan.ts';
import { verifiedText } from '../../src/report/verified-text.ts';
import { change, planOf } from './builders.ts';

const said = (more: Partial<Plan>, goal: 'configuration' | 'undone' | 'destroyed' = 'configuration') =>
  verifiedText({ ...planOf(), ...more }, { goal, sideEffects: [] });
const notCompared: Plan['notCompared'] = [
  { cause: 'unread', items: [{ address: 'projects/a', kind: 'project' }] },
];
const variable = (read: object) =>
  change('noop', 'projects/web/env/A@production', {
    declared: ['value', 'type'],
    before: { fields: { type: 'sensitive', ...read } } as never,
    after: { fields: { type: 'sensitive', value: { $secret: 'a' } } } as never,
  });

it('says what is proven, by what was to be reached', () => {
  expect(said({})).toBe('Verified: the account matches the configuration.');
  expect(said({}, 'undone')).toBe('Verified: the run is undone.');
  expect(said({}, 'destroyed')).toBe('Verified: the account has nothing left of this stack.');
});

it('says of a part that it is one, and that not everything could be read', () => {
  expect(said({ isNarrowed: true })).toBe('Verified: the selected part matches the configuration.');
  expect(said({ isNarrowed: true }, 'destroyed')).toBe(
    'Verified: the account has nothing left of the selected part.',
  );
  expect(said({ complete: false })).toBe(
    'Verified: the account matches the configuration in the compared values. Incomplete.',
  );
  expect(said({ complete: false, notCompared }, 'undone')).toBe(
    'Verified: the run is undone in the compared values. Incomplete: 1 object not compared.',
  );
});

it('takes no secret for proven that cannot be read back', () => {
  expect(said({ changes: [variable({})] })).toBe(
    'Verified: the account matches the configuration, except 1 secret that cannot be read back.',
  );
  expect(said({ changes: [variable({ value: 'x' })] })).toBe(
    'Verified: the account matches the configuration.',
  );
});

it('says which secrets were not set, instead of calling them unreadable', () => {
  const unset = { ...variable({}), uncompared: ['value'], declared: ['type'] };
  const item = { address: unset.address, kind: 'projectEnvVar', path: 'value' };
  expect(said({ changes: [unset], notCompared: [{ cause: 'unavailable', items: [item] }] })).toBe(
    'Verified: the account matches the configuration in the compared values. Not compared: 1 secret. 1 secret was not set, because its value is not available here: projects/web/env/A `value`.',
  );
  expect(said({ changes: [unset], notCompared: [{ cause: 'no-key', items: [item] }] })).toBe(
    'Verified: the account matches the configuration in the compared values. Not compared: 1 secret.',
  );
});

it('does not hide what is not ready, and what else changed', () => {
  const waiting = [{ address: 'a', why: 'not yet' }];
  const beside = [{ type: 'gone' as const, address: 'b', kind: 'k' }];
  expect(verifiedText({ ...planOf(), waiting }, { goal: 'configuration', sideEffects: beside })).toBe(
    'Verified: the account matches the configuration. 1 object is not ready yet. 1 other difference appeared in the meantime: see above.',
  );
});
