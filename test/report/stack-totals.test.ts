import { expect, it } from 'vitest';
import { stacksHtml } from '../../src/report/html/stacks-page.ts';
import { stacksMarkdown } from '../../src/report/markdown/stacks-markdown.ts';
import { sortByDanger } from '../../src/report/stacks/stack-totals.ts';
import { stacksJson } from '../../src/report/stacks/stacks-json.ts';
import { stacksText } from '../../src/report/stacks/stacks-text.ts';
import { oneStoryIn } from '../support/sweep.ts';
import { change, edit, operation, plainStyle, planOf } from './builders.ts';

const story = oneStoryIn(3);

/*
 * Sixty stacks: most of them create or change something harmless, one replaces a project, and the last one deletes one. A reviewer must see
 * the totals and the dangerous changes first.
 */

const reportOf = (id: string, changes: ReturnType<typeof change>[]) => ({
  id,
  path: id,
  needs: [],
  plan: planOf({
    stack: id,
    changes,
    operations: changes.map(({ address }) => operation([address], [])),
  }),
});
const project = { kind: 'project' };
const reports = [
  ...Array.from({ length: 57 }, (_, n) =>
    reportOf(`site-${n}`, [
      change('create', `projects/site-${n}`, project),
      change('update', `projects/old-${n}/env/A@production`, {
        kind: 'projectEnvVar',
        id: `env-${n}`,
        fields: [edit('value', 'a', 'b')],
      }),
      change('update', `projects/old-${n}/env/A@preview`, {
        kind: 'projectEnvVar',
        id: `env-${n}`,
        fields: [edit('value', 'a', 'b')],
      }),
    ]),
  ),
  reportOf('idle', []),
  reportOf('media', [change('replace', 'projects/cdn', { ...project, grade: 'disruptive' })]),
  reportOf('zzz', [
    change('create', 'projects/new', project),
    change('delete', 'projects/shop', { ...project, grade: 'irreversible' }),
  ]),
];
const totals = 'All stacks: 58 to create, 0 to adopt, 57 to update, 1 to replace, 1 to delete.';

story('the text ends with the dangerous changes and the totals', () => {
  const text = stacksText(reports, {
    style: plainStyle,
    requests: false,
    verbose: false,
    pace: undefined as never,
  });
  expect(text.split('\n').slice(-7).join('\n')).toBe(`
Review first:
  irreversible (1): delete projects/shop in zzz
  disruptive (1): replace projects/cdn in media
All stacks: 58 to create, 0 to adopt, 57 to update, 1 to replace, 1 to delete.
60 stacks: 59 with changes, 1 without changes.
`);
});

it('the comment begins with the totals and the dangerous changes, and shows these stacks first', () => {
  const comment = stacksMarkdown(reports);
  expect(
    comment.split('\n').slice(2, 17).join('\n'),
  ).toBe(`### trueup plan: 60 stacks: 59 with changes, 1 without changes

**${totals}**

Review first:

- **irreversible (1)**: delete \`projects/shop\` in \`zzz\`
- **disruptive (1)**: replace \`projects/cdn\` in \`media\`

<details><summary>By kind</summary>

- \`project\`: 58 to create, 1 to replace, 1 to delete
- \`projectEnvVar\`: 57 to update

</details>`);
  const stacks = [...comment.matchAll(/^---\n\n`([^`]+)`/gm)].map(([, id]) => id);
  expect([stacks[0], stacks[1], stacks[2], stacks.at(-1)]).toEqual(['zzz', 'media', 'site-0', 'idle']);
});

story('the page begins with the totals and links to the dangerous changes', () => {
  const page = stacksHtml(reports);
  const header = /<header>.*?<\/header>/s.exec(page)![0].replaceAll(/<[^>]*>/g, '');
  for (const text of [
    '+ 58 to create',
    '~ 57 to update',
    '− 1 to delete',
    '1 irreversible',
    'project: 58 to create',
  ])
    expect(header).toContain(text);
  const [, id] = /<a href="#([^"]+)"><code>projects\/shop<\/code><\/a> in <code>zzz<\/code>/.exec(page)!;
  expect(page).toContain(`<details class="change" id="${id}" data-action="delete"`);
  expect(page.indexOf('Review first')).toBeLessThan(page.indexOf('site-0'));
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, name]) => name!);
  const links = [...page.matchAll(/ href="#([^"]+)"/g)].map(([, name]) => name!);
  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
});

it('the JSON document has the sums; its stacks stay in the order of an apply', () => {
  const { summary, stacks } = stacksJson(reports);
  expect(summary).toMatchObject({ create: 58, update: 57, replace: 1, delete: 1, adopt: 0 });
  expect(stacks.map(({ id }) => id)).toEqual(reports.map(({ id }) => id));
});

it('stacks that failed come first, those that were left out last', () => {
  const failed = [{ severity: 'error' as const, code: 'a/b', message: 'no such file' }];
  const others = [
    { id: 'broken', path: 'broken', needs: [], failed },
    { id: 'left', path: 'left', needs: [], skipped: ['broken'] },
  ];
  const ids = sortByDanger([...reports.slice(-3), others[1]!, others[0]!]).map(({ id }) => id);
  expect(ids).toEqual(['broken', 'zzz', 'media', 'idle', 'left']);
  expect(stacksMarkdown(others)).not.toContain('All stacks');
});

it('stacks that failed for the same reason are explained once', () => {
  const failing = Array.from({ length: 39 }, (_, n) => ({
    id: `s${n}`,
    path: `s${n}`,
    needs: [],
    failed: [
      { severity: 'error' as const, code: 'a/b', message: 'no access to the team', hint: 'ask for it' },
    ],
  }));
  const other = {
    ...failing[0]!,
    id: 'other',
    failed: [{ ...failing[0]!.failed[0]!, message: 'no such file' }],
  };
  const all = [...failing, other];
  const options = { style: plainStyle, requests: false, verbose: false, pace: undefined as never };
  for (const report of [stacksText(all, options), stacksMarkdown(all), stacksHtml(all)]) {
    expect(report.match(/no access to the team/g)).toHaveLength(1);
    expect(report.match(/failed for the same reason as .?s0/g)).toHaveLength(38);
    expect(report).toContain('no such file');
  }
});

it('the filters of the page count its rows, each stack by itself', () => {
  const update = { ...project, fields: [edit('framework', 'a', 'b')] };
  const handedOver = Array.from({ length: 5 }, (_, n) =>
    change('forget', `projects/given/env/V${n}`, { reason: 'handed over to the stack two' }),
  );
  const page = stacksHtml([
    reportOf('one', [
      change('update', 'projects/web', update),
      change('forget', 'projects/x'),
      ...handedOver,
    ]),
    reportOf('two', [change('update', 'projects/web', update), change('release', 'projects/y')]),
  ]);
  const chips = [...page.matchAll(/<span>([\w ]+) <b>(\d+)<\/b><\/span>/g)].map(
    ([, label, number]) => `${label} ${number}`,
  );
  expect(chips.filter((chip) => /^(update|stop|forget)/.test(chip))).toEqual(['update 2', 'stop managing 7']);
  expect(page).toContain('<p role="status" id="shown">9 changes</p>');
});
