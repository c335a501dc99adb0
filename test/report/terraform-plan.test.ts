import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { savePlan } from '../../src/approval/save-plan.ts';
import { savedPlan } from '../../src/approval/saved-plan.ts';
import { shownPlan } from '../../src/approval/shown-plan.ts';
import type { Change } from '../../src/model/change.ts';
import type { Plan } from '../../src/model/plan.ts';
import type { LiveResource } from '../../src/model/resource.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Fields } from '../../src/model/value.ts';
import { jsonLine } from '../../src/report/show.ts';
import { terraformAddressOf } from '../../src/report/terraform/sides.ts';
import { terraformPlan } from '../../src/report/terraform/terraform-plan.ts';
import { oneRowIn, oneStoryIn, sampled } from '../support/sweep.ts';
import { kinds } from '../support/world.ts';
import { change, edit, operation, planOf, ref, resource, secret, set } from './builders.ts';
import { canary, type TenPlans, tenPlans } from './ten-plans.ts';
import {
  deviations,
  hasReference,
  hasTerraform,
  madeNow,
  recorded,
  type TerraformDocument,
  withActions,
} from './terraform-shape.ts';

const story = oneStoryIn(4);

const plans = await tenPlans();
const { '2,000 changes': many, ...others } = plans;
const live = (address: string, fields: Fields): LiveResource => ({
  ...resource(address, fields),
  id: 'x',
  ids: ['x'],
});

/** One change of each action; made by hand, so that all are in one plan. */
const one = (action: Change['action'], name: string, more: Partial<Change> = {}) =>
  change(action, `things/${name}`, { id: `id-${name}`, ...more });
const both = {
  before: live('x', { kept: ['k'] }),
  after: resource('x', { kept: ['k'] }),
  declared: ['kept'],
};
const everyAction = planOf({
  changes: [
    change('create', 'things/create', { fields: [set('a', 1), set('b', { c: ref('things/replace') })] }),
    one('adopt', 'adopt', both),
    one('adopt', 'adopted-and-changed', { ...both, fields: [edit('a', 1, 2)] }),
    one('update', 'update', { ...both, fields: [edit('a', 1, 2)] }),
    one('move', 'move', both),
    one('replace', 'replace', { ...both, fields: [{ ...edit('a', 1, 2), replaces: true }, edit('b', 1, 2)] }),
    one('delete', 'delete', { before: live('x', { a: 1 }) }),
    one('forget', 'forget'),
    one('release', 'release'),
    one('release', 'fewer', { ...both, fields: [{ path: 'a', before: 1, cause: 'released' }] }),
    one('noop', 'noop', both),
  ],
  operations: [operation(['things/adopted-and-changed'], [{ endpoint: 'PATCH /v1/things' }])],
});
const textOf = (plan: Plan) => jsonLine(terraformPlan(plan));
const documentOf = (plan: Plan) => JSON.parse(textOf(plan)) as TerraformDocument;
const changeOf = (plan: Plan, name: string) =>
  terraformPlan(plan).resource_changes.find(({ index }) => index === `things/${name}`)!;

