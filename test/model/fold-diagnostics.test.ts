import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMissingConsentProblem, declaredExisting } from '../../src/kind/disclosure.ts';
import { type Diagnostic, problem, warning } from '../../src/model/diagnostic.ts';
import { foldDiagnostics } from '../../src/model/fold-diagnostics.ts';
import type { FieldPlace } from '../../src/model/resource.ts';
import { oneStoryIn } from '../support/sweep.ts';

const story = oneStoryIn(3);

const line = (number: number) => ({ file: 'a.yaml', line: number, column: 1 });
const about = (address: string, number = 1) =>
  warning('secret/not-compared', `${address}: the secret in \`value\` is not available`, {
    address,
    at: line(number),
  });

it('folds equal problems into one, from two on', () => {
  expect(foldDiagnostics([about('a', 1), about('b', 2)])).toMatchObject([
    {
      message: 'the secrets of 2 resources are not available here, so they were not compared: a and b',
      related: [{ message: 'b', at: line(2) }],
    },
  ]);
  const differing = [problem('x/y', 'a is wrong'), problem('x/y', 'a is missing')];
  expect(foldDiagnostics(differing)).toEqual(differing);
  const other = warning('other/one', 'text', { address: 'x' });
  const names = ['a', 'b', 'c', 'd', 'e'];
  const many = names.map((name, index) => about(name, index + 1));
  const [first, second, ...rest] = foldDiagnostics([many[0]!, other, ...many.slice(1)]);
  expect(first).toMatchObject({
    severity: 'warning',
    code: 'secret/not-compared',
    message:
      'the secrets of 5 resources are not available here, so they were not compared: a, b, c and 2 more',
    at: line(1),
    related: [2, 3, 4, 5].map((number) => ({ message: names[number - 1], at: line(number) })),
  });
  expect(first!.folded).toEqual(many);
  expect(second).toBe(other);
  expect(rest).toEqual([]);
});

it('counts secrets by name, and shows three variables to set', () => {
  const unset = (number: number) =>
    warning('secret/unset', '...', { secret: { name: `s${number}`, variable: `V${number}` } });
  expect(foldDiagnostics([1, 2, 3, 4, 5].map(unset))).toMatchObject([
    {
      message:
        '5 secrets are not available, since their environment variables are not set: s1, s2, s3 and 2 more',
      hint: 'set V1, V2, V3 and 2 more; `trueup secrets` lists all',
    },
  ]);
});

it('names each family of missing secrets once, with its members, and suggests one JSON secret for a large one', () => {
  const keys = Array.from({ length: 60 }, (_, i) => `s${i + 1}`);
  const missing = (family: string, key: string, more: object) =>
    warning('secret/unset', '...', {
      secret: { name: `${family}[${key}]`, variable: `TRUEUP_SECRET_${family}_${key}`, ...more },
    });
  const all = keys.map((key) => `db[${key}]`);
  const other = warning('secret/unset', '...', { secret: { name: 'one', variable: 'TRUEUP_SECRET_one' } });
  const ofDb = (shown: string[], more: object = {}) =>
    foldDiagnostics([...shown.map((key) => missing('db', key, { family: all, ...more })), other]);
  expect(ofDb(keys)).toMatchObject([
    {
      message: [
        '61 secrets are not available, since their environment variables are not set',
        'secret.db: 60 of 60 members missing: TRUEUP_SECRET_db_s1, TRUEUP_SECRET_db_s2, ... (58 more)',
        'secret.one',
      ].join('\n'),
      hint: expect.stringMatching(
        /lists all; or write `db: \{ json: \{\} \}`, and set one variable TRUEUP_SECRET_db /,
      ),
    },
  ]);
  const [few] = ofDb(['s1', 's2']);
  expect(few!.message).toContain(
    'secret.db: 2 of 60 members missing: TRUEUP_SECRET_db_s1, TRUEUP_SECRET_db_s2\n',
  );
  expect(few!.hint).not.toContain('json');
  // All members come from one variable already.
  const [json] = ofDb(keys, { variable: 'TRUEUP_SECRET_db' });
  expect(json!.message).toContain('60 of 60 members missing: TRUEUP_SECRET_db\n');
  expect(json!.hint).not.toContain('json');
});

it('reports a missing key once, for any number of secrets', () => {
  const keyless = (path: string) => warning('secret/no-key', `\`${path}\` is not compared`, { address: 'a' });
  expect(foldDiagnostics([keyless('x')])[0]!.message).toBe(
    'TRUEUP_LEDGER_KEY is not set: 1 secret is not compared',
  );
  expect(foldDiagnostics(['x', 'y', 'z'].map(keyless))).toMatchObject([
    { message: 'TRUEUP_LEDGER_KEY is not set: 3 secrets are not compared' },
  ]);
});

it.each(['secret/no-key', 'secret/before-apply', 'secret/key-left-out'])(
  'has a hint about %s that fits one secret and several',
  (code) => {
    const problems = [1, 2].map((number) => warning(code, `secret ${number}`, { address: `a${number}` }));
    for (const folded of [problems.slice(1), problems])
      expect(foldDiagnostics(folded)[0]!.hint ?? '').not.toMatch(/\b(it stays|them|these secrets)\b/);
  },
);

