import { describe, expect, it } from 'vitest';
import { Sealed } from '../../src/model/sealed.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { summarizePlan } from '../../src/report/plan-notes.ts';
import { planText } from '../../src/report/plan-text.ts';
import { jsonText } from '../../src/report/show.ts';
import { change, operation, plainStyle, planOf, ref, resource, secret, set } from './builders.ts';
import { canary, realistic } from './realistic.ts';

describe('planJson', () => {
  it('is a stable document', async () => {
    await expect(`${jsonText(planJson(realistic))}\n`).toMatchFileSnapshot('golden/plan.json.txt');
  });

  it('is the same whatever the order of changes and members', () => {
    const plan = (value: Parameters<typeof set>[1], addresses: string[]) =>
      planOf({
        changes: addresses.map((address) => change('create', address, { fields: [set('v', value)] })),
      });
    expect(jsonText(planJson(plan({ a: 1, b: { c: 2, d: 3 } }, ['x', 'y'])))).toBe(
      jsonText(planJson(plan({ b: { d: 3, c: 2 }, a: 1 }, ['y', 'x']))),
    );
  });

  it('has no whole objects and no secrets', () => {
    const after = resource('a', { note: 'whole object' });
    const fields = [
      set('plain', { deep: new Sealed(canary) }),
      { ...set('flagged', 'in the clear by mistake'), secret: true },
      set('named', new Sealed(canary, 'token')),
      set('ref', secret('token')),
      set('text', { $join: ['in the clear', secret('token')] }),
    ];
    const document = planJson(planOf({ changes: [change('create', 'a', { after, fields })] }));
    expect(JSON.stringify(document)).not.toMatch(/canary|in the clear|whole object/);
    expect(document.changes[0]!.fields.map(({ after, secret }) => [after, secret])).toEqual([
      [{ deep: '(secret)' }, false],
      ['(secret)', true],
      [{ $secret: 'token' }, true],
      [{ $secret: 'token' }, true],
      ['(secret)', true],
    ]);
  });

  it('renders requests with their holes', () => {
    const request = {
      endpoint: 'PATCH /v9/projects/{project}/env/{id}?upsert={mode}' as const,
      params: { project: ref('projects/web'), id: { $result: 0, path: ['created', 0, 'id'] }, mode: true },
      body: { a: ref('projects/web'), b: { $result: 0, path: ['id'] }, c: new Sealed(canary) },
    };
    expect(planJson(planOf({ operations: [operation(['a'], [request])] })).operations[0]!.requests).toEqual([
      {
        method: 'PATCH',
        path: '/v9/projects/{projects/web}/env/{created.0.id from answer 1}?upsert=true',
        body: { a: { $ref: 'projects/web', attr: 'id' }, b: { $result: 0, path: ['id'] }, c: '(secret)' },
      },
    ]);
  });

  it('is written without characters that a terminal obeys', () => {
    const document = { text: '\u001b[31m \u009b31m \u202e \t' };
    expect(jsonText(document)).toMatch(/^[\x20-\x7e\n]*$/);
    expect(JSON.parse(jsonText(document))).toEqual(document);
  });
});

it('summaryOf counts, forgotten as released', () => {
  const changes = (['create', 'create', 'release', 'forget', 'noop', 'move'] as const).map((action, i) =>
    change(action, String(i)),
  );
  expect(summarizePlan(planOf({ changes, unmanaged: [{ kind: 'x', address: 'x', id: 'x' }] }))).toEqual({
    create: 2,
    adopt: 0,
    adoptAndUpdate: 0,
    update: 0,
    replace: 0,
    delete: 0,
    move: 1,
    release: 2,
    noop: 1,
    renew: 0,
    unmanaged: 1,
    ofOtherStacks: 0,
    notCompared: 0,
    secretsNotCompared: 0,
  });
});

it('what only the ledger learns is counted by itself, and told in one line', () => {
  const plan = planOf({
    changes: (['adopt', 'forget', 'release'] as const).map((action, at) =>
      change(action, String(at), { changesLedgerOnly: true }),
    ),
  });
  expect(summarizePlan(plan)).toMatchObject({ adopt: 0, release: 0, renew: 3 });
  for (const text of [planText(plan, { style: plainStyle, requests: false }), planMarkdown(plan)])
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /The ledger is out of date for 3 objects.* No changes|No changes.*out of date for 3/,
    );
});

it('an adoption that also changes something counts as both, before and after', () => {
  const plan = planOf({
    changes: ['a', 'b', 'c'].map((address) => change('adopt', address)),
    operations: [operation(['b'], [{ endpoint: 'PATCH /v1/b' }])],
  });
  expect(summarizePlan(plan)).toMatchObject({ adopt: 3, adoptAndUpdate: 1, update: 0 });
  expect(planText(plan, { style: plainStyle, requests: false })).toContain(
    'Plan: 0 to create, 3 to adopt (1 of them changed), 0 to update, 0 to delete.\n1 request.',
  );
  const outcome = {
    done: ['a', 'b', 'c'],
    failed: [],
    postponed: [],
    skipped: [],
    overwritten: [],
    interrupted: false,
  };
  expect(outcomeText(plan, outcome, { style: plainStyle, now: 0 })).toContain(
    'Applied 3 changes: 3 adopted (1 of them changed).',
  );
});