describe('actions', () => {
  it('are what Terraform calls them', () => {
    const actions = terraformPlan(everyAction).resource_changes.map(({ index, change }) => [
      index.replace('things/', ''),
      change.actions.join(' '),
      ...(change.importing ? [change.importing.id] : []),
    ]);
    expect(Object.fromEntries(actions.map(([name, ...rest]) => [name, rest.join(' ')]))).toEqual({
      create: 'create',
      adopt: 'no-op id-adopt',
      'adopted-and-changed': 'update id-adopted-and-changed',
      update: 'update',
      move: 'update',
      replace: 'delete create',
      delete: 'delete',
      forget: 'forget',
      release: 'forget',
      fewer: 'no-op',
      noop: 'no-op',
    });
  });

  it('what was renamed here tells where it was', () => {
    const renamed = planOf({ changes: [one('update', 'new', { ...both, recordedAddress: 'things/old' })] });
    expect(changeOf(renamed, 'new').previous_address).toBe('trueup_thing.old["things/old"]');
    expect(changeOf(everyAction, 'update').previous_address).toBeUndefined();
  });

  it('a replacement tells what it is for; a deletion why', () => {
    expect(changeOf(everyAction, 'replace')).toMatchObject({
      change: { replace_paths: [['a']], after_unknown: { id: true } },
      action_reason: 'replace_because_cannot_update',
    });
    expect(changeOf(planOf({ changes: [one('replace', 'x')] }), 'x')).toMatchObject({
      action_reason: 'replace_because_tainted',
    });
    expect(changeOf(everyAction, 'delete').action_reason).toBe('delete_because_no_resource_config');
  });

  it('what is not known before the apply is marked and left out; a mark stands in place of what is secret', () => {
    const fields = [
      set('id_of_new', ref('things/new')),
      set('id_of_old', ref('things/old')),
      set('text', { $join: ['https://', ref('things/old')] }),
      set('list', [ref('things/new'), 'x']),
      set('token', secret('token')),
      set('deep.inner', new Sealed(canary)),
      set('deep.plain', 1),
      { ...set('flagged', canary), secret: true },
    ];
    const { change: shown } = changeOf(
      planOf({
        changes: [change('create', 'things/new', { fields }), one('noop', 'old', { id: 'id-old' })],
      }),
      'new',
    );
    expect(shown).toEqual({
      actions: ['create'],
      before: null,
      after: {
        id_of_old: 'id-old',
        text: 'https://id-old',
        list: [null, 'x'],
        token: '(secret)',
        deep: { inner: '(secret)', plain: 1 },
        flagged: '(secret)',
      },
      after_unknown: { id: true, id_of_new: true, list: [true, false], deep: {} },
      before_sensitive: false,
      after_sensitive: { token: true, list: [false, false], deep: { inner: true }, flagged: true },
    });
  });
});

describe('both sides', () => {
  const whole = live('x', {
    declared: 'old',
    beside: { on: true },
    options: { ours: 1, theirs: 2 },
    password: new Sealed(canary),
    token: new Sealed(canary),
    headers: { auth: new Sealed(canary), plain: 'x' },
  });
  const members: Partial<Change> = {
    before: whole,
    after: resource('x', { declared: 'new', options: { ours: 1 }, token: secret('token') }),
    declared: ['declared', 'headers', 'options.ours', 'token'],
    fields: [
      edit('declared', 'old', 'new'),
      { ...edit('token', new Sealed(canary), secret('token')), secret: true },
      edit('headers', whole.fields.headers!, { auth: secret('auth'), plain: 'x' }),
    ],
  };
  const update = one('update', 'x', members);
  const plan = planOf({ changes: [update] });

  it('are the whole object as far as it is known, and say what is declared', () => {
    const { change: shown, trueup } = changeOf(plan, 'x');
    const kept = { beside: { on: true }, id: 'id-x', options: { ours: 1, theirs: 2 }, password: '(secret)' };
    expect(shown.before).toEqual({
      ...kept,
      declared: 'old',
      headers: { auth: '(secret)', plain: 'x' },
      token: '(secret)',
    });
    expect(shown.after).toEqual({
      ...kept,
      declared: 'new',
      headers: { auth: '(secret, changed)', plain: 'x' },
      token: '(secret, changed)',
    });
    expect(shown.after_sensitive).toMatchObject({ headers: { auth: true }, password: true, token: true });
    expect(shown.after_unknown).toEqual({});
    expect(trueup.declared).toEqual(['declared', 'headers', 'options.ours', 'token']);
    expect(textOf(plan)).not.toContain(canary);
  });

  it('a field that is released is not declared any more', () => {
    const released = change('update', 'things/x', {
      fields: [edit('note', 1, 2), { path: 'old', before: 1, cause: 'released' }],
    });
    expect(changeOf(planOf({ changes: [released] }), 'x').trueup.declared).toEqual(['note']);
  });

  it('a new object has only what is declared: what the platform gives it is not known', () => {
    const anew = planOf({ changes: [one('replace', 'x', members)] });
    expect(Object.keys(changeOf(anew, 'x').change.after!)).toEqual([
      'declared',
      'headers',
      'options',
      'token',
    ]);
    expect(changeOf(anew, 'x').change.before).toHaveProperty('beside');
  });
});

it('what was deleted outside is drift, and made anew', () => {
  const gone = change('create', 'things/gone', { reason: 'deleted outside', outside: true });
  expect(terraformPlan(planOf({ changes: [gone] })).resource_drift).toMatchObject([
    { index: 'things/gone', change: { actions: ['delete'], before: {}, after: null } },
  ]);
});