describe('at one line', () => {
  const missing = (address: string) =>
    problem('existing/missing', `${address} is declared with \`$existing\`, but does not exist`, {
      address,
      at: line(4),
    });

  it('a mistake in a template is one problem, at that line', () => {
    const fifty = Array.from({ length: 50 }, (_, index) => missing(`projects/p${index}`));
    expect(foldDiagnostics(fifty)).toMatchObject([
      {
        message:
          'projects/p0 is declared with `$existing`, but does not exist (50 times, for projects/p0, projects/p1, projects/p10 and 47 more)',
        at: line(4),
        folded: { length: 50 },
      },
    ]);
  });

  it('several quoted values are one problem; two problems of one subject are two', () => {
    const unknown = (address: string, value: string) =>
      warning('config/unknown-value', `\`${value}\` is not a known value`, { address, at: line(4) });
    const values = [1, 2, 3, 4].map((number) => unknown(`projects/p${number}`, `next${number}`));
    expect(foldDiagnostics(values.slice(2)).map(({ message }) => message)).toEqual([
      '`next3` is not a known value (2 times with 2 values, for projects/p3 and projects/p4)',
    ]);
    expect(foldDiagnostics(values).map(({ message }) => message)).toEqual([
      '`next1` is not a known value (4 times with 4 values, for projects/p1, projects/p2, projects/p3 and 1 more)',
    ]);
    const lacks = (address: string, name: string) =>
      problem('config/missing', `\`${name}\` is missing`, { address, at: line(4) });
    const both = ['a', 'b'].flatMap((name) => ['from', 'to'].map((key) => lacks(name, key)));
    expect(foldDiagnostics(both).map(({ message }) => message)).toEqual([
      '`from` is missing (2 times, for a and b)',
      '`to` is missing (2 times, for a and b)',
    ]);
  });
});

it('one missing consent is one problem, whatever fields would get secrets of the object', () => {
  const place = (address: string, field: string, number: number): FieldPlace => ({
    address,
    field,
    secrecy: 'readable',
    at: line(number),
  });
  const refused = [1, 2, 3].map((number) =>
    createMissingConsentProblem(
      {
        source: {
          ...place('projects/api/env/KEY@production', `value${number}`, 9),
          dependsOnMissingField: false,
        },
        target: place(`projects/p${number}`, `field${number}`, number),
        isLive: true,
      },
      declaredExisting,
    ),
  );
  expect(foldDiagnostics(refused)).toMatchObject([
    {
      message:
        '3 resources would get secrets of projects/api/env/KEY@production, which this stack does not own: it is declared with `$existing`: projects/p1, projects/p2 and projects/p3',
      hint: expect.stringContaining('--allow-live projects/api/env/KEY@production;'),
    },
  ]);
});

it('the units of one variable are one problem', () => {
  const unit = (target: string) => about(`projects/web/env/A@${target}`);
  expect(foldDiagnostics(['preview', 'production'].map(unit))).toMatchObject([
    {
      message: 'projects/web/env/A [preview, production]: the secret in `value` is not available',
      folded: { length: 2 },
    },
  ]);
});

story('folds 10,000 problems into one line', () => {
  const many = Array.from({ length: 10_000 }, (_, index) => about(`projects/p${index}`, index + 1));
  expect(foldDiagnostics([...many].reverse())).toMatchObject([
    { message: expect.stringContaining('and 9997 more') },
  ]);
});

const names = fc.constantFrom(
  'a',
  'b/c',
  'projects/a/env/K@preview',
  'projects/a/env/K@production',
  'p.q',
  '',
);
const instances = fc.array(
  fc.record({
    name: names,
    text: fc.integer({ max: 2, min: 0 }),
    at: fc.integer({ max: 3, min: 0 }),
    code: fc.integer({ max: 4, min: 0 }),
  }),
  { maxLength: 30 },
);
const codes = ['x/y', 'ref/undeclared', 'secret/unset', 'secret/no-key', 'config/value'];
const problems = instances.map((all) =>
  all.map(({ name, text, at, code }): Diagnostic => {
    const words = ['is wrong', 'has `no` value', 'has "no" value'][text]!;
    return problem(codes[code]!, `${name} ${words}`, {
      ...(code === 2 ? { secret: { name, variable: `V_${name}` } } : { address: name }),
      ...(at === 0 ? {} : { at: line(at) }),
    });
  }),
);
const expanded = (all: Diagnostic[]) => all.flatMap((one) => one.folded ?? [one]);
const keysOf = (all: Diagnostic[]) => [...new Set(all.map((one) => JSON.stringify(one)))].sort();

story('loses no problem, and folding again changes nothing', () => {
  fc.assert(
    fc.property(problems, (all) => {
      const folded = foldDiagnostics(all);
      expect(keysOf(expanded(folded))).toEqual(keysOf(all));
      expect(expanded(folded)).toHaveLength(keysOf(all).length);
      expect(foldDiagnostics(folded)).toEqual(folded);
    }),
  );
});

it('joins only problems of one severity and code, whose texts differ in names or values', () => {
  const general = ({ message, address = '', secret }: Diagnostic) =>
    message.replace(secret?.name ?? address, '').replace(/[`"]/g, '');
  fc.assert(
    fc.property(problems, (all) => {
      for (const { severity, code, folded = [] } of foldDiagnostics(all)) {
        expect(folded.every((one) => one.severity === severity && one.code === code)).toBe(true);
        // The wording of these codes states the cause.
        if (!code.startsWith('secret/')) expect(new Set(folded.map(general)).size).toBeLessThan(2);
      }
    }),
  );
});
