import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReportPlaces } from '../../src/ci/ci-job.ts';
import type { Host } from '../../src/host.ts';
import { escapeName } from '../../src/model/address.ts';
import { problem, warning } from '../../src/model/diagnostic.ts';
import { appliedMarkdown } from '../../src/report/markdown/applied-markdown.ts';
import {
  byteLengthOf,
  code,
  commentLimit,
  fence,
  htmlCode,
  markerIn,
  stackMarker,
} from '../../src/report/markdown/forms.ts';
import { planMarkdown } from '../../src/report/markdown/plan-markdown.ts';
import { displayWidth } from '../../src/report/text.ts';
import { codePoint } from '../support/characters.ts';
import { oneRowIn, oneStoryIn, runs } from '../support/sweep.ts';
import { at, change, edit, operation, planOf, set } from './builders.ts';
import { canary, tenPlans } from './ten-plans.ts';

const story = oneStoryIn(5);

const plans = await tenPlans();

/** The whole report, or, of one that is very long, its beginning and end and what the middle comes to. */
function kept(text: string): string {
  const lines = text.split('\n');
  if (lines.length < 400) return text;
  const middle = lines.slice(60, -20);
  const digest = createHash('sha256').update(middle.join('\n')).digest('hex').slice(0, 16);
  return [...lines.slice(0, 60), `[${middle.length} lines, sha256 ${digest}]`, ...lines.slice(-20)].join(
    '\n',
  );
}

describe.each(Object.entries(plans))('%s', (name, plan) => {
  const text = planMarkdown(plan);
  story('reads well', async () => {
    await expect(kept(text)).toMatchFileSnapshot(`golden/markdown/${name.replace(/\W+/g, '-')}.md`);
  });

  it('fits into a comment', () => {
    expect(text.length).toBeLessThanOrEqual(commentLimit);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(commentLimit);
    expect(text).not.toContain(canary);
  });
});

/** As in a job of CI: paths are links. */
const linking = createReportPlaces({
  cwd: process.cwd(),
  env: {
    GITHUB_ACTIONS: 'true',
    GITHUB_SERVER_URL: 'https://github.test',
    GITHUB_REPOSITORY: 'acme/site',
    GITHUB_SHA: 'a'.repeat(40),
  },
} as unknown as Host);

/** Text as an attacker would like to have it rendered. */
const nasty = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 30 }),
  fc.string({
    unit: fc.constantFrom(
      '`',
      '~',
      '\n',
      ' ',
      'a',
      '|',
      '<',
      '>',
      '#',
      '@',
      '-',
      '*',
      '_',
      '[',
      '!',
      '&',
      ';',
    ),
    maxLength: 24,
  }),
  fc.constantFrom(
    '-->',
    '--><script>x</script>',
    '\n```\n# heading\n',
    '\n``````\n| a | b |\n|---|---|\n',
    '</summary></details>',
    '</code>@team',
    '@everyone #1 GH-1 owner/name#1',
    '\n\n<img src=x>',
    '::error::x',
    '\r\n::x',
    '\u2028# x',
    '``',
    '`',
    ' ` ',
  ),
);
const hostilePlan = fc
  .record({
    names: fc.array(nasty, { minLength: 1, maxLength: 3 }),
    values: fc.array(fc.tuple(nasty, nasty, nasty), { maxLength: 3 }),
    words: nasty,
    action: fc.constantFrom('create' as const, 'update' as const, 'delete' as const, 'adopt' as const),
  })
  .map(({ names, values, words, action }) => {
    const fields = values.map(([path, before, after]) => ({ path, before, after, cause: 'edit' as const }));
    const place = { file: words, line: 3, column: 1 };
    // Addresses of a saved plan need not be escaped.
    const addresses = names.flatMap((name) => [`things/${escapeName(name)}`, `things/${name}`]);
    const more = {
      fields,
      kind: words,
      reason: words,
      grade: 'destructive' as const,
      gradeReason: words,
      at: place,
    };
    return planOf({
      stack: words,
      complete: false,
      changes: addresses.map((address) => change(action, address, more)),
      operations: [operation(addresses.slice(0, 1), [{ endpoint: 'PUT /things/{id}' }])],
      unmanaged: [{ kind: words, address: words, id: words }],
      diagnostics: [problem('x', words, { hint: words, at: place }), warning('x', words, { address: words })],
    });
  });