it('a replacement says what comes first, as the requests do', () => {
  const replaced = one('replace', 'x', { fields: [{ ...edit('a', 1, 2), replaces: true }] });
  const [goes, comes] = [
    operation(['things/x'], [{ endpoint: 'DELETE /v1/things/{id}' }], { id: 'delete' }),
    operation(['things/x'], [{ endpoint: 'GET /v1/things' }, { endpoint: 'POST /v1/things' }], {
      id: 'create',
    }),
  ];
  const actions = (operations: Plan['operations']) =>
    changeOf(planOf({ changes: [replaced], operations }), 'x').change.actions;
  expect(actions([{ ...comes, dependsOn: ['delete'] }, goes])).toEqual(['delete', 'create']);
  expect(actions([{ ...goes, dependsOn: ['create'] }, comes])).toEqual(['create', 'delete']);
  // In one request: nobody can tell.
  expect(actions([operation(['things/x'], [{ endpoint: 'PUT /v1/things' }])])).toEqual(['delete', 'create']);
});

it.each(['edit', 'unverified'] as const)(
  'a secret that cannot be read differs where it is written: %s',
  (cause) => {
    const fields = [{ path: 'token', after: secret('token'), secret: true as const, cause }];
    const of = (action: 'create' | 'update') =>
      changeOf(planOf({ changes: [change(action, 'things/x', { fields })] }), 'x').change;
    expect(of('update')).toMatchObject({
      before: { token: '(secret)' },
      after: { token: '(secret, changed)' },
      before_sensitive: { token: true },
      after_sensitive: { token: true },
    });
    expect(of('create')).toMatchObject({ before: null, after: { token: '(secret)' } });
  },
);

it('a field that others changed is drift: what was left, and what is there now', () => {
  const fields = [
    { ...edit('drifted', 'theirs', 'ours'), cause: 'drift' as const },
    { ...edit('fought over', 'theirs', 'new'), cause: 'conflict' as const },
    edit('edited', 'old', 'new'),
  ];
  const after = resource('x', { 'fought over': 'new', drifted: 'ours', edited: 'new' });
  const declared = ['drifted', 'edited', 'fought over'];
  const { resource_drift: drift } = terraformPlan(
    planOf({ changes: [one('update', 'x', { fields, after, declared })] }),
  );
  expect(drift).toMatchObject([{ index: 'things/x', change: { actions: ['update'] } }]);
  expect([drift![0]!.change.before, drift![0]!.change.after]).toEqual([
    { drifted: 'ours', edited: 'old', id: 'id-x' },
    { drifted: 'theirs', 'fought over': 'theirs', edited: 'old', id: 'id-x' },
  ]);
  expect(terraformPlan(everyAction).resource_drift).toBeUndefined();
});

it('the configuration tells what refers to what', () => {
  const { root_module: module } = terraformPlan(everyAction).configuration;
  expect(module.resources).toContainEqual(
    expect.objectContaining({
      address: 'trueup_thing.create',
      expressions: {
        b: {
          references: [
            'trueup_thing.replace["things/replace"].id',
            'trueup_thing.replace["things/replace"]',
            'trueup_thing.replace',
          ],
        },
      },
    }),
  );
});

story('addresses are unique, and depend on nothing but our own', () => {
  expect(terraformAddressOf('projectEnvVar', 'projects/a.b/env/A@production')).toEqual({
    address: 'trueup_project_env_var.a_b["projects/a.b/env/A@production"]',
    type: 'trueup_project_env_var',
    name: 'a_b',
    index: 'projects/a.b/env/A@production',
  });
  expect(terraformAddressOf('project', 'projects/9')).toMatchObject({ name: '_9' });
  for (const [name, plan] of Object.entries(plans)) {
    const addresses = documentOf(plan).resource_changes!.map(({ address }) => address);
    expect(new Set(addresses).size, name).toBe(plan.changes.length);
    expect(addresses, name).toEqual([...addresses].sort());
  }
});

const actions = [
  ['create'],
  ['update'],
  ['delete'],
  ['delete', 'create'],
  ['forget'],
  ['no-op'],
  ['no-op', 'import'],
];

