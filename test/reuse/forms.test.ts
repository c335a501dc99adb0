import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { hosting } from '../../providers/hosting/index.ts';
import { load } from '../../src/config/load.ts';
import { kindsOf } from '../../src/kind/define-kind.ts';
import { hasErrors } from '../../src/model/diagnostic.ts';
import { revealed } from '../../src/model/sealed.ts';

const kinds = kindsOf(hosting.kinds);
const rest = 'type: sensitive, comment: keep';
/** What a lower layer may say, and an upper one, in each form. */
const lowerForms = {
  short: 'low',
  map: `{ value: low, ${rest}, target: [production, preview] }`,
  'list of one': `[{ value: low, ${rest}, target: [production, preview] }]`,
  'list of two': `[{ value: one, ${rest}, target: [production] }, { value: two, ${rest}, target: [preview] }]`,
  'list of different ones': `[{ value: one, ${rest}, target: [production] }, { value: two, target: [preview] }]`,
};
const upperForms = {
  short: 'up',
  'map with a value': '{ value: up }',
  'map without a value': '{ comment: up }',
  'map with a target': '{ value: up, target: [production] }',
  'list of one': '[{ value: up }]',
  'list of two': '[{ value: up, target: [production] }, { value: down, target: [preview] }]',
  'list for other targets': '[{ value: up, target: [preview] }, { value: down, target: [production] }]',
};
/** Where the two layers are written. */
const places = {
  'a block on a template': (lower: string, upper: string) =>
    `templates: { t: { env: { X: ${lower} } } }\nprojects: { web: { $use: t, env: { X: ${upper} } } }`,
  'a patch of the block around': (lower: string, upper: string) =>
    `projects: { web: { env: { X: ${lower} } } }\npatches: [{ $at: projects/web, env: { X: ${upper} } }]`,
  'a patch of the entry': (lower: string, upper: string) =>
    `projects: { web: { env: { X: ${lower} } } }\npatches: [{ $at: projects/web/env/X, ${upper.slice(1, -1)} }]`,
  'a template on a template': (lower: string, upper: string) =>
    `templates: { s: { env: { X: ${lower} } }, t: { $use: s, env: { X: ${upper} } } }\nprojects: { web: { $use: t } }`,
};
const cases = Object.entries(places).flatMap(([place, write]) =>
  Object.entries(lowerForms).flatMap(([lowerForm, lower]) =>
    Object.entries(upperForms)
      .filter(([, upper]) => place !== 'a patch of the entry' || upper.startsWith('{'))
      .map(([upperForm, upper]) => ({
        name: `${place}: ${upperForm} on ${lowerForm}`,
        lower,
        upper,
        yaml: write(lower, upper),
      })),
  ),
);

/** The variables of a configuration by their target. */
async function variablesOf(yaml: string) {
  const text = `stack: s\nplatform: { personal: true }\n${yaml}`;
  const { desired, diagnostics } = await load({ kinds, cwd: resolve('test/reuse'), env: {}, text });
  const units = [...desired.resources.values()].filter(({ kind }) => kind === 'projectEnvVar');
  return { diagnostics, units: new Map(units.map(({ fields }) => [String(fields.target), fields])) };
}

it('no form of a variable loses a member of another one silently', async () => {
  const lost: string[] = [];
  const refused: string[] = [];
  for (const { name, lower, upper, yaml } of cases) {
    const { units: before } = await variablesOf(`projects: { web: { env: { X: ${lower} } } }`);
    const { units, diagnostics } = await variablesOf(yaml);
    if (hasErrors(diagnostics)) {
      expect(
        diagnostics.map(({ code }) => code),
        name,
      ).toEqual(['layer/unclear']);
      refused.push(name);
      continue;
    }
    const states = (member: string) => upper.includes(`${member}:`);
    for (const [target, fields] of before)
      for (const [member, value] of Object.entries(fields)) {
        const isLost = units.has(target) ? units.get(target)![member] === undefined : !states('target');
        const isChanged =
          !states(member) &&
          upper.startsWith('{') &&
          member !== 'key' &&
          units.has(target) &&
          revealed(units.get(target)![member]) !== revealed(value);
        if (isLost || isChanged) lost.push(`${name}: ${member} of ${target}`);
      }
  }
  expect(lost).toEqual([]);
  // Entries that do not name a target, on top of entries for one target each.
  const isUnclear = ({ name, upper }: (typeof cases)[number]) =>
    !upper.includes('target') && / on list of (two|different ones)$/.test(name);
  expect(refused).toEqual(cases.filter(isUnclear).map(({ name }) => name));
});