/** What is left of a report for Markdown to make something of: without blocks and spans of code, as CommonMark finds them. */
function withoutCode(text: string): string[] {
  const left: string[] = [];
  let ticks: string | undefined;
  for (const line of text.split('\n')) {
    const fenceLine = /^ {0,3}(`{3,})[ \t]*([^`]*)$/.exec(line);
    if (ticks !== undefined) {
      if (fenceLine && fenceLine[1]!.length >= ticks.length && fenceLine[2] === '') ticks = undefined;
    } else if (fenceLine) ticks = fenceLine[1];
    else if (line.startsWith('<details'))
      left.push(
        line
          .replace(/<code>[^<>]*<\/code>/g, 'H')
          .replace(/<a href="https:\/\/github\.test[^"<>]*">H<\/a>/g, 'A'),
      );
    else
      left.push(
        line
          .replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)/g, 'C')
          .replace(/\[C\]\(https:\/\/github\.test\/[\w./%#-]*\)/g, 'A'),
      );
  }
  return ticks === undefined ? left : [...left, `an open block: ${ticks}`];
}

describe('hostile text', () => {
  it('is text, wherever it stands', () => {
    fc.assert(
      fc.property(hostilePlan, (plan) => {
        const text = planMarkdown(plan, undefined, commentLimit, linking);
        const [marker, ...lines] = withoutCode(text);
        expect(marker).toMatch(/^<!-- trueup:plan:[\w.%-]* -->$/);
        for (const line of lines) {
          const rest = line
            .replace(/^#{3,4} |^- |^<details(?: open)?><summary>/, '')
            .replace(/<\/summary>$|^<\/details>$/, '')
            .replace(/&#\d+;/g, '')
            .replaceAll('**', '');
          // In HTML the kind stands as it is, but for what HTML, mentions and references are made of.
          expect(rest).toMatch(line.startsWith('<details') ? /^[^<>@#&]*$/ : /^[\w ,.:()]*$/);
        }
        expect(text).not.toMatch(/^\s*::/m);
        expect(text).not.toMatch(/[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u);
      }),
      { numRuns: runs(1000) },
    );
  });

  it('is found by the check above, if it is not taken care of', () => {
    expect(withoutCode('- `a``b` @x')[0]).toContain('@x');
    expect(withoutCode('```diff\n+ ```\n```\n# x\n').join()).toContain('# x');
    expect(withoutCode(`- ${code('a`b')} ${htmlCode('<b>')}`)[0]).toBe('- C <code>&#60;b&#62;</code>');
    expect(withoutCode(fence(['```', '````'], 'diff'))).toEqual([]);
  });
});

describe('a block', () => {
  it('begins what is the same with a blank, and has no line for the end of the last one', () => {
    const fields = [edit('script', 'one\ntwo\n', 'one\n2\n')];
    expect(planMarkdown(planOf({ changes: [change('update', 'a', { fields })] }))).toContain(
      '```diff\n! script:\n  one\n- two\n+ 2\n```',
    );
  });

  it('says once that something was changed outside', () => {
    const fields = [{ ...edit('a', 1, 2), cause: 'drift' as const }];
    const text = planMarkdown(
      planOf({ changes: [change('update', 'a', { reason: 'changed outside', fields })] }),
    );
    expect(text.match(/changed outside/g)).toHaveLength(1);
    expect(text).toContain('- a: 1\n+ a: 2  # changed outside: reverts\n');
  });
});

it('counts conflicts at the top', () => {
  const fields = [{ ...edit('a', 1, 2), cause: 'conflict' as const }];
  const [, , line] = planMarkdown(planOf({ changes: [change('update', 'a', { fields })] }))
    .split('\n\n')
    .slice(1);
  expect(line).toMatch(/^\*\*1 field changed both outside and here: approving this plan, /);
});

describe('the marker', () => {
  it('is found again, by its stack alone', () => {
    const text = planMarkdown(planOf({ stack: 'acme--production' }));
    expect(markerIn(text)).toBe(stackMarker('acme--production'));
    expect(markerIn(text)).not.toBe(stackMarker('acme'));
    expect(markerIn('other text\n<!-- trueup:plan:x -->')).toBeUndefined();
  });
});

describe('a comment', () => {
  it('has no line of a value wider than 80 columns', () => {
    const value = fc.oneof(
      nasty,
      nasty.map((text) => text.repeat(40)),
      fc.array(nasty, { maxLength: 30 }),
      fc.dictionary(fc.constantFrom('a', 'b'), nasty),
    );
    const field = fc.record({
      path: fc.constantFrom('value', 'headers.content', 'x'.repeat(90)),
      before: value,
      after: value,
      cause: fc.constantFrom('edit' as const, 'drift' as const),
    });
    fc.assert(
      fc.property(
        fc.constantFrom('create' as const, 'update' as const),
        fc.array(field, { minLength: 1, maxLength: 4 }),
        (action, fields) => {
          const reason =
            'because somebody has said that it is to be so, for reasons that take a whole long line to tell';
          const text = planMarkdown(planOf({ changes: [change(action, 'things/a', { fields, reason })] }));
          const lines = text.split('\n').slice(text.split('\n').findIndex((line) => line.startsWith('```')));
          // A fence is longer than the longest run of backticks in a value.
          const valueLines = lines.filter((line) => !line.startsWith('```'));
          for (const line of valueLines) expect(displayWidth(line), line).toBeLessThanOrEqual(80);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  story(
    'of 1,500 changes in 100 projects has each danger open, and each project at least by its counts',
    () => {
      const changes = Array.from({ length: 100 }, (_, project) =>
        Array.from({ length: 15 }, (_, n) => {
          const isLost = project % 40 === 7 && n === 3;
          return change(isLost ? 'delete' : 'update', `projects/shop-${project}/env/V${n}`, {
            parent: `projects/shop-${project}`,
            grade: isLost ? 'irreversible' : 'safe',
            fields: [edit('value', `old ${project} ${n}`, `new ${project} ${n}`)],
            at: at(project * 30 + n),
          });
        }),
      ).flat();
      const operations = changes.map(({ address }) => operation([address], [{ endpoint: 'PATCH /x' }]));
      const text = planMarkdown(planOf({ changes, operations }), undefined, commentLimit, linking);
      expect(text.length).toBeLessThanOrEqual(commentLimit);
      expect(text.match(/^`-` `projects\/shop-\d+\/env\/V3` .*\n\n```diff$/gm)).toHaveLength(3);
      expect(new Set(text.match(/<code>projects\/shop-\d+<\/code>: 1\d to update/g)).size).toBe(100);
      expect(text).toMatch(/\*\*Truncated: details of \d+ changes above\.\*\*/);
    },
  );

  it('of an apply holds text from outside in code, and says how it went first', () => {
    const address = 'things/@everyone <details> | `x`\n# y';
    const plan = planOf({ stack: '@team', changes: [change('create', address, { at: at(3) })] });
    const error = new Error('```\n</details> @everyone\n::error::x \u001b[31m');
    const outcome = { done: [], postponed: [], overwritten: [address], interrupted: false };
    for (const more of [
      { failed: [{ address, error }], skipped: [] },
      { failed: [], skipped: [{ address, reason: address }] },
    ]) {
      const text = appliedMarkdown(plan, { outcome: { ...outcome, ...more } }, 20_000, linking);
      const left = withoutCode(text).join('\n');
      expect(left).not.toMatch(/@|<(?!\/?details|\/?summary)|\|/);
      expect(text).not.toMatch(/^\s*::/m);
      expect(text).not.toContain('\u001b');
      expect(text).toMatch(/^### trueup apply: `@team`\n\n\*\*Apply failed: 0 done, /);
    }
  });
});

describe('too little room', () => {
  const long = (n: number, grade: 'safe' | 'destructive') =>
    Array.from({ length: n }, (_, i) =>
      change('update', `things/${grade}-${i}`, {
        grade,
        fields: [set('text', `${i} ${'x'.repeat(80)}`)],
        at: at(i + 1),
      }),
    );
  const plan = planOf({
    changes: [...long(300, 'safe'), ...long(20, 'destructive')],
    diagnostics: Array.from({ length: 30 }, (_, i) => warning('x', `warning ${i}: ${'y'.repeat(900)}`)),
  });

  story('what is risky is told in full, the rest is named or counted', () => {
    const text = planMarkdown(plan, undefined, 15_000);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(15_000);
    expect(text.match(/^`~` `things\/destructive-.*\n\n```diff$/gm)).toHaveLength(20);
    expect(text.match(/<code>things\/safe-/g) ?? []).toHaveLength(0);
    const named = text.match(/^- `~?\.?` ?`things\/safe-|^- .*things\/safe-/gm)!.length;
    const [, absent] = /Truncated[^:]*: (\d+) changes/.exec(text)!;
    expect(named + Number(absent)).toBe(300);
  });

  story('what is shortened is counted in changes, as what is left out is', () => {
    const edits = Array.from({ length: 300 }, (_, i) =>
      change('update', `things/${String(i).padStart(3, '0')}`, {
        fields: [set('text', `${i} ${'x'.repeat(80)}`)],
        at: at(i + 1),
      }),
    );
    const text = planMarkdown(planOf({ changes: edits }), undefined, 30_000);
    const told = text.match(/<summary>/g)!.length;
    expect(text).toContain(`details of ${300 - told} changes above`);
  });

  oneRowIn(2)([
    [
      'wait for the stack',
      (i: number) => change('noop', `things/h${i}`, { handover: `the-next-stack-${i}` }),
    ],
    [
      'taken over from stack',
      (i: number) => change('adopt', `things/h${i}`, { takenFrom: `the-last-stack-${i}` }),
    ],
  ])(
    '5,000 lines with "%s" above the sections are shortened, and everything else is still there',
    (_, of) => {
      const [danger] = long(1, 'destructive');
      const changes = [danger!, ...Array.from({ length: 5_000 }, (_, i) => of(i))];
      const diagnostics = [problem('x', 'the only error')];
      const text = planMarkdown(planOf({ changes, diagnostics }));
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(commentLimit);
      for (const part of [
        '-stack-2',
        '... and 4997 more',
        'the only error',
        'things/destructive-0',
        '**Truncated',
      ])
        expect(text).toContain(part);
      expect(text).not.toMatch(/-stack-3\b/);
    },
  );

  it('what is no change and no problem is counted apart', () => {
    const sources = Array.from({ length: 400 }, (_, i) => ({
      name: `variable v${i}`,
      source: `file ${'x'.repeat(60)}${i}`,
      since: 'new' as const,
    }));
    const text = planMarkdown(planOf({ sources, diagnostics: [] }), undefined, 10_000);
    const listed = text.match(/^- `variable /gm)!.length;
    expect(text).toContain(`**Truncated: ${400 - listed} other items.**`);
  });

  story('no limit is exceeded, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(nasty, fc.integer({ min: 1, max: 3000 })), { maxLength: 30 }),
        fc.integer({ min: 3_000, max: 30_000 }),
        (texts, limit) => {
          const changes = texts.map(([text, times], i) =>
            change('create', `things/${i}`, {
              fields: [set('a', text.repeat(times))],
              grade: i % 2 ? 'safe' : 'destructive',
            }),
          );
          const diagnostics = texts.map(([text, times]) => problem('x', text.repeat(times)));
          expect(
            byteLengthOf(planMarkdown(planOf({ changes, diagnostics }), undefined, limit)),
          ).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: runs(200) },
    );
  });
});

it('keeps each line that is to be pasted on a line of its own, and counts those that it leaves out', () => {
  const entry = (name: number) =>
    `  - { at: projects/${'a'.repeat(40)}${name}, delete: true, objects: 15 } # 1 project`;
  const entries = Array.from({ length: 40 }, (_, index) => entry(index));
  const hint = ['add this', ...entries].join('\n');
  const lines = planMarkdown(planOf({ diagnostics: [warning('x', 'x', { hint })] })).split('\n');
  expect(lines).toContain(`  | ${entry(29)}`);
  expect(lines).toContain('  ... and 10 more');
});