/** Everything of ours that is built otherwise than in these plans. */
function deviating(theirs: TerraformDocument[]): string[] {
  const seen = new Set<string>();
  for (const plan of [everyAction, ...Object.values(others)]) {
    const ours = documentOf(plan);
    const drifted = { ...ours };
    // No plan with drift can be made with what is built in; its place is known from the documentation.
    delete drifted.resource_drift;
    const add = (where: string, found: string[]) => found.map((text) => seen.add(`${where}: ${text}`));
    add('plan', deviations(drifted, theirs, ['trueup']));
    for (const [first, second] of actions) {
      const isImport = second === 'import';
      const names = [first!, ...(second === 'create' ? [second] : [])];
      const real = withActions(theirs, names, isImport);
      if (real.length === 0) continue;
      for (const mine of withActions([ours], names, isImport)) {
        // Theirs have an index only where there are several.
        add(names.join(), deviations(mine, real, ['trueup', 'index']));
        add(
          names.join(),
          deviations(
            mine.change,
            real.map(({ change }) => change),
          ),
        );
      }
    }
  }
  return [...seen];
}

// What is built otherwise on purpose: there is always a list and an object to go through.
const meant = ['plan: output_changes', 'plan: variables', 'plan: prior_state'];
const unexpected = (theirs: TerraformDocument[]) =>
  deviating(theirs).filter((text) => !meant.some((one) => text.startsWith(one)));

it.skipIf(!hasReference)('is built as plans of the real binary are (skipped: no ../shared/reference)', () => {
  expect(unexpected(recorded())).toEqual([]);
  const drifting = Object.keys(documentOf(plans['drift only']));
  expect(drifting.indexOf('resource_drift')).toBe(drifting.indexOf('planned_values') + 1);
});

it.skipIf(!hasTerraform())('is built as plans that terraform makes now are (skipped: no terraform)', () => {
  const made = madeNow();
  const seen = new Set(
    made.flatMap(({ resource_changes = [] }) => resource_changes.map((one) => one.change.actions.join())),
  );
  expect([...seen].sort()).toEqual(['create', 'delete', 'delete,create', 'no-op', 'update']);
  expect(unexpected(made)).toEqual([]);
});

it('another structure is found', () => {
  const theirs = [
    { a: 1, b: [], c: null },
    { a: 1, c: {} },
  ];
  expect(deviations({ a: 1, b: [], c: {} }, theirs)).toEqual([]);
  expect(deviations({ d: 1, c: 'x' }, theirs)).toEqual([
    'd: they have none',
    'a: all of them have it',
    'c: is string, theirs never',
  ]);
  expect(deviations({ c: null, a: 1 }, theirs)).toEqual(['c a: the other way round']);
});

it.each(sampled(Object.keys(plans) as (keyof TenPlans)[], 1))('a saved plan shows the same: %s', (name) => {
  const saved = savePlan(plans[name], {
    baseUrl: 'http://x',
    owner: 'o',
    generation: 7,
    options: {},
    kinds,
    secrets: new Map(),
  });
  const read = shownPlan(savedPlan.parse(JSON.parse(JSON.stringify(saved))));
  expect(textOf(read)).toBe(textOf(plans[name]));
});

oneRowIn(5)(Object.entries(others))('golden: %s', async (name, plan) => {
  await expect(golden(documentOf(plan))).toMatchFileSnapshot(`golden/terraform/${name}.txt`);
});

story('golden: 2,000 changes', async () => {
  const lines = golden(documentOf(many)).split('\n');
  const text = [...lines.slice(0, 12), `... ${lines.length - 24} more lines`, ...lines.slice(-12)].join('\n');
  await expect(text).toMatchFileSnapshot('golden/terraform/2,000 changes.txt');
});

/** A member a line, an item of a list a line; without our own format, which has golden files of its own. */
const golden = (document: TerraformDocument): string =>
  Object.entries(document)
    .flatMap(([name, value]) =>
      Array.isArray(value)
        ? [`${name}:`, ...value.map(({ trueup: _, ...item }) => `  ${JSON.stringify(item)}`)]
        : [`${name}: ${JSON.stringify(value, null, 1).replace(/\n\s*(?![\s{])/g, ' ')}`],
    )
    .join('\n');

story('terraform-visual takes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'trueup-visual-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const text = textOf(plans['hostile names']);
  writeFileSync(join(folder, 'plan.json'), text);
  const bin = resolve('node_modules/@terraform-visual/cli/bin/index.js');
  const printed = execFileSync(process.execPath, [bin, '--plan', 'plan.json'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(printed).toContain('Report generated successfully!');
  const script = readFileSync(join(folder, 'terraform-visual-report/plan.js'), 'utf8');
  const window: { TF_PLAN?: unknown } = {};
  new Function('window', script)(window);
  expect(window.TF_PLAN).toEqual(JSON.parse(text));
});
