import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatAnnotations, notice } from '../../src/github/actions.ts';
import { escapeName } from '../../src/model/address.ts';
import type { FieldCause, FieldChange } from '../../src/model/change.ts';
import { problem } from '../../src/model/diagnostic.ts';
import { Sealed } from '../../src/model/sealed.ts';
import type { Value } from '../../src/model/value.ts';
import { diagnosticsText } from '../../src/report/diagnostics-text.ts';
import { eventWriter, reduceProgress, renderProgress, startProgress } from '../../src/report/events-text.ts';
import { planHtml } from '../../src/report/html/page.ts';
import { appliedMarkdown } from '../../src/report/markdown/applied-markdown.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { failureMarkdown } from '../../src/report/markdown/stacks-markdown.ts';
import { outcomeText } from '../../src/report/outcome-text.ts';
import { graphDot, graphMermaid, operationGraph, resourceGraph } from '../../src/report/plan-graph.ts';
import { planJson, validationJson } from '../../src/report/plan-json.ts';
import { planText } from '../../src/report/plan-text.ts';
import { sarif } from '../../src/report/sarif.ts';
import { jsonLine, jsonText } from '../../src/report/show.ts';
import { outcomeLines } from '../../src/report/terraform/apply-lines.ts';
import { markerLines, planLines } from '../../src/report/terraform/plan-lines.ts';
import { logLine } from '../../src/report/terraform/stream-line.ts';
import { terraformPlan } from '../../src/report/terraform/terraform-plan.ts';
import { errorLines } from '../../src/report/text.ts';
import { codePoint } from '../support/characters.ts';
import { runs } from '../support/sweep.ts';
import { change, operation, planOf, plainStyle as style } from './builders.ts';
import { canary } from './realistic.ts';

/** Text as an attacker would like to have it printed. */
const nasty = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.constantFrom(
    '\u001b[2J',
    '\u001b]0;x\u0007',
    '\u009b31m',
    'a\n::add-mask::b',
    '::error::x',
    '\u202eabc',
    'a\u200bb',
    'a\u2066b\u2069',
    '\u00ad\ufeff',
    'a\u{e0041}b',
    '\u2028::error::x',
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
    { type: 'skipped' as const, operation: op, reason: words },
    { type: 'failed' as const, operation: op, error },
    { type: 'left' as const, operation: op, rateLimit },
  ];
  const outcome = {
    done: [address],
    failed: [{ address, error }],
    postponed: [{ address, rateLimit }],
    skipped: [{ address, reason: words }],
    overwritten: [address],
    interrupted: true,
  };
  return [
    planMarkdown(plan),
    failureMarkdown({ command: 'plan', done: 'planned', stack: words, diagnostics: [diagnostic] }),
    appliedMarkdown(plan, { outcome }, 65_536),
    sarif([diagnostic], {
      version: '0',
      homepage: undefined,
      file: words,
      locate: (file) => file,
      explain: () => undefined,
    }),
    ...formatAnnotations([diagnostic], (file) => file).map((line) => line.replace(/^::/, '')),
    notice(words).replace(/^::/, ''),
    validationJson([diagnostic]),
    markerLines(plan),
    ...[...planLines(plan), ...outcomeLines(plan, outcome, 0), logLine(words)].map(jsonLine),
    jsonText(terraformPlan(plan)),
    graphDot(resourceGraph(plan)),
    graphMermaid(operationGraph(plan)),
    `error: ${Object.values(errorLines(error)).flat().join('\nhint: ')}`,
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
        expect(report).not.toMatch(/[^\P{Cc}\n\t]|[\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
        expect(report).not.toMatch(/^\s*::/m);
      }
    }),
    { numRuns: runs(1500, 40) },
  );
});

const odd = [
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\u00ad',
  '\ufeff',
  '\u2028',
  '\u0007',
  '\u009b',
  '\u3164',
  '\u{e0041}',
  '\ud800',
];

it.each(odd)('each face shows %j as an escape, and JSON still says the same', (char) => {
  const name = `a${char}b`;
  const spelled = [...Array(char.length).keys()]
    .map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
  const diagnostic = problem('x', name, { at: { file: 'f', line: 1, column: 1, text: name } });
  const plan = planOf({
    changes: [
      change('update', 'things/x', {
        fields: [{ path: 'p', before: '', after: name, cause: 'edit' }],
        reason: name,
      }),
    ],
    operations: [],
    diagnostics: [diagnostic],
  });
  const shown = {
    terminal: planText(plan, { style, requests: false }),
    problems: diagnosticsText([diagnostic], { style }),
    markdown: planMarkdown(plan),
    html: planHtml(plan),
    annotation: formatAnnotations([diagnostic], (file) => file).join('\n'),
    live: renderProgress(
      reduceProgress(startProgress(plan), { type: 'waiting', seconds: 1, reason: name }),
      style,
    ),
    stream: planLines(plan).map(jsonLine).join('\n'),
    json: jsonText(planJson(plan)),
    terraform: jsonText(terraformPlan(plan)),
    sarif: sarif([diagnostic], {
      version: '0',
      homepage: undefined,
      file: 'f',
      locate: (file) => file,
      explain: () => undefined,
    }),
  };
  for (const [face, text] of Object.entries(shown))
    expect(text.replaceAll('\\\\', '\\'), face).toContain(spelled);
  expect(JSON.parse(shown.json)).toEqual(JSON.parse(JSON.stringify(planJson(plan))));
  expect(JSON.parse(shown.sarif).runs[0].results[0].message.text).toBe(`a${spelled}b`);
});
