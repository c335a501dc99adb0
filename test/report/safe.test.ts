import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeName } from '../../src/model/address.ts';
import type { FieldCause, FieldChange } from '../../src/model/change.ts';
import { problem } from '../../src/model/diagnostic.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Value } from '../../src/model/value.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { eventWriter } from '../../src/report/events-text.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { jsonText } from '../../src/report/json-value.ts';
import { reduceProgress, renderProgress, startProgress } from '../../src/report/live-view.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { planJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { change, operation, planOf, plainStyle as style } from './builders.ts';
import { canary } from './realistic.ts';

/** Text as an attacker would like to have it printed. */
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(
    '\u001b[2J',
    '\u001b]0;x\u0007',
    '\u009b31m',
    'a\n::add-mask::b',
    '::error::x',
    '\u202eabc',
    '\r\n::x',
    'x'.repeat(200),
  ),
);
const hole = fc.oneof(
  nasty.map((name) => ({ $ref: `projects/${escapeName(name)}`, attr: 'id' })),
  nasty.map((name) => ({ $secret: name })),
  nasty.map((step) => ({ $result: 0, path: [step] })),
);
const sealed = fc.option(nasty).map((name) => new Sealed(`${canary}\n${canary}`, name ?? undefined));
const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    nasty,
    fc.constantFrom(null, true, 12),
    sealed,
    hole,
    fc.array(fc.oneof(nasty, sealed, hole), { maxLength: 3 }).map(($join) => ({ $join })),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(nasty, tie('value'), { maxKeys: 5 }),
  ),
}));
const causes: FieldCause[] = ['edit', 'drift', 'conflict', 'unknown', 'recorded', 'released', 'unverified'];
const field: fc.Arbitrary<FieldChange> = fc.record(
  { path: nasty, before: value, after: value, cause: fc.constantFrom(...causes), secret: fc.boolean() },
  { requiredKeys: ['path', 'cause'] },
);
const scene = fc.record({
  names: fc.array(nasty, { minLength: 1, maxLength: 3 }),
  fields: fc.array(field, { maxLength: 4 }),
  words: nasty,
  body: value,
  param: value,
  action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const, 'adopt' as const),
});

/** Everything that can be said about one random plan and its apply. */
function reports({
  names,
  fields,
  words,
  body,
  param,
  action,
}: typeof scene extends fc.Arbitrary<infer T> ? T : never) {
  const addresses = names.map((name) => `things/${escapeName(name)}`);
  const error = Object.assign(new Error(words), { hint: words });
  const diagnostic = problem('x', words, {
    hint: words,
    at: { file: words, line: 1, column: 4, text: words },
  });
  const more = { fields, reason: words, grade: 'destructive' as const, gradeReason: words };
  const plan = planOf({
    stack: words,
    complete: false,
    changes: addresses.map((address) => change(action, address, more)),
    operations: [operation(addresses, [{ endpoint: 'PUT /things/{id}', params: { id: param }, body }])],
    diagnostics: [diagnostic],
  });
  const [address, op] = [addresses[0]!, plan.operations[0]!];
  const rateLimit = { bucket: words, until: 60_000 };
  const events = [
    { type: 'started' as const, operation: op },
    { type: 'waiting' as const, seconds: 1, reason: words },
    { type: 'skipped' as const, operation: op, because: words },
    { type: 'failed' as const, operation: op, error },
    { type: 'left' as const, operation: op, rateLimit },
  ];
  const outcome = {
    done: [address],
    failed: [{ address, error }],
    left: [{ address, rateLimit }],
    skipped: [{ address, because: words }],
    overwritten: [address],
    interrupted: true,
  };
  return [
    planText(plan, { style, requests: true }),
    planText(plan, { style, requests: true, verbose: true }),
    diagnosticsText([diagnostic], { style }),
    ...events.map(eventWriter(plan, { style })),
    renderProgress(events.slice(0, 2).reduce(reduceProgress, startProgress(plan)), style),
    outcomeText(plan, outcome, { style, now: 0 }),
    jsonText(planJson(plan)),
    planHtml(plan),
  ];
}

it('no report reveals a secret, obeys an escape, or lets text from outside begin a line', () => {
  fc.assert(
    fc.property(scene, (given) => {
      for (const report of reports(given)) {
        expect(report).not.toContain(canary);
        expect(report).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
        expect(report).not.toMatch(/^\s*::/m);
      }
    }),
    { numRuns: 500 },
  );
});
